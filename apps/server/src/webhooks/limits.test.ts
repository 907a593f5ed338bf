import { expect, test } from 'vitest';
import { createLimits, type HostLoad } from './limits.ts';

test('a merchant that has nothing under way at a shared receiver takes none of its room', () => {
  const limits = createLimits();
  const idle = (): HostLoad => ({ count: 0, merchants: new Map() });
  const [own, shared] = [idle(), idle()];
  for (let n = 0; n < 999; n += 1) limits.begin({ deliveryId: `hangs-${n}`, merchantId: 'a' }, own);
  const once = { deliveryId: 'once', merchantId: 'a' };
  limits.begin(once, shared);
  limits.begin({ deliveryId: 'other', merchantId: 'b' }, shared);
  expect(limits.hostRoom(shared)).toBe(0);
  limits.end(once, shared);
  expect(limits.hostRoom(shared)).toBeGreaterThan(50);
});
