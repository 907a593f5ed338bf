import { Turns } from './picture-turns.ts';

/** Pictures from outside: recognised by their content, and re-encoded. */

const KINDS = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff],
  webp: [0x52, 0x49, 0x46, 0x46],
} as const;

const isPicture = (content: Buffer): boolean =>
  Object.values(KINDS).some((start) => start.every((byte, at) => content[at] === byte)) &&
  (content[0] !== KINDS.webp[0] || content.toString('latin1', 8, 12) === 'WEBP');

/** Ten times of what the worst took on an idle core. */
export const DRAW_MS = 5_000;
const tooSlow = (drawMs: number) =>
  `takes longer than ${drawMs / 1000} seconds to draw. Send a smaller picture.`;

/**
 * One picture at a time is decoded: it may take 64 MB, and the other threads have more to do. A
 * member may send the five pictures of an order at once.
 */
const TURNS = new Turns({ perCaller: 5, total: 40, waitMs: 8_000 });

interface Limits {
  readonly uploadBytesMax: number;
  /** From the first byte to the last try. */
  readonly drawMs: number;
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

export interface Drawn {
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
 * `caller`: who sent it, whose pictures wait for each other. `wrong`: why the picture is not taken,
 * behind the name of its field. Throws TooManyWaiting and UnavailableError.
 */
export async function drawAnew(
  caller: string,
  content: Buffer,
  limits: Limits,
): Promise<Drawn | { readonly wrong: string }> {
  const { uploadBytesMax } = limits;
  if (content.length > uploadBytesMax)
    return { wrong: `must have at most ${uploadBytesMax / 1024} KB.` };
  if (!isPicture(content)) return { wrong: 'must be a PNG, JPEG or WebP picture.' };
  return TURNS.run(caller, () => draw(content, limits));
}

/**
 * Read once, at the size of the box: of a JPEG only every second, fourth or eighth pixel is then
 * made where the box allows it. Of a photo of 12 million pixels this took 60 ms of a core, and each
 * further try 100 ms; reading it again for each took up to 1.4 s.
 */
async function draw(content: Buffer, limits: Limits) {
  const { pixelsMax, drawMs, bytesMax, box, tries, effort } = limits;
  const sharp = await loadSharp();
  const until = performance.now() + drawMs;
  const time = () => ({ seconds: Math.max(1, Math.ceil((until - performance.now()) / 1000)) });
  const within = (scale: number) => ({
    ...{ width: Math.round(box.width * scale), height: Math.round(box.height * scale) },
    ...({ fit: 'inside', withoutEnlargement: true } as const),
  });
  try {
    const { data, info: read } = await sharp(content, {
      limitInputPixels: pixelsMax,
      failOn: 'error',
    })
      .timeout(time())
      .autoOrient()
      .resize(within(1))
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const { scale, quality } of tries) {
      if (performance.now() > until) return { wrong: tooSlow(drawMs) };
      const { data: webp, info } = await sharp(data, {
        raw: { width: read.width, height: read.height, channels: read.channels },
      })
        .timeout(time())
        .resize(within(scale))
        .webp({ quality, effort })
        .toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      if (webp.length <= bytesMax) return { webp, width, height };
    }
    return { wrong: `does not fit into ${bytesMax / 1024} KB.` };
  } catch (error) {
    return { wrong: wrongOf(error, limits) };
  }
}

/** The library's words for a picture that it cannot read are about its parts. */
function wrongOf(error: unknown, { pixelsMax, drawMs }: Limits): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('pixel limit'))
    return `must have at most ${pixelsMax / 1_000_000} million pixels.`;
  return message.startsWith('timeout') ? tooSlow(drawMs) : 'could not be read as a picture.';
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
