import sharp from 'sharp';
import { qrPng } from '../../apps/server/src/checkout/qr.ts';

/** A screenshot of a wallet that shows this code. */
export async function qrPicture(text: string): Promise<Buffer> {
  const code = await sharp(qrPng(text)?.content).resize(560, 560, { kernel: 'nearest' }).toBuffer();
  const background = { r: 240, g: 243, b: 247 };
  return sharp({ create: { width: 720, height: 1280, channels: 3, background } })
    .composite([{ input: code, left: 80, top: 300 }])
    .jpeg()
    .toBuffer();
}
