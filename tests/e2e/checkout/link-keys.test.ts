import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CreatedOrder,
  createMerchant,
  createOrder,
  signedOrder,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { openPage } from '../../support/page-client.ts';
import { type Service, startService } from '../../support/service.ts';
import { expectSound } from '../../support/verify.ts';

const [OLD, NEW] = ['a1'.repeat(32), 'b2'.repeat(32)] as const;

/**
 * Every step of a rotation as a process of its own beside the others, on one database: what a
 * rolling restart passes through.
 */
const STEPS = {
  derived: {},
  'derived, new': { LINK_KEYS: `derived,${NEW}` },
  'new, derived': { LINK_KEYS: `${NEW},derived` },
  new: { LINK_KEYS: NEW },
  'old, new': { LINK_KEYS: `${OLD},${NEW}` },
} as const;
type Step = keyof typeof STEPS;

const running = {} as Record<Step, Service>;
const merchants = {} as Record<Step, TestMerchant>;
beforeAll(async () => {
  const first = await startService();
  for (const [step, env] of Object.entries(STEPS) as [Step, Record<string, string>][]) {
    running[step] =
      step === 'derived' ? first : await startService({ ...env, ROLES: 'http' }, first);
  }
  const merchant = await createMerchant(first);
  for (const step of Object.keys(STEPS) as Step[])
    merchants[step] = { ...merchant, url: running[step].url };
});
afterAll(async () => {
  const { derived, ...others } = running;
  await expectSound(derived);
  for (const other of Object.values(others)) await other.close();
  await derived.close();
});

/** What a process answers to a link, whichever of them made it. */
async function shown(order: CreatedOrder, step: Step): Promise<number> {
  const { pathname, search } = new URL(order.paymentPageUrl);
  return (await openPage({ paymentPageUrl: `${running[step].url}${pathname}${search}` }).get())
    .status;
}
const shownBy = async (order: CreatedOrder) =>
  Object.fromEntries(
    await Promise.all(
      (Object.keys(STEPS) as Step[]).map(async (step) => [step, await shown(order, step)]),
    ),
  );

test('links of the derived key open while it is listed, first or second, and are refused once it is dropped', async () => {
  const order = await createOrder(merchants.derived);
  expect(await shownBy(order)).toEqual({
    derived: 200,
    'derived, new': 200,
    'new, derived': 200,
    new: 403,
    'old, new': 403,
  });
});

test('while the new key is listed second everywhere, no process makes a link that another refuses', async () => {
  const order = await createOrder(merchants['derived, new']);
  expect(await shownBy(order)).toMatchObject({
    derived: 200,
    'derived, new': 200,
    'new, derived': 200,
  });
});

test('links of the new key open in every process that lists it, and in no other', async () => {
  for (const step of ['new, derived', 'new'] as const) {
    const order = await createOrder(merchants[step]);
    expect(await shownBy(order)).toEqual({
      derived: 403,
      'derived, new': 200,
      'new, derived': 200,
      new: 200,
      'old, new': 200,
    });
  }
});

test('links of a key that was never derived open while it is listed, and are refused without order data once it is dropped', async () => {
  const order = await createOrder(merchants['old, new'], { amount: 777.25 });
  expect(await shownBy(order)).toEqual({
    derived: 403,
    'derived, new': 403,
    'new, derived': 403,
    new: 403,
    'old, new': 200,
  });
  const { pathname, search } = new URL(order.paymentPageUrl);
  const page = openPage({ paymentPageUrl: `${running.new.url}${pathname}${search}` });
  for (const answer of [await page.get(), await page.form('open'), await page.form('cancel')]) {
    expect(answer.status).toBe(403);
    for (const secret of [order.orderReference, 'Test Merchant', '777.25'])
      expect(answer.text).not.toContain(secret);
  }
});

test('one changed byte is refused, whichever key made the link', async () => {
  for (const step of ['derived', 'new, derived', 'old, new'] as const) {
    const { paymentPageUrl } = await createOrder(merchants[step]);
    const last = paymentPageUrl.length - 1;
    for (const at of [last, last - 20, last - 42]) {
      const changed =
        paymentPageUrl.slice(0, at) +
        (paymentPageUrl[at] === 'A' ? 'B' : 'A') +
        paymentPageUrl.slice(at + 1);
      expect((await openPage({ paymentPageUrl: changed }).get()).status).toBe(403);
    }
    expect((await openPage({ paymentPageUrl }).get()).status).toBe(200);
  }
});

test('after a key was cut off, a repeat of the creation answers a link that opens, to the same order and until the same time', async () => {
  const body = {
    orderType: 'Deposit',
    amount: 40,
    walletType: 'ProviderA',
    merchantOrderRef: 'cut off',
  };
  const create = async (step: Step) =>
    (
      (await (await signedOrder(merchants[step], body, { idempotencyKey: 'cut off' })).json()) as {
        data: CreatedOrder;
      }
    ).data;
  const before = await create('derived');
  const after = await create('new');
  expect([after.orderId, after.expiresAt]).toEqual([before.orderId, before.expiresAt]);
  expect([await shown(before, 'new'), await shown(after, 'new')]).toEqual([403, 200]);
});
