import { LOGO_UPLOAD_BYTES_MAX } from '@munshi/api';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeLogo, LOGO_BYTES_MAX } from './logo.ts';

const RED = { r: 200, g: 20, b: 20 };
const square = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: RED } });

async function encoded(content: Buffer) {
  const answer = await encodeLogo('a merchant', content);
  if (!('webp' in answer)) throw new Error(answer.wrong);
  return { content: answer.webp, ...(await sharp(answer.webp).metadata()) };
}

test.each(['png', 'jpeg', 'webp'] as const)('a %s is drawn again as WebP', async (format) => {
  const logo = await encoded(await square(800, 200).toFormat(format).toBuffer());
  expect(logo).toMatchObject({ format: 'webp', width: 360, height: 90 });
});

test('a small picture keeps its size, and what is transparent stays so', async () => {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const picture = sharp({ create: { width: 40, height: 40, channels: 4, background: clear } });
  expect(await encoded(await picture.png().toBuffer())).toMatchObject({
    width: 40,
    height: 40,
    hasAlpha: true,
  });
});

test('the metadata of a camera is removed, and the picture stands upright', async () => {
  const metadata = { IFD0: { Copyright: 'Somebody', ImageDescription: 'secret place' } };
  const photo = await square(300, 100).withExif(metadata).withMetadata({ orientation: 6 }).jpeg();
  const content = await photo.toBuffer();
  expect(content.includes('secret place')).toBe(true);
  const logo = await encoded(content);
  expect(logo).toMatchObject({ width: 40, height: 120 });
  expect([logo.exif, logo.xmp, logo.icc, logo.orientation]).toEqual(Array(4).fill(undefined));
  expect(logo.content.includes('secret place')).toBe(false);
});

test('the worst of pictures, noise, still fits', async () => {
  const noise = sharp({
    create: {
      width: 700,
      height: 240,
      channels: 3,
      background: RED,
      noise: { type: 'gaussian', mean: 128, sigma: 120 },
    },
  });
  const logo = await encoded(await noise.png().toBuffer());
  expect(logo.content.length).toBeLessThanOrEqual(LOGO_BYTES_MAX);
});

test.each([
  ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a GIF', async () => await square(4, 4).gif().toBuffer()],
  ['a TIFF', async () => await square(4, 4).tiff().toBuffer()],
  ['nothing', async () => Buffer.alloc(0)],
  ['another file of the container that WebP has', async () => Buffer.from('RIFF0000WAVEfmt ')],
])('%s is refused: only PNG, JPEG and WebP are taken', async (_name, content) => {
  expect(await encodeLogo('a merchant', await content())).toEqual({
    wrong: 'must be a PNG, JPEG or WebP picture.',
  });
});

test('a picture that breaks off, or only begins like one, is not taken', async () => {
  const whole = await square(500, 500).png({ compressionLevel: 0 }).toBuffer();
  const wrong = 'could not be read as a picture.';
  expect(await encodeLogo('a merchant', whole.subarray(0, 4_000))).toEqual({ wrong });
  const begun = Buffer.concat([whole.subarray(0, 8), Buffer.from('<svg/>')]);
  expect(await encodeLogo('a merchant', begun)).toEqual({ wrong });
});

test('a picture that unpacks to more memory than it may is not unpacked', async () => {
  const create = { width: 20_000, height: 1_000, channels: 3, background: RED } as const;
  const bomb = await sharp({ create, limitInputPixels: false }).png().toBuffer();
  expect(bomb.length).toBeLessThan(LOGO_UPLOAD_BYTES_MAX);
  expect(await encodeLogo('a merchant', bomb)).toEqual({
    wrong: 'must have at most 4 million pixels.',
  });
});

test('a file that is too large is not looked into', async () => {
  const large = Buffer.alloc(LOGO_UPLOAD_BYTES_MAX + 1);
  expect(await encodeLogo('a merchant', large)).toEqual({ wrong: 'must have at most 512 KB.' });
});

test('a caller that sends many pictures at once keeps no other out', async () => {
  const content = await square(20, 20).png().toBuffer();
  const flood = Promise.allSettled(Array.from({ length: 60 }, () => encodeLogo('one', content)));
  const others = Array.from({ length: 8 }, (_, at) => encodeLogo(`other ${at}`, content));
  for (const drawn of await Promise.all(others)) expect(drawn).toHaveProperty('webp');
  const answers = await flood;
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(55);
  for (const answer of refused)
    expect(answer).toMatchObject({ reason: { refusal: { code: 'too-many-tries' } } });
  expect((await encoded(content)).format).toBe('webp');
});
