import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { statements } from '../../../apps/server/src/platform/database/statement.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { explainGenerically } from '../../support/plans.ts';
import { serviceTest } from '../../support/service-test.ts';

/** The same payment, said to be made for two orders, is reported and never refused. */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service);

async function newMember(methods?: readonly string[]) {
  const password = randomUUID();
  const given = { password, online: false, float: '1000000', maxOpenOrders: 100 };
  const member = await createMember(service, { ...given, ...(methods && { methods }) } as never);
  const client = memberClient(service.url, await signInMember(service, member, password));
  return { ...member, client };
}
type Member = Awaited<ReturnType<typeof newMember>>;
const [first, second] = [await newMember(), await newMember()];

/** A deposit that comes to this member, whose customer has confirmed it. */
async function paidTo(member: Member, transactionDigits: string, amount = 100) {
  await setPresence(service, member.memberId, true);
  const order = await createOrder(merchant, { amount });
  await openPage(order).data('open');
  expect(await openPage(order).data('confirm', { transactionDigits })).toMatchObject({
    status: 'AwaitingMemberConfirmation',
  });
  await setPresence(service, member.memberId, false);
  return order;
}

const seenBy = async ({ client }: Member, { orderId }: { readonly orderId: string }) =>
  (await client.data('GET', `/orders/${orderId}`)).duplicates;
/** What operators see of them, among what is like the order in other ways. */
const shownToOperators = async ({ orderId }: { readonly orderId: string }) =>
  (await operator.get(`/orders/${orderId}`)).data.similar
    .filter(
      ({ likenesses }: Alike) => likenesses.includes('digits') || likenesses.includes('payer'),
    )
    .map((order: Alike) => order.orderId) as readonly string[];
interface Alike {
  readonly orderId: string;
  readonly likenesses: readonly string[];
}
const NONE = { own: [], elsewhere: false };

test('the same digits on one account are reported, for any amounts, also in the list', async () => {
  const earlier = await paidTo(first, '1111', 100);
  const later = await paidTo(first, '1111', 250);
  const shown = (order: typeof later, amount: number) => ({
    orderId: order.orderId,
    orderReference: order.orderReference,
    amount,
    currency: 'PKR',
    status: 'AwaitingMemberConfirmation',
    sentAt: expect.stringMatching(/Z$/),
  });
  expect(await seenBy(first, later)).toEqual({ own: [shown(earlier, 100)], elsewhere: false });
  expect(await seenBy(first, earlier)).toEqual({ own: [shown(later, 250)], elsewhere: false });
  const { json } = await first.client.call('GET', '/orders');
  const listed = json.data.find(({ orderId }: { orderId: string }) => orderId === later.orderId);
  expect(listed.duplicates.own).toEqual([shown(earlier, 100)]);
  expect(await shownToOperators(later)).toEqual([earlier.orderId]);
});

test('of another member’s order a member learns that there is one; operators see it whole', async () => {
  const theirs = await paidTo(first, '2222', 300);
  const own = await paidTo(second, '2222', 300);
  expect(await seenBy(second, own)).toEqual({ own: [], elsewhere: true });
  expect(await shownToOperators(own)).toEqual([theirs.orderId]);
});

test('the same digits on another account with another amount are chance', async () => {
  await paidTo(first, '3333', 100);
  const other = await paidTo(second, '3333', 101);
  expect(await seenBy(second, other)).toEqual(NONE);
  expect(await shownToOperators(other)).toEqual([]);
});

test('after 24 hours digits may come again', async () => {
  const yesterday = await paidTo(first, '4444');
  await advance(service, 24 * 3_600 - 60);
  const near = await paidTo(first, '4444');
  expect(await shownToOperators(near)).toEqual([yesterday.orderId]);
  await advance(service, 120);
  const far = await paidTo(first, '4444');
  expect(await shownToOperators(far)).toEqual([near.orderId]);
});

test('the same QR payer and amount are reported; to operators still when the member has decided', async () => {
  const member = await newMember(['ProviderAQR']);
  const pay = async (accountNumber: string, amount: number) => {
    await setPresence(service, member.memberId, true);
    const order = await createOrder(merchant, { walletType: 'ProviderAQR', amount });
    await openPage(order).data('open');
    await openPage(order).data('payer', { accountNumber });
    await openPage(order).data('confirm');
    return order;
  };
  const one = await pay('03001234567', 70);
  const two = await pay('+92\u00a0300\u20111234567', 70);
  expect((await seenBy(member, two)).own).toMatchObject([{ orderId: one.orderId }]);
  await pay('03001234567', 71);
  await pay('03007654321', 70);
  expect(await shownToOperators(two)).toEqual([one.orderId]);
  const done = await member.client.data('POST', `/orders/${two.orderId}/confirm`);
  expect(done).toMatchObject({ status: 'Completed', duplicates: NONE });
  expect(await seenBy(member, two)).toEqual(NONE);
  expect(await shownToOperators(two)).toHaveLength(1);
});

test('an order that nobody has paid yet has none', async () => {
  await setPresence(service, first.memberId, true);
  const order = await createOrder(merchant, { amount: 55 });
  await openPage(order).data('open');
  expect(await seenBy(first, order)).toEqual(NONE);
  await setPresence(service, first.memberId, false);
});

test('they are found by what the customer entered, not among all orders', async () => {
  const client = await service.database.pool.connect();
  const rows = await explainGenerically(client, statements.get('duplicates') as string);
  client.release(true);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  for (const index of ['orders_pkey', 'orders_digits', 'orders_payer'])
    expect(plan).toMatch(new RegExp(`(using|on) ${index}`));
  expect(plan).not.toContain('Seq Scan');
});
