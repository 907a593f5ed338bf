import { expect, test } from 'vitest';
import { withFloat, withSums } from './step.ts';
import { member } from './testing/literals.ts';

/** Only what had already happened overdraws, and only below what is held or reserved. */
const ROWS: readonly [
  balance: bigint,
  held: bigint,
  was: boolean,
  happened: boolean,
  overdrawn: boolean,
][] = [
  [99n, 100n, false, true, true],
  [100n, 100n, false, true, false],
  [101n, 100n, false, true, false],
  [-1n, 0n, false, true, true],
  [0n, 0n, false, true, false],
  [99n, 100n, true, false, true],
  [100n, 100n, true, false, false],
  [101n, 100n, true, false, false],
  [99n, 100n, false, false, false],
];

test.each(ROWS)(
  'a float of %s, of which %s is held; before %s, happened %s: overdrawn %s',
  (floatBalance, floatHeld, was, happened, overdrawn) => {
    const before = { ...member({ memberId: 'm1' }), floatOverdrawn: was };
    expect(withFloat(before, { floatBalance, floatHeld }, happened)).toEqual({
      ...before,
      floatBalance,
      floatHeld,
      floatOverdrawn: overdrawn,
    });
  },
);

test('what is not said to have happened has not', () => {
  const low = withFloat(member({ memberId: 'm1' }), { floatBalance: 1n, floatHeld: 2n });
  const wallet = { merchantId: 'mer1', balance: 0n, reserved: 0n, frozen: 0n, overdrawn: false };
  const short = withSums(wallet, { balance: 1n, reserved: 2n, frozen: 0n });
  expect([low.floatOverdrawn, short.overdrawn]).toEqual([false, false]);
});

test.each(ROWS)(
  'a wallet of %s, of which %s is reserved; before %s, happened %s: overdrawn %s',
  (balance, reserved, was, happened, overdrawn) => {
    const before = { merchantId: 'mer1', balance: 0n, reserved: 0n, frozen: 5n, overdrawn: was };
    expect(withSums(before, { balance, reserved, frozen: 7n }, happened)).toEqual({
      merchantId: 'mer1',
      balance,
      reserved,
      frozen: 7n,
      overdrawn,
    });
  },
);
