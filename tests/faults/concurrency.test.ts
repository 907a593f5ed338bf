import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMember,
  createMerchant,
  floatMember,
  setPresence,
  signBody,
  type TestMerchant,
} from '../support/fixtures.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { type Service, startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';

/** Three server processes on one database: this one, and two of their own. */
let one: Service;
let others: readonly ServerProcess[];
beforeAll(async () => {
  one = await startService();
  others = await Promise.all([startProcess(one), startProcess(one)]);
});
afterAll(async () => {
  expect(await Promise.all(others.map((other) => other.stop()))).toEqual([0, 0]);
  await one.close();
});

interface Answer {
  readonly status: number;
  readonly body: { data?: { orderId: string; status: string }; error?: string; code?: string };
}

const send = async (
  merchant: TestMerchant,
  { url }: { readonly url: string },
  body: string,
  idempotencyKey: string,
): Promise<Answer> => {
  const headers = { 'SVC-API-Key': merchant.apiKey, 'Idempotency-Key': idempotencyKey };
  const response = await fetch(`${url}/api/merchant/orders`, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
};
const deposit = (merchant: TestMerchant, more: object = {}) =>
  signBody(
    {
      orderType: 'Deposit',
      amount: 100,
      walletType: 'ProviderA',
      merchantOrderRef: randomUUID(),
      ...more,
    },
    merchant.signingSecret,
  );
const withdrawal = (merchant: TestMerchant, more: object = {}) =>
  signBody(
    {
      orderType: 'Withdrawal',
      amount: 100,
      walletType: 'ProviderB',
      customerAccountNumber: '03001234567',
      merchantOrderRef: randomUUID(),
      ...more,
    },
    merchant.signingSecret,
  );
const count = (answers: readonly Answer[], by: (answer: Answer) => string | number | undefined) =>
  Object.fromEntries(
    [...Map.groupBy(answers, by)].map(([key, list]) => [String(key), list.length]),
  );

describe.each([
  ['one server', () => [one]],
  ['three server processes at once', () => [one, ...others]],
] as const)('%s', (_name, servers) => {
  const on = (n: number) => servers()[n % servers().length] as { readonly url: string };

  test('500 equal requests at once make one order, and all are answered with it', async () => {
    const merchant = await createMerchant(one);
    const body = deposit(merchant);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => send(merchant, on(n), body, key)),
    );
    expect(count(answers, ({ status }) => status)).toEqual({ 200: 500 });
    expect(new Set(answers.map(({ body: { data } }) => data?.orderId)).size).toBe(1);
    await expectSound(one);
  });

  test('one signed body with many keys at once: one key wins, the rest are replays', async () => {
    const merchant = await createMerchant(one);
    const body = deposit(merchant);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => send(merchant, on(n), body, randomUUID())),
    );
    expect(count(answers, ({ status, body: { code } }) => code ?? status)).toEqual({
      200: 1,
      SIGNATURE_REPLAYED: 99,
    });
    await expectSound(one);
  });

  test('500 withdrawals of 100 + 1 at once on a wallet of 1,000: 9 are accepted', async () => {
    const merchant = await createMerchant(one, { balance: '1000' });
    await one.database.pool.query(
      `insert into fee_rules (fee_rule_id, merchant_id, order_type, wallet_type, fixed, valid_from) values ($1, $2, 'Withdrawal', 'ProviderB', 1, '2020-01-01')`,
      [randomUUID(), merchant.merchantId],
    );
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        send(merchant, on(n), withdrawal(merchant), randomUUID()),
      ),
    );
    expect(count(answers, ({ status }) => status)).toEqual({ 200: 9, 422: 491 });
    const { rows } = await one.database.pool.query(
      'select balance, reserved from merchant_wallets where merchant_id = $1',
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ balance: '1000.0000', reserved: '909.0000' }]);
    await expectSound(one);
  });

  test('one reference with 200 keys at once: one order, 199 conflicts', async () => {
    const merchant = await createMerchant(one);
    const merchantOrderRef = randomUUID();
    const bodies = Array.from({ length: 200 }, (_, n) =>
      deposit(merchant, { merchantOrderRef, customerReference: `customer ${n}` }),
    );
    const answers = await Promise.all(
      bodies.map((body, n) => send(merchant, on(n), body, randomUUID())),
    );
    expect(count(answers, ({ status }) => status)).toEqual({ 200: 1, 409: 199 });
    await expectSound(one);
  });

  test('1,000 deposits at once on one member of capacity 10: 10 are Queued, 990 wait', async () => {
    const merchant = await createMerchant(one);
    const member = await createMember(one, {
      methods: ['BankAccount'],
      maxOpenOrders: 10,
      float: '1000000',
    });
    const bodies = Array.from({ length: 1000 }, () =>
      deposit(merchant, { walletType: 'BankAccount' }),
    );
    const answers = await Promise.all(
      bodies.map((body, n) => send(merchant, on(n), body, randomUUID())),
    );
    expect(count(answers, ({ body }) => body.data?.status)).toEqual({ Queued: 10, Awaiting: 990 });
    await setPresence(one, member.memberId, false);
    await expectSound(one);
  });

  test('float that covers 7 deposits is given to 7 of 50', async () => {
    const merchant = await createMerchant(one);
    const member = await createMember(one, {
      methods: ['ProviderBQR'],
      maxOpenOrders: 1000,
      float: '0',
    });
    await floatMember(one, member.memberId, '799.9999');
    const bodies = Array.from({ length: 50 }, () =>
      deposit(merchant, { walletType: 'ProviderBQR' }),
    );
    const answers = await Promise.all(
      bodies.map((body, n) => send(merchant, on(n), body, randomUUID())),
    );
    expect(count(answers, ({ body }) => body.data?.status)).toEqual({ Queued: 7, Awaiting: 43 });
    await setPresence(one, member.memberId, false);
    await expectSound(one);
  });
});
