import { randomUUID } from 'node:crypto';
import { handingIn } from '../support/evidence.ts';
import { type CreatedOrder, createOrder } from '../support/fixtures.ts';
import { openPage } from '../support/page-client.ts';
import {
  type Attempts,
  addInApp,
  of,
  ownAlone,
  paid,
  pick,
  type World,
  withdrawal,
} from './insider-world.ts';

/** What a member of the thief's making tries: every write of the member face, over their orders. */

/** A deposit that the member has in hand: of the accomplice, or of a merchant of nobody here. */
async function deposit(world: World): Promise<CreatedOrder> {
  await ownAlone(world);
  const order = await createOrder(pick([world.accomplice, world.merchant]), { amount: 40 });
  await openPage(order).post('open');
  return order;
}
async function paidDeposit(world: World): Promise<CreatedOrder> {
  await ownAlone(world);
  return paid(pick([world.accomplice, world.merchant]));
}
/** Of the accomplice: what a member says of others' payouts is held against their float alone. */
async function payout(world: World): Promise<CreatedOrder> {
  await ownAlone(world);
  return withdrawal(world.accomplice);
}

const about =
  (order: (world: World) => Promise<CreatedOrder>, action: string, body?: object): Attempts =>
  async (world) =>
    of(`/orders/${(await order(world)).orderId}/${action}`, body);

const reason = { reason: 'I say so' };
const phone = async ({ own }: World): Promise<string> =>
  (await own.client.data('GET', '/push')).phones[0]?.subscriptionId ?? randomUUID();

export const MEMBER_ATTEMPTS: Readonly<Record<string, Attempts>> = {
  'POST /presence': async () => of('/presence', { online: pick([true, false]) }),
  'POST /accounts': async () =>
    of('/accounts', { walletType: 'TillID', accountNumber: randomUUID(), accountTitle: 'T' }),
  'PATCH /accounts/:accountId': async (world) =>
    of(`/accounts/${pick([await addInApp(world), world.member.accounts[0]?.accountId])}`, {
      qrAmount: false,
    }),
  'POST /accounts/:accountId/pause': async (world) =>
    of(`/accounts/${await addInApp(world)}/pause`, { paused: false }),
  'POST /accounts/:accountId/stop': async (world) => of(`/accounts/${await addInApp(world)}/stop`),
  'POST /orders/:orderId/confirm': async (world) =>
    of(`/orders/${(await pick([paidDeposit, payout])(world)).orderId}/confirm`, {
      transactionReference: 'T1',
    }),
  'POST /orders/:orderId/reject': async (world) =>
    of(`/orders/${(await pick([paidDeposit, payout])(world)).orderId}/reject`, reason),
  'POST /orders/:orderId/report': about(payout, 'report', reason),
  'POST /orders/:orderId/release': about(deposit, 'release', reason),
  'POST /orders/:orderId/note': about(paidDeposit, 'note', { receivedAmount: 1_000 }),
  'POST /orders/:orderId/money-seen': about(deposit, 'money-seen', {}),
  'POST /orders/:orderId/sending': about(payout, 'sending'),
  'POST /orders/:orderId/seen': about(payout, 'seen'),
  'POST /orders/:orderId/evidence': async (world) =>
    of(`/orders/${(await payout(world)).orderId}/evidence`, await handingIn()),
  'POST /push/subscriptions': async () =>
    of('/push/subscriptions', { endpoint: 'https://push.example/1', keys: KEYS }),
  'POST /push/subscriptions/:subscriptionId/test': async (world) =>
    of(`/push/subscriptions/${await phone(world)}/test`),
  'POST /push/tests/:testId/seen': async () => of(`/push/tests/${randomUUID()}/seen`),
  'DELETE /push/subscriptions/:subscriptionId': async (world) =>
    of(`/push/subscriptions/${await phone(world)}`),
};

const KEYS = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) };
