import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settlementOf } from './fee.ts';
import { ORDER_TYPES, type OrderType } from './method.ts';
import { AMOUNT_MAX, formatMoney, money } from './money.ts';
import { adjustmentMoves, floatMoves, settlementMoves } from './posting.ts';

type Moves = ReturnType<typeof floatMoves>;
const written = ({ wallet, frozen, memberFloat, fees, adjustments }: Moves) =>
  [wallet, frozen, memberFloat, fees, adjustments].map(formatMoney);
const total = ({ wallet, frozen, memberFloat, fees, adjustments }: Moves) =>
  wallet + frozen + memberFloat + fees + adjustments;

describe('what settles a completed order', () => {
  const rows: [
    text: string,
    type: OrderType,
    settlement: string,
    float: string,
    member: boolean,
    moves: string[],
  ][] = [
    [
      'a deposit of 100 with a fee of 2',
      'Deposit',
      '98',
      '100',
      true,
      ['98', '0', '-100', '2', '0'],
    ],
    ['a deposit without fee', 'Deposit', '100', '100', true, ['100', '0', '-100', '0', '0']],
    [
      'a deposit whose fee takes it all',
      'Deposit',
      '0',
      '100',
      true,
      ['0', '0', '-100', '100', '0'],
    ],
    ['a deposit that nobody held', 'Deposit', '98', '100', false, ['98', '0', '0', '2', '-100']],
    [
      'a withdrawal of 100 with a fee of 2',
      'Withdrawal',
      '102',
      '100',
      true,
      ['-102', '0', '100', '2', '0'],
    ],
    ['a withdrawal without fee', 'Withdrawal', '100', '100', true, ['-100', '0', '100', '0', '0']],
    [
      'a withdrawal that nobody held',
      'Withdrawal',
      '102',
      '100',
      false,
      ['-102', '0', '0', '2', '100'],
    ],
  ];
  test.each(rows)('%s', (_, orderType, settlement, float, member, moves) => {
    const posted = settlementMoves(
      { orderType, settlementAmount: money(settlement), floatAmount: money(float) },
      member,
    );
    expect(written(posted)).toEqual(moves);
    expect(total(posted)).toBe(0n);
  });
});

describe('an operator’s adjustment; frozen money has left the balance', () => {
  test.each([
    ['credit', ['7.5', '0', '0', '0', '-7.5']],
    ['debit', ['-7.5', '0', '0', '0', '7.5']],
    ['freeze', ['-7.5', '7.5', '0', '0', '0']],
    ['unfreeze', ['7.5', '-7.5', '0', '0', '0']],
  ] as const)('%s', (kind, moves) =>
    expect(written(adjustmentMoves(kind, money('7.5')))).toEqual(moves),
  );

  test('float goes against the adjustments account', () => {
    expect(written(floatMoves(money('-7.5')))).toEqual(['0', '0', '-7.5', '0', '7.5']);
  });
});

test('I11: every posting sums to zero, and its fees are never negative, for any amount, fee and rate', () => {
  const rows = fc.record({
    orderType: fc.constantFrom(...ORDER_TYPES),
    amount: fc.bigInt(1n, AMOUNT_MAX),
    share: fc.bigInt(0n, 100n),
    rate: fc.bigInt(1n, 10n ** 12n),
  });
  fc.assert(
    fc.property(rows, fc.boolean(), ({ orderType, amount, share, rate }, member) => {
      const order = {
        orderType,
        ...settlementOf({ orderType, amount, fee: (amount * share) / 100n, rate }),
      };
      const posted = settlementMoves(order, member);
      expect(total(posted)).toBe(0n);
      expect(posted.fees >= 0n).toBe(true);
      expect(member ? posted.adjustments : posted.memberFloat).toBe(0n);
    }),
  );
});
