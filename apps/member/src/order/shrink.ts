import { bitmapOf } from '../parts/bitmap.ts';

/** As the service keeps pictures: nothing larger has to go over the network. */
const BYTES_MAX = 200 * 1024;
const SIDE_MAX = 1_600;
const TRIES = [
  { scale: 1, quality: 0.8 },
  { scale: 1, quality: 0.6 },
  { scale: 1, quality: 0.45 },
  { scale: 0.75, quality: 0.5 },
  { scale: 0.5, quality: 0.5 },
  { scale: 0.3, quality: 0.4 },
] as const;

/**
 * A photo as a JPEG of at most 200 KB whose long side has at most 1,600 pixels, as a `data:` URL. It
 * is drawn again, so that nothing of the file is left: neither where it was taken nor with which
 * phone. Undefined: this browser cannot read it.
 */
export async function shrink(file: Blob): Promise<string | undefined> {
  const read = await bitmapOf(file).catch(() => null);
  if (read === null) return undefined;
  const fit = Math.min(1, SIDE_MAX / Math.max(read.width, read.height));
  for (const { scale, quality } of TRIES) {
    const drawn = await draw(read, fit * scale, quality);
    if (drawn !== null && drawn.size <= BYTES_MAX) {
      read.close();
      return textOf(drawn);
    }
  }
  read.close();
  return undefined;
}

function draw(read: ImageBitmap, scale: number, quality: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(read.width * scale));
  canvas.height = Math.max(1, Math.round(read.height * scale));
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = '#fff'; // where a screenshot is transparent
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(read, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}

const textOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
