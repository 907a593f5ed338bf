import { randomUUID } from 'node:crypto';
import type { EvidenceKind, OrderId } from '@munshi/core';
import sharp from 'sharp';
import { addEvidence } from '../../apps/server/src/evidence/service.ts';
import { doWrite } from '../../apps/server/src/writes/write.ts';
import { id } from '../../packages/core/src/testing/literals.ts';
import type { Service } from './service.ts';

/** What looks like a receipt from afar, another one for each seed, as a telephone would send it. */
export async function photo(
  { width = 450, height = 800, seed = 1 }: { width?: number; height?: number; seed?: number } = {},
  format: 'png' | 'jpeg' | 'webp' = 'jpeg',
): Promise<Buffer> {
  const bar = async (top: number, wide: number, high: number, [r, g, b]: readonly number[]) => {
    const background = { r: r ?? 0, g: g ?? 0, b: b ?? 0 };
    const create = { width: wide, height: high, channels: 3, background } as const;
    return { input: await sharp({ create }).png().toBuffer(), top, left: Math.round(width / 10) };
  };
  const step = Math.round(height / 16);
  const bars = [
    bar(step, Math.round(width * 0.8), step * 2, [23, 102, 58]),
    bar(step * 4, Math.round(width / 3) + seed, step, [23, 32, 44]),
    ...[6, 8, 9, 10, 12, 13].map((at) =>
      bar(
        step * at,
        Math.round(width * (0.4 + ((at * 7) % 5) / 12)),
        Math.ceil(step / 3),
        [150, 160, 170],
      ),
    ),
  ];
  const background = { r: 250, g: 250, b: 248 };
  return sharp({ create: { width, height, channels: 3, background } })
    .composite(await Promise.all(bars))
    .toFormat(format)
    .toBuffer();
}

/** The body that hands one in. */
export const handingIn = async (seed = 1, kind = 'confirm') => ({
  kind,
  picture: (await photo({ seed })).toString('base64'),
});

/** A member hands one in, through the service itself; answers its id. */
export async function handInEvidence(
  { app }: Service,
  { memberId }: { readonly memberId: string },
  { orderId, kind, seed = 1 }: { orderId: string; kind: EvidenceKind; seed?: number },
): Promise<string> {
  const { picture } = await handingIn(seed);
  const once = { commandId: randomUUID(), mayBeDone: false };
  const caller = { actor: { kind: 'member', id: memberId }, once, boundKey: null } as const;
  const handedIn = { orderId: id<OrderId>(orderId), kind, picture };
  const work = await addEvidence(app.deps, memberId, handedIn);
  const { evidenceId } = await doWrite(app.deps, caller, work);
  return evidenceId;
}
