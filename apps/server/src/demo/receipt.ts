import sharp from 'sharp';

const [WIDTH, HEIGHT] = [540, 960];
/** Drawn so much larger and made smaller, for smooth edges. */
const SCALE = 2;
const INK = 0x1d2733;
const PALE = 0xcfd6de;
const GREY = 0x8b97a5;
const WHITE = 0xffffff;

interface Receipt {
  /** The wallet's transfer went through; else it says that it did not. */
  readonly went: boolean;
  /** Digits that distinguish it. */
  readonly number: string;
}

/**
 * What a phone shows after a transfer, from afar, in base64: evidence of the demo's members. Drawn
 * pixel by pixel, with bars for text: a machine may have no fonts, and the service reads no vector
 * graphics.
 */
export async function drawReceipt({ went, number }: Receipt): Promise<string> {
  const sheet = createSheet();
  const colour = went ? 0x1a7f4e : 0xb3261e;
  sheet.rect(0, 0, WIDTH, HEIGHT, 0xf4f6f8);
  sheet.rect(0, 0, WIDTH, 250, colour);
  sheet.line([270, 130], [270, 130], 104, WHITE);
  const strokes = went
    ? [
        [246, 132, 264, 150],
        [264, 150, 298, 112],
      ]
    : [
        [250, 110, 290, 150],
        [290, 110, 250, 150],
      ];
  for (const [fromX = 0, fromY = 0, toX = 0, toY = 0] of strokes)
    sheet.line([fromX, fromY], [toX, toY], 11, colour);
  sheet.rect(36, 290, 468, 610, WHITE);
  sheet.line([180, 372], [360, 372], 34, INK);
  sheet.rect(72, 446, 396, 2, PALE);
  for (const [at, digit] of [...number].slice(0, 6).entries()) {
    const [top, length] = [486 + 62 * at, 90 + 14 * Number(digit)];
    sheet.line([78, top], [270 - length / 2, top], 12, PALE);
    sheet.line([474 - length, top], [462, top], 12, GREY);
  }
  return (await sheet.png()).toString('base64');
}

type Point = readonly [x: number, y: number];

/** A sheet of pixels, and what can be drawn on it. Colours are 0xRRGGBB. */
function createSheet() {
  const [width, height] = [WIDTH * SCALE, HEIGHT * SCALE];
  const pixels = Buffer.alloc(width * height * 3);
  /** The pixels of a box that are inside of something. */
  function fill(
    [left, top, right, bottom]: readonly [number, number, number, number],
    colour: number,
    isInside: (x: number, y: number) => boolean,
  ) {
    for (let y = Math.floor(top * SCALE); y < bottom * SCALE; y += 1)
      for (let x = Math.floor(left * SCALE); x < right * SCALE; x += 1)
        if (isInside(x / SCALE, y / SCALE)) pixels.writeUIntBE(colour, (y * width + x) * 3, 3);
  }
  return {
    rect: (left: number, top: number, wide: number, high: number, colour: number) =>
      fill([left, top, left + wide, top + high], colour, () => true),
    /** With round ends; a disc where both are one. */
    line([x1, y1]: Point, [x2, y2]: Point, thickness: number, colour: number) {
      const half = thickness / 2;
      const box = [
        Math.min(x1, x2) - half,
        Math.min(y1, y2) - half,
        Math.max(x1, x2) + half,
        Math.max(y1, y2) + half,
      ] as const;
      const length2 = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1;
      fill(box, colour, (x, y) => {
        const along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length2;
        const nearest = Math.max(0, Math.min(1, along));
        return Math.hypot(x - x1 - nearest * (x2 - x1), y - y1 - nearest * (y2 - y1)) <= half;
      });
    },
    png: () =>
      sharp(pixels, { raw: { width, height, channels: 3 } })
        .resize(WIDTH)
        .png()
        .toBuffer(),
  };
}
