import { describe, expect, test } from 'vitest';
import { zonesAhead } from './calendar.ts';
import { readOrderSearch } from './order-search.ts';

/** 12:00 in Karachi on 22 January 2026. */
const NOW = Date.parse('2026-01-22T07:00:00Z');
const read = (text: string) => readOrderSearch(text, { now: NOW, zones: zonesAhead(300) });
const shown = (periods: readonly { from: number; to: number }[] | null) =>
  periods?.map(({ from, to }) => [new Date(from).toISOString(), new Date(to).toISOString()]);

describe('what is looked for', () => {
  test.each([
    ['K7M2QX', 'K7M2QX'],
    ['k7m2qx', 'K7M2QX'],
    ['-K7M2QX', 'K7M2QX'],
    ['20260122070000-K7M2QX', 'K7M2QX'],
    ['ORD-20260122070000-K7M2QX', 'K7M2QX'],
    ['KILOQX', 'K110QX'],
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
    ['abc', null, null],
    ['x'.repeat(51), null, null],
  ])('of %j the account %j and the transaction %j', (text, account, transaction) => {
    expect(read(text)).toMatchObject({ account, transaction });
  });

  test('four to twenty digits are those that a customer entered', () => {
    expect(read('1234').digits).toEqual(['1234']);
    expect(read('123').digits).toEqual([]);
    expect(read('12 34-56').digits).toEqual(['123456']);
    expect(read('T1234567').digits).toEqual([]);
    expect(read('1'.repeat(21)).digits).toEqual([]);
  });

  test('of a whole transaction ID the customer entered the end; a short end is only for open orders', () => {
    expect(read('98765432109')).toMatchObject({
      digits: ['98765432109', '432109', '5432109', '65432109'],
      openDigits: ['2109', '32109'],
    });
    expect(read('87654321')).toMatchObject({ digits: ['87654321'], openDigits: [] });
  });

  test.each([
    ['2500', 25_000_000n],
    ['2,500.50', 25_005_000n],
    ['PKR 2500', 25_000_000n],
    ['1,00,000', 1_000_000_000n],
    ['१०००', 10_000_000n],
    ['۲٬۵۰۰', 25_000_000n],
    ['99999999999999.9999', 999_999_999_999_999_999n],
    ['0', null],
    ['2,50', null],
    ['2500.12345', null],
    ['-2500', null],
    ['2500 apples', null],
  ])('the amount of "%s" is %s', (text, amount) => {
    expect(read(text).amount).toBe(amount);
  });

  test('an order id in any case', () => {
    const id = '019BE3C0-0000-7000-8000-00000000000A';
    expect(read(id).orderId).toBe(id.toLowerCase());
    expect(read('019be3c0').orderId).toBeNull();
  });
});

describe('an amount with a time', () => {
  test('is of the last seven days at that time where the asker is, the payment soon after creation', () => {
    const { amount, created } = read('2500 10:40');
    expect(amount).toBe(25_000_000n);
    expect(created).toHaveLength(7);
    expect(shown(created)?.[0]).toEqual(['2026-01-22T04:40:00.000Z', '2026-01-22T05:50:00.000Z']);
    expect(shown(created)?.[6]).toEqual(['2026-01-16T04:40:00.000Z', '2026-01-16T05:50:00.000Z']);
  });

  test('with a date is of that day, all of it without a time', () => {
    expect(shown(read('PKR 2,500 2026-01-20').created)).toEqual([
      ['2026-01-19T19:00:00.000Z', '2026-01-20T19:00:00.000Z'],
    ]);
    expect(shown(read('2500 2026-01-20 0:30').created)).toEqual([
      ['2026-01-19T18:30:00.000Z', '2026-01-19T19:40:00.000Z'],
    ]);
  });

  test.each(['2500 24:00', '2500 10:60', '2500 2026-13-01', 'many 10:40'])('%j is none', (text) => {
    expect(read(text)).toMatchObject({ amount: null, created: null });
  });
});
