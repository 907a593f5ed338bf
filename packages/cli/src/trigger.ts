import { randomInt, randomUUID } from 'node:crypto';
import { MOVES, STATUSES, type Status } from '@munshi/core';
import { type Client, type NewOrder, NotFoundError } from '../../sdk/src/index.ts';

/** What an order can become; the others are older. */
export const TRIGGERED: readonly Status[] = STATUSES.filter((status) =>
  MOVES.some(({ to }) => to === status),
);

/** A status as one types it: `manual-review`, `ManualReview`. Undefined when there is none. */
export const readStatus = (text: string): Status | undefined =>
  TRIGGERED.find((status) => status.toLowerCase() === text.replaceAll('-', '').toLowerCase());

export interface TriggerOptions {
  readonly to: Status;
  /** orderId or orderReference; without it an order is made. */
  readonly order?: string | undefined;
  /** The order that is made is a withdrawal. */
  readonly withdrawal: boolean;
  readonly reason?: string | undefined;
  readonly json: boolean;
}

/**
 * Takes an order of a sandbox to a status, and prints it. Throws when the service is no sandbox, or
 * refuses.
 */
export async function trigger(
  client: Client,
  { to, order, withdrawal, reason, json }: TriggerOptions,
  print: (line: string) => void,
): Promise<void> {
  await expectSandbox(client);
  const made = order === undefined ? await client.createOrder(newOrder(to, withdrawal)) : undefined;
  const before = await client.orderStatus(order ?? (made as { orderId: string }).orderId);
  const after = await client.sandbox.move(before.orderId, { to, reason });
  if (json) return print(JSON.stringify(after));
  const { orderReference, orderType, amount, currency } = after;
  print(`${orderReference}, a ${orderType.toLowerCase()} of ${amount} ${currency}`);
  if (made) print(`   made for this; its payment page: ${made.paymentPageUrl}`);
  print(`   ${before.status === after.status ? '' : `${before.status} → `}${after.status}`);
}

/** Before an order is made, which would pay real money out elsewhere. */
async function expectSandbox(client: Client): Promise<void> {
  const error = await client.sandbox.move('none', { to: 'Completed' }).catch((thrown) => thrown);
  if (!(error instanceof NotFoundError)) throw error;
  if (error.message !== 'Order not found.')
    throw new Error('the service is no sandbox, so that its orders are moved by people alone');
}

/** In a sandbox, a member does not pay a withdrawal to this account by themselves. */
const ACCOUNT = { customerAccountNumber: '03001230004', customerAccountName: 'Ayesha Khan' };

/** An order that can become this. */
function newOrder(to: Status, withdrawal: boolean): NewOrder {
  // One that waits for its customer's account is `Awaiting`, however many members are free.
  const waits = to === 'Awaiting' || to === 'CancelledTimeout';
  const paysOut = withdrawal || waits || to === 'AwaitingMemberPayout';
  return {
    orderType: paysOut ? 'Withdrawal' : 'Deposit',
    // A member has no two deposits of one amount.
    amount: `${randomInt(100, 1000)}.${randomInt(10, 100)}`,
    walletType: 'ProviderA',
    merchantOrderRef: `trigger-${randomUUID()}`,
    ...(paysOut && !waits && ACCOUNT),
  };
}
