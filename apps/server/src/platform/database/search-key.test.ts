import { accountKey, DASHES, NUMBER_SEPARATORS, SCRIPT_DIGITS, transactionKey } from '@munshi/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clone, cloneDatabase } from '../../../../../tests/support/database.ts';
import { ENDED_OR_LEGACY } from '../../engine/rows/order-statuses.ts';
import { accountKeyOf, transactionKeyOf } from './search-key.ts';

let clone: Clone;
beforeAll(async () => {
  clone = await cloneDatabase();
});
afterAll(() => clone.drop());

describe('a key in SQL is the one of core', () => {
  test('of account numbers, in any script and with anything between', async () => {
    const part = fc.constantFrom(
      ...['+92', '0092', '0', '3001234567', '91', '9812345678', '880', '1712345678', '(0)'],
      ...['PK36SCBL0000001123456702', 'a.b@okbank', "O'Neill", '۰۳', '\\'],
      ...['@', '.', '-'],
      ...DASHES,
      ...NUMBER_SEPARATORS,
      ...SCRIPT_DIGITS,
    );
    const texts = fc.sample(
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
      3_000,
    );
    const { rows } = await clone.database.pool.query<{ text: string; key: string }>(
      `select text, ${accountKeyOf('text')} as key from unnest($1::text[]) as text`,
      [texts],
    );
    for (const { text, key } of rows) expect(key, JSON.stringify(text)).toBe(accountKey(text));
  });

  test('of transactions as they are stored', async () => {
    const stored = ['28311906999', 'TX-99.887/766', 'BHK3A7QX2M', 'FT24011/ABC'];
    const { rows } = await clone.database.pool.query<{ text: string; key: string }>(
      `select text, ${transactionKeyOf('text')} as key from unnest($1::text[]) as text`,
      [stored],
    );
    expect(rows.map(({ key }) => key)).toEqual(stored.map(transactionKey));
  });
});

test.each([
  [
    'orders_ended_account_key',
    `select order_id from orders
     where ${accountKeyOf('coalesce(customer_account_number, payer_account)')} = 'x'
       and coalesce(customer_account_number, payer_account) is not null
       and status in ${ENDED_OR_LEGACY}
     order by order_id desc`,
  ],
  [
    'member_accounts_key',
    `select account_id from member_accounts where ${accountKeyOf('account_number')} = 'x'`,
  ],
])('the index %s is over this expression', async (name, query) => {
  const client = await clone.database.pool.connect();
  try {
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${query}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(name);
    expect(plan).toMatch(/Index Cond: \(regexp_replace\(/);
  } finally {
    client.release(true);
  }
});
