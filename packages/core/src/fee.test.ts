import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FeeRule, quoteFee, settlementOf } from './fee.ts';
import { ORDER_TYPES, type OrderType, WALLET_TYPES, type WalletType } from './method.ts';
import { AMOUNT_MAX, FACTOR_ONE, formatMoney, money, parseFactor } from './money.ts';

interface Written {
  readonly merchant?: string;
  readonly type?: OrderType;
  readonly method?: WalletType;
  readonly fixed?: string;
  readonly percent?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly from?: string;
  readonly to?: string;
}

const amountOr = (text: string | undefined) => (text === undefined ? null : money(text));
const rule = ({
  merchant,
  type = 'Deposit',
  method = 'ProviderA',
  fixed = '0',
  percent = '0',
  minimum,
  maximum,
  from,
  to,
}: Written): FeeRule => ({
  feeRuleId: 'f',
  merchantId: merchant ?? null,
  orderType: type,
  walletType: method,
  fixed: money(fixed),
  percent: parseFactor(percent) as bigint,
  minimum: amountOr(minimum),
  maximum: amountOr(maximum),
  fromAmount: amountOr(from),
  toAmount: amountOr(to),
});

const quote = (
  amount: string,
  rules: readonly Written[],
  walletType: WalletType = 'ProviderA',
  orderType: OrderType = 'Deposit',
) => {
  const fee = quoteFee(
    { merchantId: 'mer1', orderType, walletType, amount: money(amount) },
    rules.map(rule),
  );
  return fee === null ? null : formatMoney(fee);
};

describe('a rule for ProviderA or ProviderB also prices deposits of its family that have no rule of their own', () => {
  const families: [method: WalletType, byProviderA: boolean, byProviderB: boolean][] = [
    ['ProviderA', true, false],
    ['ProviderATillID', true, false],
    ['ProviderAQR', true, false],
    ['ProviderB', false, true],
    ['TillID', false, false],
    ['ProviderBQR', false, true],
    ['BankAccount', false, false],
  ];
  test.each(families)(
    '%s deposits: by ProviderA %s, by ProviderB %s',
    (method, byProviderA, byProviderB) => {
      expect(quote('100', [{ method: 'ProviderA', fixed: '1' }], method)).toBe(
        byProviderA ? '1' : null,
      );
      expect(quote('100', [{ method: 'ProviderB', fixed: '1' }], method)).toBe(
        byProviderB ? '1' : null,
      );
    },
  );

  test.each(WALLET_TYPES)(
    '%s keeps its own rule where it has one, regardless of its family’s',
    (method) => {
      const family: Written[] = [
        { method: 'ProviderA', fixed: '9' },
        { method: 'ProviderB', fixed: '9' },
      ];
      const own = { method, fixed: '1' };
      const others = family.filter((each) => each.method !== method);
      expect(quote('100', [own, ...others], method)).toBe('1');
      expect(quote('100', [...others, own], method)).toBe('1');
    },
  );

  test.each(WALLET_TYPES)('withdrawals by %s inherit nothing', (method) => {
    for (const parent of ['ProviderA', 'ProviderB'] as const) {
      if (parent !== method)
        expect(
          quote('100', [{ type: 'Withdrawal', method: parent, fixed: '1' }], method, 'Withdrawal'),
        ).toBeNull();
    }
  });

  test('rules are per order type', () => {
    expect(quote('100', [{ type: 'Withdrawal', fixed: '1' }])).toBeNull();
    expect(quote('100', [{ type: 'Deposit', fixed: '1' }], 'ProviderA', 'Withdrawal')).toBeNull();
  });
});

describe('the merchant’s rules come before the platform’s', () => {
  const rows: [text: string, rules: Written[], fee: string | null][] = [
    ['merchant before platform', [{ fixed: '1' }, { merchant: 'mer1', fixed: '2' }], '2'],
    ['in either order', [{ merchant: 'mer1', fixed: '2' }, { fixed: '1' }], '2'],
    ['another merchant’s rule prices nothing', [{ merchant: 'mer2', fixed: '2' }], null],
    [
      'another merchant’s rule does not hide the platform’s',
      [{ merchant: 'mer2', fixed: '2' }, { fixed: '1' }],
      '1',
    ],
    [
      'a merchant’s rule that gives nothing hides the platform’s',
      [{ merchant: 'mer1' }, { fixed: '1' }],
      '0',
    ],
  ];
  test.each(rows)('%s', (_, rules, fee) => expect(quote('100', rules)).toBe(fee));

  test('the merchant’s family rule beats the platform’s own-method rule', () => {
    const rules = [
      { method: 'ProviderAQR', fixed: '1' },
      { merchant: 'mer1', method: 'ProviderA', fixed: '2' },
    ] as const;
    expect(quote('100', rules, 'ProviderAQR')).toBe('2');
    expect(
      quote(
        '100',
        [...rules, { merchant: 'mer1', method: 'ProviderAQR', fixed: '3' }],
        'ProviderAQR',
      ),
    ).toBe('3');
  });
});

describe('a band includes fromAmount and excludes toAmount', () => {
  const rows: [amount: string, fee: string | null][] = [
    ['99.9999', null],
    ['100', '1'],
    ['199.9999', '1'],
    ['200', '2'],
    ['1000000', '2'],
  ];
  test.each(rows)('%s → %s', (amount, fee) => {
    const bands = [
      { from: '100', to: '200', fixed: '1' },
      { from: '200', fixed: '2' },
    ];
    expect(quote(amount, bands)).toBe(fee);
  });

  test('a band without a lower end, and an amount that only the platform’s rule covers', () => {
    expect(quote('0.0001', [{ to: '5', fixed: '0.0001' }])).toBe('0.0001');
    expect(quote('50', [{ merchant: 'mer1', from: '100', fixed: '1' }, { fixed: '2' }])).toBe('2');
  });
});

describe('the calculation', () => {
  const rows: [text: string, amount: string, rule: Written, fee: string][] = [
    ['percent: 2 is 2 %', '1500', { percent: '2' }, '30'],
    ['fixed + percent', '1500', { fixed: '5', percent: '2' }, '35'],
    ['a percentage with eight decimals', '1000000', { percent: '0.00000001' }, '0.0001'],
    ['half up: 0.00005', '0.01', { percent: '0.5' }, '0.0001'],
    ['half up: just below the half', '0.0099', { percent: '0.5' }, '0'],
    ['half up: 1.23455', '123.455', { percent: '1' }, '1.2346'],
    [
      'rounded once: fixed and percent together',
      '0.0149',
      { fixed: '0.0001', percent: '1' },
      '0.0002',
    ],
    ['the minimum lifts', '100', { percent: '1', minimum: '5' }, '5'],
    ['above the minimum', '1000', { percent: '1', minimum: '5' }, '10'],
    ['below the maximum', '1000', { percent: '1', maximum: '50' }, '10'],
    ['between both', '1000', { percent: '1', minimum: '5', maximum: '50' }, '10'],
    ['the minimum itself', '100', { percent: '5', minimum: '5' }, '5'],
    ['the maximum caps', '100000', { percent: '1', maximum: '50' }, '50'],
    ['the maximum itself', '5000', { percent: '1', maximum: '50' }, '50'],
    [
      'the clamp is of fixed + percent',
      '100',
      { fixed: '10', percent: '1', maximum: '10.5' },
      '10.5',
    ],
    ['a rule that gives nothing is 0', '100', {}, '0'],
    ['the largest amount', '99999999999999.9999', { percent: '100' }, '99999999999999.9999'],
  ];
  test.each(rows)('%s', (_, amount, written, fee) => expect(quote(amount, [written])).toBe(fee));

  test('no rule is null, a rule that gives nothing is 0', () => {
    expect(quote('100', [])).toBeNull();
    expect(quote('100', [{}])).toBe('0');
  });

  test('I5: a deposit’s fee is capped at its amount, a withdrawal’s is not', () => {
    for (const written of [{ fixed: '500' }, { percent: '101' }, { minimum: '100.0001' }]) {
      expect(quote('100', [written])).toBe('100');
      expect(
        Number(quote('100', [{ ...written, type: 'Withdrawal' }], 'ProviderA', 'Withdrawal')),
      ).toBeGreaterThan(100);
    }
  });

  test('I5: 0 ≤ fee ≤ amount for any deposit and any rule; the choice does not depend on the order of the rules', () => {
    const cents = fc.bigInt(0n, 10n ** 9n);
    const maybe = fc.option(cents);
    const rules = fc.array(
      fc.record({
        feeRuleId: fc.constant('f'),
        merchantId: fc.constantFrom(null, 'mer1', 'mer2'),
        orderType: fc.constantFrom(...ORDER_TYPES),
        walletType: fc.constantFrom(...WALLET_TYPES),
        fixed: cents,
        percent: fc.bigInt(0n, 200n * FACTOR_ONE),
        minimum: maybe,
        maximum: fc.constant(null),
        fromAmount: fc.constant(null),
        toAmount: fc.constant(null),
      }),
      { maxLength: 6 },
    );
    const slot = ({ merchantId, orderType, walletType }: FeeRule) =>
      `${merchantId} ${orderType} ${walletType}`;
    fc.assert(
      fc.property(
        rules,
        fc.constantFrom(...WALLET_TYPES),
        fc.bigInt(1n, AMOUNT_MAX),
        (written, walletType, amount) => {
          const distinct = [...new Map(written.map((each) => [slot(each), each])).values()];
          const asked = { merchantId: 'mer1', orderType: 'Deposit', walletType, amount } as const;
          const fee = quoteFee(asked, distinct);
          expect(quoteFee(asked, distinct.toReversed())).toBe(fee);
          if (fee !== null) expect(fee >= 0n && fee <= amount).toBe(true);
        },
      ),
    );
  });
});

describe('what an order moves, in PKR', () => {
  const rows: [
    type: OrderType,
    amount: string,
    fee: string | null,
    rate: string,
    settlement: string,
    float: string,
  ][] = [
    ['Deposit', '100', '2', '1', '98', '100'],
    ['Withdrawal', '100', '2', '1', '102', '100'],
    ['Deposit', '100', null, '1', '100', '100'],
    ['Withdrawal', '100', null, '1', '100', '100'],
    ['Deposit', '100', '100', '1', '0', '100'],
    ['Deposit', '100', '2', '3.34', '327.32', '334'],
    ['Withdrawal', '100', '2', '3.34', '340.68', '334'],
    // (1 − 0.5) × 0.00005 is 0.000025: down to 0; rounding amount and fee apart would give 0.0001 −
    // 0
    ['Deposit', '1', '0.5', '0.00005', '0', '0.0001'],
    // (0.5 + 0.5) × 0.00005 is exactly half: up to 0.0001; rounding amount and fee apart would give
    // 0 + 0
    ['Withdrawal', '0.5', '0.5', '0.00005', '0.0001', '0'],
    ['Deposit', '0.0001', null, '0.3', '0', '0'],
    [
      'Withdrawal',
      '99999999999999.9999',
      '0.0001',
      '2.5',
      '250000000000000',
      '249999999999999.9998',
    ],
  ];
  test.each(rows)(
    '%s of %s, fee %s, at %s: %s on the wallet, %s on the float',
    (orderType, amount, fee, rate, settlement, float) => {
      const moved = settlementOf({
        orderType,
        amount: money(amount),
        fee: amountOr(fee ?? undefined),
        rate: parseFactor(rate) as bigint,
      });
      expect([formatMoney(moved.settlementAmount), formatMoney(moved.floatAmount)]).toEqual([
        settlement,
        float,
      ]);
    },
  );
});
