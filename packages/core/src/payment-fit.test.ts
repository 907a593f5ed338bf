import { expect, test } from 'vitest';
import { money } from './money.ts';
import {
  type ComparedOrder,
  fitRank,
  mayBeAbout,
  onlyIdOf,
  type PaymentFit,
  paymentFit,
  readPaymentMessage,
} from './payment-fit.ts';
import { INCOMING, OUTGOING } from './testdata/payment-texts.ts';

const KARACHI = 5 * 60;
const noon = Date.parse('2026-06-14T12:00:00+05:00');

const deposit = (change: Partial<ComparedOrder> = {}): ComparedOrder => ({
  orderType: 'Deposit',
  amount: money('2500.0000'),
  transactionDigits: '6999',
  createdAt: noon,
  accounts: [],
  names: [],
  ...change,
});
const withdrawal = (change: Partial<ComparedOrder> = {}) =>
  deposit({
    orderType: 'Withdrawal',
    transactionDigits: null,
    accounts: ['03001234567'],
    names: ['Ahmed Raza'],
    ...change,
  });
const fitOf = (order: ComparedOrder, text: string): PaymentFit =>
  paymentFit(order, readPaymentMessage(text, KARACHI));

const FITS: PaymentFit = { amount: 'fits', digits: 'fits', payer: null, way: 'fits', warnings: [] };
const RECEIVED =
  'You have received Rs. 2,500.00 from AHMED RAZA 03001234567 at 14/06/2026 13:45. TID: 28311906999. Balance: Rs. 10,640.55';
const SENT =
  'Rs. 2,500.00 sent to AHMED RAZA 03001234567 at 14/06/2026 13:45. Fee: Rs. 10.00. TID: 28311906999';

test.each<[string, ComparedOrder, string, Partial<PaymentFit>]>([
  ['its own message', deposit(), RECEIVED, {}],
  ['another amount', deposit({ amount: money('2400.0000') }), RECEIVED, { amount: 'differs' }],
  ['what is sent of a fraction', deposit({ amount: money('2499.9912') }), RECEIVED, {}],
  ['other digits', deposit({ transactionDigits: '6998' }), RECEIVED, { digits: 'differs' }],
  ['no digits yet', deposit({ transactionDigits: null }), RECEIVED, { digits: null }],
  [
    'zeros for the digits that a lettered ID lacks',
    deposit({ transactionDigits: '0092' }),
    'You have received Tk 2,500.00 from 01712345678. TrxID BFDKRCX9Z2 at 14/06/2026 13:45',
    {},
  ],
  ['no ID', deposit(), 'You have received Rs. 2,500.00.', { digits: 'noId' }],
  ['the payer’s account', deposit({ accounts: ['03001234567'] }), RECEIVED, { payer: 'fits' }],
  ['the end of their IBAN', deposit({ accounts: ['4567'] }), RECEIVED, { payer: 'fits' }],
  ['their name', deposit({ names: ['Ahmed Raza'] }), RECEIVED, { payer: 'fits' }],
  ['another payer', deposit({ names: ['Ahmed Khan'] }), RECEIVED, { payer: 'absent' }],
  ['an ID that ends as the payer', deposit({ accounts: ['6999'] }), RECEIVED, { payer: 'absent' }],
  [
    'a message of the day before',
    deposit({ createdAt: noon + 86_400_000 }),
    RECEIVED,
    { warnings: ['before'] },
  ],
  ['one of the same minute', deposit({ createdAt: noon + 105 * 60_000 }), RECEIVED, {}],
  ['money that went', deposit(), SENT, { way: 'differs' }],
  [
    'a message that quotes another',
    deposit(),
    'You have received Rs. 1.00 from ALI. TID: 31500123461. Ref: received Rs. 2,500.00 TID: 28311906999',
    { warnings: ['twoAmounts', 'twoIds'] },
  ],
  ['a payout’s own message', withdrawal(), SENT, { digits: null, payer: 'fits' }],
  [
    'money that came, for a payout',
    withdrawal(),
    RECEIVED,
    { digits: null, payer: 'fits', way: 'differs' },
  ],
])('%s', (_what, order, text, differs) => {
  expect(fitOf(order, text)).toEqual({ ...FITS, ...differs });
});

test('what fits better comes first', () => {
  const ranks = [
    fitOf(deposit(), RECEIVED),
    fitOf(deposit(), SENT),
    fitOf(deposit({ transactionDigits: null }), RECEIVED),
    fitOf(deposit({ transactionDigits: '6998' }), RECEIVED),
    fitOf(deposit({ amount: money('9.0000'), transactionDigits: '6998' }), RECEIVED),
  ].map(fitRank);
  expect(ranks).toEqual(ranks.toSorted((left, right) => right - left));
  expect(new Set(ranks).size).toBe(ranks.length);
});

test('an order of which nothing fits is not offered', () => {
  const other = deposit({ amount: money('9.0000'), transactionDigits: '6998' });
  expect(mayBeAbout(fitOf(other, RECEIVED))).toBe(false);
  expect(mayBeAbout(fitOf(other, 'See you at 14:00'))).toBe(false);
});

test('an ID is read where the message has one, and none is guessed', () => {
  const idOf = (text: string) => onlyIdOf(readPaymentMessage(text, KARACHI));
  expect(idOf(RECEIVED)).toBe('28311906999');
  expect(idOf('TID: 28311906999, Trx ID 31500123461')).toBe(null);
  expect(idOf('You have received Rs. 2,500.00.')).toBe(null);
});

/** The order that a sample is about. */
const orderOf = ([, , [id = ''], [amount = '1']]: (typeof INCOMING)[number]) =>
  deposit({
    amount: money(`${Number(amount).toFixed(4)}`),
    transactionDigits: id.replace(/\D/g, '').padStart(4, '0').slice(-4),
    createdAt: Date.parse('2020-01-01'),
  });
const SAMPLES = INCOMING.filter(([, , ids, amounts]) => ids.length === 1 && amounts.length === 1);
const isDoubtful = ({ amount, digits, way, warnings }: PaymentFit) =>
  amount !== 'fits' || digits !== 'fits' || way === 'differs' || warnings.length > 0;

/** What a forger or a mistake makes of a message, 40 of each. */
const PLANTED: Readonly<
  Record<
    string,
    (sample: (typeof INCOMING)[number], at: number) => readonly [ComparedOrder, string]
  >
> = {
  'an edited amount': (sample) => {
    const order = orderOf(sample);
    return [{ ...order, amount: order.amount + 10_000_000n }, sample[1]];
  },
  'an ID of before': (sample, at) => [
    {
      ...orderOf(sample),
      transactionDigits: String(
        (Number(orderOf(sample).transactionDigits) + 1 + at) % 10_000,
      ).padStart(4, '0'),
    },
    sample[1],
  ],
  'money of another account': (sample, at) => {
    const sent = OUTGOING[at % OUTGOING.length] as typeof sample;
    return [orderOf(sample), sent[1]];
  },
  'a reference that quotes a message': (sample) => [
    orderOf(sample),
    `You have received Rs. 1.00 from ALI. TID: 31599123461. Remarks: ${sample[1]}`,
  ],
  'a message from before the order': (sample) => [
    { ...orderOf(sample), createdAt: Date.parse('2027-01-01') },
    `${sample[1]} 01-06-2026`,
  ],
};
const planted = Object.entries(PLANTED).flatMap(([what, plant]) =>
  Array.from({ length: 40 }, (_, at) => {
    const sample = SAMPLES[at % SAMPLES.length] as (typeof SAMPLES)[number];
    return [what, sample[0], ...plant(sample, at)] as const;
  }),
);

test.each(planted)('%s, after %s, never fits without a doubt', (_what, _from, order, text) => {
  expect(isDoubtful(fitOf(order, text))).toBe(true);
});

test('200 messages are planted, and their samples fit without a doubt', () => {
  expect(planted).toHaveLength(200);
  const doubtful = SAMPLES.filter((sample) => isDoubtful(fitOf(orderOf(sample), sample[1])));
  expect(doubtful).toEqual([]);
});
