/** Bytes of the picture that a customer's browser is sent. */
export const LOGO_BYTES_MAX = 8_192;
/** Bytes of the picture as it is handed in. */
export const LOGO_UPLOAD_BYTES_MAX = 512 * 1024;
/** Pixels decoded at most, which take 16 MB: a small file can declare any size. */
const PIXELS_MAX = 4_000_000;
/** The page shows it 40 pixels high; screens have up to three points for each. */
const BOX = { width: 360, height: 120, fit: 'inside', withoutEnlargement: true } as const;
/** What is tried one after the other until the picture is small enough. */
const TRIES = [
  { scale: 1, quality: 90 },
  { scale: 1, quality: 75 },
  { scale: 0.75, quality: 70 },
  { scale: 0.5, quality: 60 },
  { scale: 0.25, quality: 40 },
] as const;

const KINDS = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff],
  webp: [0x52, 0x49, 0x46, 0x46],
} as const;

const isPicture = (content: Buffer): boolean =>
  Object.values(KINDS).some((start) => start.every((byte, at) => content[at] === byte)) &&
  (content[0] !== KINDS.webp[0] || content.toString('latin1', 8, 12) === 'WEBP');

type Encoded = { readonly webp: Buffer } | { readonly wrong: string };

/**
 * A picture drawn anew as WebP of at most LOGO_BYTES_MAX: nothing of the file is kept but what is
 * seen of it, upright. Its kind is told by its content; an SVG is none, for it can hold scripts.
 * Decoding and encoding run outside of the event loop. `wrong`: why the picture is not taken.
 */
export async function encodeLogo(content: Buffer): Promise<Encoded> {
  if (content.length > LOGO_UPLOAD_BYTES_MAX)
    return { wrong: `must have at most ${LOGO_UPLOAD_BYTES_MAX / 1024} KB.` };
  if (!isPicture(content)) return { wrong: 'must be a PNG, JPEG or WebP picture.' };
  const sharp = await loadSharp();
  const drawn = (scale: number) =>
    sharp(content, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .autoOrient()
      .resize({ ...BOX, width: BOX.width * scale, height: BOX.height * scale });
  try {
    for (const { scale, quality } of TRIES) {
      const webp = await drawn(scale).webp({ quality, effort: 5 }).toBuffer();
      if (webp.length <= LOGO_BYTES_MAX) return { webp };
    }
    return { wrong: `does not fit into ${LOGO_BYTES_MAX / 1024} KB.` };
  } catch (error) {
    return { wrong: wrongOf(error) };
  }
}

/** The library's words for a picture that it cannot read are about its parts. */
const wrongOf = (error: unknown): string =>
  error instanceof Error && error.message.includes('pixel limit')
    ? `must have at most ${PIXELS_MAX / 1_000_000} million pixels.`
    : 'could not be read as a picture.';

/** Loaded when the first logo comes. It opens these three kinds of content and nothing else. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadWebpBuffer',
    ],
  });
  return sharp;
}
