import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawAnew } from './picture.ts';

const LIMITS = {
  ...{ uploadBytesMax: 1024 * 1024, pixelsMax: 16_000_000, drawMs: 60_000, bytesMax: 100 * 1024 },
  ...{ box: { width: 400, height: 400 }, tries: [{ scale: 1, quality: 60 }], effort: 2 },
};
const create = { width: 1_000, height: 750, channels: 3, background: '#246' } as const;

test('a picture that takes too long to draw is refused with what to do', async () => {
  const content = await sharp({ create }).jpeg().toBuffer();
  expect(await drawAnew('somebody', content, { ...LIMITS, drawMs: 0 })).toEqual({
    wrong: 'takes longer than 0 seconds to draw. Send a smaller picture.',
  });
});

test.each([
  ['one with transparent parts', { channels: 4, background: '#2468' }, 'png'],
  ['a progressive one', {}, 'jpeg'],
  ['one of gray values', {}, 'webp'],
] as const)('%s is read once, and drawn as it looks', async (name, more, format) => {
  const picture = sharp({ create: { ...create, ...more } });
  if (name.includes('gray')) picture.grayscale();
  const content = await picture.toFormat(format, { progressive: true } as object).toBuffer();
  const drawn = await drawAnew('somebody', content, LIMITS);
  expect(drawn).toMatchObject({ width: 400, height: 300 });
  if (!('webp' in drawn)) throw new Error(drawn.wrong);
  const averages = async (of: Buffer) =>
    (await sharp(of).toColourspace('srgb').stats()).channels.map(({ mean }) => Math.round(mean));
  const [seen, sent] = [await averages(drawn.webp), await averages(content)];
  expect(seen).toHaveLength(sent.length);
  for (const [at, value] of seen.entries())
    expect(Math.abs(value - (sent[at] ?? 0))).toBeLessThan(5);
});
