import { describe, expect, test } from 'vitest';
import { zonesAhead } from './calendar.ts';
import {
  kindsOfSearch,
  MERCHANTS_SEARCH_BY,
  ORDER_SEARCH_KINDS,
  readOrderSearch,
} from './order-search.ts';
import { INCOMING, OUTGOING } from './testdata/payment-texts.ts';
import { transactionKey } from './transaction-id.ts';

/** 12:00 in Karachi on 22 January 2026. */
const NOW = Date.parse('2026-01-22T07:00:00Z');
const read = (text: string) => readOrderSearch(text, { now: NOW, zones: zonesAhead(300) });
const shown = (periods: readonly { from: number; to: number }[] | null) =>
  periods?.map(({ from, to }) => [new Date(from).toISOString(), new Date(to).toISOString()]);

describe('what is looked for', () => {
  test.each(
    [...OUTGOING, ...INCOMING]
      .filter(([, , ids]) => ids.length === 1)
      .map(([, text, [id]]) => [text, id]),
  )('a payment message by its transaction: %s', (text, id = '') => {
    expect(read(text).transaction).toBe(transactionKey(id));
  });

  test.each([
    ['K7M2QX', 'K7M2QX'],
    ['k7m2qx', 'K7M2QX'],
    ['-K7M2QX', 'K7M2QX'],
    ['20260122070000-K7M2QX', 'K7M2QX'],
    ['ORD-20260122070000-K7M2QX', 'K7M2QX'],
    ['KILOQX', 'K110QX'],
    ['#K7M2QX', 'K7M2QX'],
    ['ord 20260122070000 k7m2qx', 'K7M2QX'],
    ['ORD20260122070000K7M2QX', 'K7M2QX'],
    ['“ORD-20260122070000-K7M2QX”', 'K7M2QX'],
    ['Salam, ORD-20260122070000-K7M2QX: customer ko nahi mila', 'K7M2QX'],
    ['\u202aORD\u201320260122070000\u2011K7M2\u200bQX\u202c', 'K7M2QX'],
    ['K7M2Q', null],
    ['K7M2QX1', null],
  ])('the end of a reference in %j: %j', (text, end) => {
    expect(read(text).shortEnd).toBe(end);
  });

  test.each([
    ['0300 123-4567', '3001234567', '03001234567'],
    ['+92 300.1234567', '3001234567', '923001234567'],
    ['pk36 SCBL 0000', 'PK36SCBL0000', 'PK36SCBL0000'],
    ['۰۳۰۰ ۱۲۳', '0300123', '0300123'],
    ['TID: 28311906999', 'TID:28311906999', '28311906999'],
    [
      'You have received Rs 2,500 from ALI 03001234567.\nTrx ID 31500123456. Bal Rs 912.33',
      null,
      '31500123456',
    ],
    ['abc', null, null],
    ['x'.repeat(51), null, null],
  ])('of %j the account %j and the transaction %j', (text, account, transaction) => {
    expect(read(text)).toMatchObject({ account, transaction });
  });

  test('four to twenty digits are those that a customer entered', () => {
    expect(read('1234').digits?.ofAny).toEqual(['1234']);
    expect(read('123').digits).toBeNull();
    expect(read('12 34-56').digits?.ofAny).toEqual(['123456']);
    expect(read('T1234567').digits).toBeNull();
    expect(read('1'.repeat(21)).digits).toBeNull();
  });

  test('of a whole transaction ID the customer entered the end; a short end is only for open orders', () => {
    expect(read('98765432109').digits).toEqual({
      ofAny: ['98765432109', '432109', '5432109', '65432109'],
      ofOpen: ['2109', '32109'],
    });
    expect(read('87654321').digits).toEqual({ ofAny: ['87654321'], ofOpen: [] });
  });

  test.each([
    ['2500', 25_000_000n],
    ['2,500.50', 25_005_000n],
    ['PKR 2500', 25_000_000n],
    ['1,00,000', 1_000_000_000n],
    ['PKR\u00a02,500.50', 25_005_000n],
    ['PKR 5 000', 50_000_000n],
    ['5 000', 50_000_000n],
    ['PKR 5,000/-', 50_000_000n],
    ['Rs. 2,500', 25_000_000n],
    ['2500 taka', 25_000_000n],
    ['৳২,৫০০', 25_000_000n],
    ['500/=', 5_000_000n],
    ['१०००', 10_000_000n],
    ['۲٬۵۰۰', 25_000_000n],
    ['99999999999999.9999', 999_999_999_999_999_999n],
    ['0', null],
    ['2,50', null],
    ['2500.12345', null],
    ['-2500', null],
    ['2500 apples', null],
  ])('the amount of "%s" is %s', (text, amount) => {
    expect(read(text).amount?.value ?? null).toBe(amount);
  });

  test.each([
    ['bilal', 'bilal', 'bilal', null],
    ['بلال', 'بلال', 'بلال', null],
    ['INV-10', 'INV-10', 'INV-10', null],
    ['al', null, null, null],
    ['1001', null, '1001', '1001'],
    ['۱۰۰۱', null, '۱۰۰۱', '1001'],
    ['0300 1001', null, '0300 1001', null],
    ['123', null, '123', null],
    ['…4567', null, '…4567', '4567'],
    ['**** 4567', null, '**** 4567', '4567'],
    ['xxxx4567', 'xxxx4567', 'xxxx4567', '4567'],
    [' Ayesha\u00a0 \u200bKhan', 'Ayesha Khan', 'Ayesha Khan', null],
    ['10', null, null, null],
  ])('%j may be the name %j, the part %j and the last four %j', (text, name, part, end) => {
    const { customerName, referencePart, accountEnd, ...others } = read(text);
    expect([others.name, customerName]).toEqual([name, name]);
    expect([referencePart, accountEnd]).toEqual([part, end]);
  });

  test('a whole reference is meant as typed and as it is seen, in any case', () => {
    expect(read('inv\u20117').reference).toEqual([
      ...['inv\u20117', 'INV\u20117', 'inv-7', 'INV-7'],
    ]);
  });

  test('the end of a merchant’s reference has four characters or more', () => {
    expect(read('1001').merchantReferenceEnd).toBe('1001');
    expect(read('101').merchantReferenceEnd).toBeNull();
  });

  test('says by which of the kinds that are allowed a text is looked for', () => {
    expect(kindsOfSearch(read('4711'), ORDER_SEARCH_KINDS)).toEqual([
      ...['reference', 'merchantReferenceEnd', 'account', 'accountEnd', 'transaction', 'digits'],
      ...['amount', 'referencePart'],
    ]);
    expect(kindsOfSearch(read('Bilal'), MERCHANTS_SEARCH_BY)).toEqual([
      ...['reference', 'merchantReferenceEnd', 'referencePart'],
    ]);
  });

  test('an order id in any case', () => {
    const id = '019BE3C0-0000-7000-8000-00000000000A';
    expect(read(id).orderId).toBe(id.toLowerCase());
    expect(read(`https://pay.example/pay/${id}?expires=1&token=x`).orderId).toBe(id.toLowerCase());
    expect(read('019be3c0').orderId).toBeNull();
  });
});

describe('an amount with a time', () => {
  test('is of the last seven days at that time where the asker is, the payment soon after creation', () => {
    const { value, created = null } = read('2500 10:40').amount ?? {};
    expect(value).toBe(25_000_000n);
    expect(created).toHaveLength(7);
    expect(shown(created)?.[0]).toEqual(['2026-01-22T04:40:00.000Z', '2026-01-22T05:50:00.000Z']);
    expect(shown(created)?.[6]).toEqual(['2026-01-16T04:40:00.000Z', '2026-01-16T05:50:00.000Z']);
  });

  test('with a date is of that day, all of it without a time', () => {
    expect(shown(read('PKR 2,500 2026-01-20').amount?.created ?? null)).toEqual([
      ['2026-01-19T19:00:00.000Z', '2026-01-20T19:00:00.000Z'],
    ]);
    expect(shown(read('2500 2026-01-20 0:30').amount?.created ?? null)).toEqual([
      ['2026-01-19T18:30:00.000Z', '2026-01-19T19:40:00.000Z'],
    ]);
  });

  test.each(['2500 24:00', '2500 10:60', '2500 2026-13-01', 'many 10:40'])('%j is none', (text) => {
    expect(read(text).amount).toBeNull();
  });
});
