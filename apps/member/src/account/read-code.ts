import { bitmapOf } from '../parts/bitmap.ts';

/** QR codes in pictures: by the browser where it can, else by a decoder that is loaded for it. */

/** Of the browsers that have it; TypeScript does not know it. */
interface Detector {
  detect(source: CanvasImageSource): Promise<readonly { readonly rawValue: string }[]>;
}
declare const BarcodeDetector: (new (options: {
  readonly formats: readonly string[];
}) => Detector) & { getSupportedFormats(): Promise<readonly string[]> };

let detector: Promise<Detector | null> | undefined;
const findDetector = async (): Promise<Detector | null> => {
  if (typeof BarcodeDetector === 'undefined') return null;
  const formats = await BarcodeDetector.getSupportedFormats();
  return formats.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : null;
};

/** Larger pictures are looked at smaller: a code that fills a screen is read at any size. */
const SIDES = [1_200, 600] as const;

/** What the QR code in it holds; null: none is seen. */
export async function readCode(
  source: CanvasImageSource,
  width: number,
  height: number,
): Promise<string | null> {
  if (width === 0 || height === 0) return null;
  detector ??= findDetector().catch(() => null);
  const own = await detector;
  if (own !== null) return (await own.detect(source).catch(() => []))[0]?.rawValue ?? null;
  const { decodeQR } = await import('qr/decode.js');
  for (const side of SIDES) {
    const content = decodeAt(decodeQR, source, { width, height }, side);
    if (content !== null) return content;
  }
  return null;
}

/** The same of a file. */
export async function readCodeOf(file: Blob): Promise<string | null> {
  const picture = await bitmapOf(file);
  const content = await readCode(picture, picture.width, picture.height);
  picture.close();
  return content;
}

type Decode = typeof import('qr/decode.js').decodeQR;
/** Milliseconds for what is hard to see. */
const HARD = { timeLimit: 150 };

function decodeAt(
  decode: Decode,
  source: CanvasImageSource,
  size: { readonly width: number; readonly height: number },
  side: number,
): string | null {
  const scale = Math.min(1, side / Math.max(size.width, size.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  try {
    return decode(context.getImageData(0, 0, canvas.width, canvas.height), HARD);
  } catch {
    return null; // it throws where it sees none
  }
}
