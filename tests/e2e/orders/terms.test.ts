import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advance, createMerchant, createOrder, type TestMerchant } from '../../support/fixtures.ts';
import { get, postOrder } from '../../support/merchant-client.ts';
import { type Service, startService } from '../../support/service.ts';

/**
 * Servers keep what orders are admitted and priced by. However it is changed, every
 * server's next order goes by it.
 */

let services: readonly [Service, Service];
beforeAll(async () => {
  const first = await startService();
  services = [first, await startService({}, first)];
});
afterAll(async () => {
  await services[1].close();
  await services[0].close();
});

const DEPOSIT = { orderType: 'Deposit', amount: 100, walletType: 'ProviderA' } as const;
const sql = (text: string, values: readonly unknown[] = []) =>
  services[0].database.pool.query(text, [...values]);
/** The merchant, as a caller of each server; both have taken an order of it. */
async function known(): Promise<readonly TestMerchant[]> {
  const merchant = await createMerchant(services[0]);
  const callers = services.map(({ url }) => ({ ...merchant, url }));
  for (const caller of callers) await createOrder(caller, DEPOSIT);
  return callers;
}

test.each([
  ['suspended', `update merchants set status = 'suspended' where merchant_id = $1`, 403],
  ['without the method', `update merchants set deposit_methods = '{}' where merchant_id = $1`, 422],
  ['with no active key', 'update api_keys set revoked_at = now() where merchant_id = $1', 401],
])('a merchant %s', async (_name, change, status) => {
  const callers = await known();
  await sql(change, [callers[0]?.merchantId]);
  for (const [at, caller] of callers.entries())
    expect(await postOrder(caller, { ...DEPOSIT, amount: 200 + at })).toMatchObject({ status });
});

test('fee rules that begin and end', async () => {
  const callers = await known();
  const feeOf = async (caller: TestMerchant) => {
    const { orderId } = await createOrder(caller, DEPOSIT);
    return (await get(caller, `/orders/${orderId}/status`)).json.data.fee;
  };
  const rule = `insert into fee_rules (fee_rule_id, merchant_id, order_type, wallet_type, fixed, percent, valid_from) values ($1, $2, 'Deposit', 'ProviderA', 7, 0, '2020-01-01')`;
  await sql(rule, [randomUUID(), callers[0]?.merchantId]);
  for (const caller of callers) expect(await feeOf(caller)).toBe(7);
  await sql(
    `update fee_rules set valid_until = now() - interval '1 second' where merchant_id = $1`,
    [callers[0]?.merchantId],
  );
  for (const caller of callers) expect(await feeOf(caller)).toBeNull();
});

test('the lifetime of payment pages', async () => {
  const callers = await known();
  const { rows } = await sql('select payment_page_ttl_seconds as ttl from settings');
  await sql('update settings set payment_page_ttl_seconds = 120');
  for (const caller of callers) {
    const { expiresAt } = await createOrder(caller, DEPOSIT);
    expect(Date.parse(expiresAt) - services[0].app.deps.clock.now()).toBeLessThanOrEqual(120_000);
  }
  await sql('update settings set payment_page_ttl_seconds = $1', [rows[0].ttl]);
});

test('exchange rates, also one that begins later', async () => {
  const callers = await known();
  await sql(`update merchants set currencies = '{PKR,INR}' where merchant_id = $1`, [
    callers[0]?.merchantId,
  ]);
  const rateOf = async (caller: TestMerchant) => {
    const { orderId } = await createOrder(caller, { ...DEPOSIT, currency: 'INR' });
    return (await sql('select rate::text from orders where order_id = $1', [orderId])).rows[0].rate;
  };
  const now = services[0].app.deps.clock.now();
  const rates = `insert into exchange_rates (currency, valid_from, rate) values ('INR', $1, 3.1), ('INR', $2, 3.2)`;
  await sql(rates, [new Date(now - 1).toISOString(), new Date(now + 60_000).toISOString()]);
  for (const caller of callers) expect(await rateOf(caller)).toBe('3.10000000');
  await advance(services[0], 60);
  for (const caller of callers)
    await expect.poll(() => rateOf(caller), { interval: 50 }).toBe('3.20000000');
});
