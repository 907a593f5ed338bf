import { expect, test } from 'vitest';
import { createLimits, type HostLoad } from './limits.ts';

const idle = (): HostLoad => ({ count: 0, merchants: new Map() });

test('a merchant that has nothing under way at a shared receiver takes none of its room', () => {
  const limits = createLimits();
  const [own, shared] = [idle(), idle()];
  for (let n = 0; n < 999; n += 1) limits.begin({ deliveryId: `hangs-${n}`, merchantId: 'a' }, own);
  const once = { deliveryId: 'once', merchantId: 'a' };
  limits.begin(once, shared);
  limits.begin({ deliveryId: 'other', merchantId: 'b' }, shared);
  expect(limits.hostRoom(shared)).toBe(0);
  limits.end(once, shared);
  expect(limits.hostRoom(shared)).toBeGreaterThan(50);
});

/** Of 800 in all, half are the merchant's; one attempt is under way at the receiver itself. */
test.each([
  [0, 48], // a sixteenth of the free ones
  [300, 24], // a quarter of what its merchant has left
  [392, 1],
  [396, 0],
  [399, 0],
])(
  'beside %i attempts of its merchant elsewhere, a receiver has room for %i more',
  (others, room) => {
    const limits = createLimits(800);
    const [elsewhere, here] = [idle(), idle()];
    for (let n = 0; n < others; n += 1)
      limits.begin({ deliveryId: `other-${n}`, merchantId: 'a' }, elsewhere);
    limits.begin({ deliveryId: 'here', merchantId: 'a' }, here);
    expect(limits.hostRoom(here)).toBe(room);
  },
);
