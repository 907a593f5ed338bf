/**
 * Moves an order of a sandbox to a status: the shortest way of core's `stepTowards`, step by step,
 * each an ordinary command of the person or the time that would take it. Webhooks, ledger, history
 * and fees are what they would be; no other order and no clock moves (testing.md).
 */

import { randomUUID } from 'node:crypto';
import {
  asksPayer,
  type Command,
  type CustomerAction,
  type Decision,
  LEFT_ALONE,
  METHODS,
  needOf,
  needOfAnother,
  type Order,
  PAGE_METHODS,
  type ReasonCode,
  type SandboxTrigger,
  type Status,
  stepTowards,
} from '@munshi/core';
import { commandFor, type Fields } from '../orders/customer-commands.ts';
import { findOrder } from '../orders/store.ts';
import { found } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';

type Deps = Pick<ServiceDeps, 'database' | 'engine'>;

export interface AskedMove {
  readonly to: Status;
  readonly reason?: string | undefined;
  readonly reasonCode?: ReasonCode | null;
}

/** A developer's own service moves orders too; nothing else of a sandbox is there. */
export const movesOrders = (deps: { readonly sandbox: boolean; readonly production: boolean }) =>
  deps.sandbox || !deps.production;

/** Who decides in a sandbox what operators do. */
export const SANDBOX_OPERATOR = {
  kind: 'operator',
  id: 'sandbox',
  name: 'Sandbox',
  address: '',
} as const;
const DECIDED = { actor: SANDBOX_OPERATOR, sumOf: null, asked: null, memberId: null };

/** What is given for the customer: the order stays where it was moved to. */
const PAYER = { accountNumber: `0300000${LEFT_ALONE}`, ibanLast4: LEFT_ALONE };

/** No order goes further: from `Awaiting` to a late confirmation. */
const STEPS_MAX = 8;

/** Undefined once it is there; otherwise why it is not. Throws `not-found`. */
export async function moveOrder(
  deps: Deps,
  orderId: string,
  asked: AskedMove,
): Promise<string | undefined> {
  const read = async () => found(await findOrder(deps.database.pool, orderId), 'Order').order;
  let order = await read();
  const cannot = (why = '') => `${order.status} cannot become ${asked.to}${why}.`;
  for (let steps = 0; order.status !== asked.to; steps++) {
    const step = stepTowards(order, asked.to);
    if (step === undefined || steps === STEPS_MAX) return cannot();
    const objection = await TAKE[step.trigger](deps, order, asked);
    const before = order;
    order = await read();
    if (order.status === before.status && !gotAccount(before, order))
      return cannot(`: ${(objection ?? 'no member can take it').replace(/\.$/, '')}`);
  }
  return undefined;
}

const gotAccount = (before: Order, after: Order) =>
  before.customerAccountNumber === null && after.customerAccountNumber !== null;

/** Hands a payout to another member before its time ends, as a member who does not pay would. */
export const passOn = (deps: Deps, order: Order): Promise<string | undefined> =>
  submit(deps, { ...early(order), need: needOfAnother(order) });

type Take = (deps: Deps, order: Order, asked: AskedMove) => Promise<string | undefined>;

/** Each answers what was refused. */
const TAKE: Readonly<Record<SandboxTrigger, Take>> = {
  'customer-opened-page': open,
  'customer-submitted-account': (deps, order) =>
    byCustomer(deps, order, 'account', { ...PAYER, accountName: 'Sandbox Customer' }),
  async 'customer-confirmed'(deps, order) {
    const digits = LEFT_ALONE.padStart(order.txnRefDigitsRequired, '1');
    if (!asksPayer(order)) return byCustomer(deps, order, 'confirm', { transactionDigits: digits });
    const given = order.payerAccount === null ? payerOf(order) : undefined;
    const refused = given && (await byCustomer(deps, order, 'payer', given));
    return refused ?? byCustomer(deps, order, 'confirm', {});
  },
  'customer-cancelled': (deps, order) => byCustomer(deps, order, 'cancel', {}),
  'member-found': (deps, order) =>
    submit(deps, { kind: 'assign-waiting', ...identity(order), need: needOf(order) }),
  'member-confirmed': (deps, order) =>
    submit(deps, {
      ...{ kind: 'member-confirm', ...byMember(order) },
      ...{ receivedAmount: null, transactionReference: null },
    }),
  'member-rejected': (deps, order, { reason = 'rejected in the sandbox', reasonCode = null }) =>
    submit(deps, { kind: 'member-reject', ...byMember(order), reason, reasonCode }),
  'link-expired': (deps, order) => submit(deps, early(order)),
  'wait-timed-out': (deps, order) => submit(deps, early(order)),
  'operator-cancelled': (deps, order, asked) =>
    submit(deps, { kind: 'operator-cancel', ...byOperator(order, asked) }),
  'operator-escalated': (deps, order, asked) =>
    submit(deps, { kind: 'operator-escalate', ...byOperator(order, asked) }),
  'operator-resolved': (deps, order, asked) =>
    submit(deps, {
      ...{ kind: 'operator-resolve', ...byOperator(order, asked) },
      outcome: asked.to === 'Cancelled' ? 'Cancelled' : 'Completed',
    }),
  'operator-confirmed': (deps, order, asked) =>
    submit(deps, { kind: 'operator-confirm', ...byOperator(order, asked) }),
};

/** A method that is not on the page opens on the list of the others: the first that works is taken. */
async function open(deps: Deps, order: Order): Promise<string | undefined> {
  if (METHODS[order.walletType].onPage) return byCustomer(deps, order, 'open', {});
  let refused: string | undefined;
  for (const walletType of PAGE_METHODS) {
    refused = await byCustomer(deps, order, 'method', { walletType });
    if (refused === undefined) return undefined;
  }
  return refused;
}

const payerOf = ({ walletType }: Order): Fields =>
  METHODS[walletType].submission === 'payerAccount'
    ? { accountNumber: PAYER.accountNumber }
    : { ibanLast4: PAYER.ibanLast4 };

async function byCustomer(
  deps: Deps,
  order: Order,
  action: CustomerAction,
  fields: Fields,
): Promise<string | undefined> {
  const command = commandFor(action, order, fields);
  if (command === 'nothing') return undefined;
  return 'kind' in command ? submit(deps, command) : command.message;
}

async function submit({ engine }: Deps, command: Command): Promise<string | undefined> {
  const decision: Decision<unknown> = await engine.submit(command);
  return decision.ok ? undefined : decision.refusal.message;
}

const identity = ({ orderId }: Order) => ({ commandId: randomUUID(), orderId });
const byMember = (order: Order) => ({ ...identity(order), memberId: order.memberId as string });
const byOperator = (order: Order, { reason = 'Moved in the sandbox' }: AskedMove) => ({
  ...identity(order),
  ...DECIDED,
  note: reason,
});
const early = (order: Order) =>
  ({ kind: 'pass-deadline', ...identity(order), need: undefined, early: true }) as const;
