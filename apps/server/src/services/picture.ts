import { UnavailableError } from '../storage/errors.ts';

/** Pictures from outside: recognised by their content, and re-encoded. */

const KINDS = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff],
  webp: [0x52, 0x49, 0x46, 0x46],
} as const;

const isPicture = (content: Buffer): boolean =>
  Object.values(KINDS).some((start) => start.every((byte, at) => content[at] === byte)) &&
  (content[0] !== KINDS.webp[0] || content.toString('latin1', 8, 12) === 'WEBP');

interface Limits {
  readonly uploadBytesMax: number;
  /** Pixels decoded at most, of 4 bytes each: a small file can declare any size. */
  readonly pixelsMax: number;
  /** Of what is drawn. */
  readonly bytesMax: number;
  readonly box: { readonly width: number; readonly height: number };
  /** What is tried one after the other until the picture is small enough. */
  readonly tries: readonly { readonly scale: number; readonly quality: number }[];
  /** Time taken for a smaller result, 0 to 6. */
  readonly effort: number;
}

interface Drawn {
  readonly webp: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Base64, with what a `data:` URL has before it or without. Undefined: it is neither. */
export function bytesOf(text: string): Buffer | undefined {
  const base64 = text.replace(/^data:[^,]{0,100};base64,/, '');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}

/**
 * A picture re-encoded as WebP within the limits: nothing of the file is kept but what is seen of
 * it, upright. Its kind follows from its content; an SVG is refused, because it can hold scripts.
 * `wrong`: why the picture is not taken, behind the name of its field.
 */
export async function drawAnew(
  content: Buffer,
  limits: Limits,
): Promise<Drawn | { readonly wrong: string }> {
  const { uploadBytesMax } = limits;
  if (content.length > uploadBytesMax)
    return { wrong: `must have at most ${uploadBytesMax / 1024} KB.` };
  if (!isPicture(content)) return { wrong: 'must be a PNG, JPEG or WebP picture.' };
  return inTurn(() => draw(content, limits));
}

async function draw(content: Buffer, { pixelsMax, bytesMax, box, tries, effort }: Limits) {
  const sharp = await loadSharp();
  const drawn = (scale: number) =>
    sharp(content, { limitInputPixels: pixelsMax, failOn: 'error' })
      .autoOrient()
      .resize({
        ...{ width: box.width * scale, height: box.height * scale },
        ...{ fit: 'inside', withoutEnlargement: true },
      });
  try {
    for (const { scale, quality } of tries) {
      const { data: webp, info } = await drawn(scale)
        .webp({ quality, effort })
        .toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      if (webp.length <= bytesMax) return { webp, width, height };
    }
    return { wrong: `does not fit into ${bytesMax / 1024} KB.` };
  } catch (error) {
    return { wrong: wrongOf(error, pixelsMax) };
  }
}

/** The library's words for a picture that it cannot read are about its parts. */
const wrongOf = (error: unknown, pixelsMax: number): string =>
  error instanceof Error && error.message.includes('pixel limit')
    ? `must have at most ${pixelsMax / 1_000_000} million pixels.`
    : 'could not be read as a picture.';

/** Drawing all these takes some seconds; each holds what was uploaded. */
const WAITING_MAX = 20;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * One picture at a time is decoded: it may take 64 MB, and the other threads have more to do.
 * Throws UnavailableError where too many wait already.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= WAITING_MAX) throw new UnavailableError('too many pictures wait to be drawn');
  waiting += 1;
  const own = last.then(work).finally(() => {
    waiting -= 1;
  });
  last = own.catch(() => {});
  return own;
}

/** Loaded when the first picture comes. It opens these three kinds of content and nothing else. */
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
