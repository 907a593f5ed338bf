import { LOGO_UPLOAD_BYTES_MAX } from '@munshi/api';
import { DRAW_MS, drawAnew } from '../platform/pictures/picture.ts';

/** Bytes of the picture that a customer's browser is sent. */
export const LOGO_BYTES_MAX = 8_192;

/** A picture re-encoded as a merchant's logo, by turns between callers. `wrong`: why it was refused. */
export const encodeLogo = (caller: string, content: Buffer) =>
  drawAnew(caller, content, {
    uploadBytesMax: LOGO_UPLOAD_BYTES_MAX,
    pixelsMax: 4_000_000,
    drawMs: DRAW_MS,
    bytesMax: LOGO_BYTES_MAX,
    // The page shows it 40 pixels high; screens have up to three points for each.
    box: { width: 360, height: 120 },
    tries: [
      { scale: 1, quality: 90 },
      { scale: 1, quality: 75 },
      { scale: 0.75, quality: 70 },
      { scale: 0.5, quality: 60 },
      { scale: 0.25, quality: 40 },
    ],
    effort: 5,
  });

/** Where a merchant's logo is answered, by the hash of the picture. */
export const logoPath = (hash: string): string => `/pay/logo/${hash}.webp`;
