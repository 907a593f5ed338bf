import { addOf, type CustomerNote } from './customer-says.ts';
import { end } from './endings.ts';
import { eligible, giveBack, take } from './matching.ts';
import { feeOf } from './money.ts';
import {
  type Cause,
  type Follow,
  type Model,
  type ModelOrder,
  no,
  ok,
  type Verdict,
} from './state.ts';
import { CONFIRMATION_MS, isOver, METHOD, type Method, PAYOUT_MS, WAIT_MS } from './tables.ts';

/** What a customer does on the page. */
export type CustomerAct =
  | CustomerNote
  | { readonly act: 'open'; readonly order: number }
  | { readonly act: 'switch'; readonly order: number; readonly method: Method }
  | { readonly act: 'payer'; readonly order: number; readonly valid: boolean }
  | { readonly act: 'confirm-payment'; readonly order: number; readonly digits: number }
  | { readonly act: 'account'; readonly order: number; readonly valid: boolean }
  | { readonly act: 'cancel-by-customer'; readonly order: number };

const UNPAID = ['Awaiting', 'Queued', 'AwaitingCustomerPayment'];
const HOUR_24 = 24 * 3_600_000;

/** Nothing changes; the service may answer or refuse. */
const unchanged = (...causes: Cause[]): Verdict => no('ok', ...causes);

/** So many digits, as customers of the simulation enter them. */
export const digitsOf = (count: number): string => '123456789'.slice(0, count);

export const hasExpired = (model: Model, { createdAt }: ModelOrder): boolean =>
  model.now >= createdAt + 15 * 60_000;

/** Whether the page shows this order at all. */
export function isShown(model: Model, order: ModelOrder): boolean {
  if (!hasExpired(model, order)) return true;
  const acted = order.terms.kind === 'Deposit' ? order.sentAt !== null : order.accountByPage;
  const endedAt = order.completedAt ?? order.failedAt;
  return acted && (endedAt === null || model.now < endedAt + HOUR_24);
}

export function customer(model: Model, asked: CustomerAct, follow: Follow): Verdict {
  const order = model.orders[asked.order];
  if (order === undefined) return no('not-found');
  switch (asked.act) {
    case 'open':
      return open(model, order, follow);
    case 'switch':
      return switchMethod(model, order, asked.method, follow);
    case 'payer':
      return namePayer(model, order, asked.valid);
    case 'confirm-payment':
      return confirmPayment(model, order, asked.digits);
    case 'account':
      return submitAccount(model, order, asked.valid, follow);
    case 'cancel-by-customer':
      return cancel(model, order);
    case 'customer-note':
      return addOf(model, order, asked);
  }
}

/** The customer opens the page (states.md#deposits, page.md#the-link, states.md#queued). */
function open(model: Model, order: ModelOrder, follow: Follow): Verdict {
  if (order.status !== 'Awaiting' && order.status !== 'Queued') return unchanged();
  if (order.terms.kind === 'Withdrawal') return unchanged('expired');
  if (hasExpired(model, order)) return no('expired');
  if (!METHOD[order.method].onPage) return ok(order);
  if (order.member === null) {
    const holders = eligible(model, order);
    if (holders.length === 0) return ok(order);
    take(model, order, follow(order, holders));
    order.dueAt = order.createdAt + 15 * 60_000;
  }
  order.status = 'AwaitingCustomerPayment';
  return ok(order);
}

/** Up to 20 times, and only to a method that somebody can take (page.md#the-link). */
function switchMethod(model: Model, order: ModelOrder, method: Method, follow: Follow): Verdict {
  const merchant = model.merchants[order.merchant];
  const causes: Cause[] = [];
  if (order.terms.kind === 'Withdrawal' || !UNPAID.includes(order.status)) causes.push('state');
  if (hasExpired(model, order)) causes.push('expired');
  if (!METHOD[method].onPage || merchant?.depositMethods.includes(method) !== true)
    causes.push('input');
  if (causes.length > 0) return no(...causes);
  if (order.member !== null && order.method === method) {
    order.status = 'AwaitingCustomerPayment';
    return ok(order);
  }
  const switches = order.switches + (order.method === method ? 0 : 1);
  if (switches > 20) return no('state');
  const holders = eligible(model, order, { method });
  if (holders.length === 0) return no('nobody');
  const holder = follow(order, holders);
  giveBack(order);
  order.method = method;
  order.switches = switches;
  order.fee = feeOf(
    model,
    { merchant: order.merchant, kind: 'Deposit', method, amount: order.amount },
    order.createdAt,
  );
  order.payer = false;
  order.status = 'AwaitingCustomerPayment';
  take(model, order, holder);
  return ok(order);
}

/** The payer's account for a QR code (merchant-api.md#payment-methods). */
function namePayer(model: Model, order: ModelOrder, valid: boolean): Verdict {
  const causes: Cause[] = [];
  if (order.status !== 'AwaitingCustomerPayment' || METHOD[order.method].asks !== 'payer')
    causes.push('state');
  if (hasExpired(model, order)) causes.push('expired');
  if (!valid) causes.push('input');
  if (causes.length > 0) return no(...causes);
  order.payer = true;
  return ok(order);
}

function confirmPayment(model: Model, order: ModelOrder, digits: number): Verdict {
  if (order.terms.kind === 'Deposit' && order.sentAt !== null) return unchanged('state', 'expired');
  const causes: Cause[] = [];
  if (order.status !== 'AwaitingCustomerPayment') causes.push('state');
  if (hasExpired(model, order)) causes.push('expired');
  if (METHOD[order.method].asks === 'payer' && !order.payer) causes.push('state');
  if (METHOD[order.method].asks === 'digits' && digits !== order.asked.digits) causes.push('input');
  if (causes.length > 0) return no(...causes);
  order.status = 'AwaitingMemberConfirmation';
  order.sentAt = model.now;
  if (METHOD[order.method].asks === 'digits') order.digits = digitsOf(digits);
  order.dueAt = model.now + CONFIRMATION_MS;
  return ok(order);
}

/** The customer submits an account (states.md#withdrawals, states.md#awaiting). */
function submitAccount(model: Model, order: ModelOrder, valid: boolean, follow: Follow): Verdict {
  if (order.terms.kind === 'Withdrawal' && order.account) return unchanged('state', 'expired');
  const causes: Cause[] = [];
  if (order.terms.kind === 'Deposit' || isOver(order.status)) causes.push('state');
  if (hasExpired(model, order)) causes.push('expired');
  if (!valid) causes.push('input');
  if (causes.length > 0) return no(...causes);
  order.account = true;
  order.accountByPage = true;
  const holders = eligible(model, order);
  if (holders.length === 0) {
    order.dueAt = model.now + WAIT_MS;
    return ok(order);
  }
  take(model, order, follow(order, holders));
  order.status = 'AwaitingMemberPayout';
  order.dueAt = model.now + PAYOUT_MS;
  return ok(order);
}

/** Before confirming, or before submitting the account. */
function cancel(model: Model, order: ModelOrder): Verdict {
  if (order.status === 'CancelledAuto') return unchanged('state', 'expired');
  const causes: Cause[] = [];
  if (
    order.terms.kind === 'Withdrawal'
      ? order.status !== 'Awaiting' || order.account
      : !UNPAID.includes(order.status)
  )
    causes.push('state');
  if (hasExpired(model, order)) causes.push('expired');
  if (causes.length > 0) return no(...causes);
  end(model, order, 'CancelledAuto', null);
  return ok(order);
}
