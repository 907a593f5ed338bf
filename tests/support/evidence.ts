import sharp from 'sharp';

/** A picture of two colours, other for each seed, as a telephone would send it. */
export async function photo(
  { width = 450, height = 800, seed = 1 }: { width?: number; height?: number; seed?: number } = {},
  format: 'png' | 'jpeg' | 'webp' = 'jpeg',
): Promise<Buffer> {
  const create = { width, height, channels: 3, background: { r: 240, g: 240, b: 240 } } as const;
  const mark = { ...create, width: 60 + seed, height: 80, background: { r: 200, g: 20, b: seed } };
  return sharp({ create })
    .composite([{ input: await sharp({ create: mark }).png().toBuffer(), top: 40, left: 40 }])
    .toFormat(format)
    .toBuffer();
}

/** The body that hands it in. */
export const handingIn = async (seed = 1, kind = 'confirm') => ({
  kind,
  picture: (await photo({ seed })).toString('base64'),
});
