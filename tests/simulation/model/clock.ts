import { end } from './endings.ts';
import { eligible, giveBack, take } from './matching.ts';
import { type Follow, type Model, type ModelOrder, no, ok, type Verdict } from './state.ts';
import { PAYOUT_MS, REASON } from './tables.ts';

/** What happens to one order as time passes and members come and go. */
export interface ClockAct {
  readonly act: 'deadline' | 'assign' | 'withdraw';
  readonly order: number;
}

export function clock(model: Model, asked: ClockAct, follow: Follow): Verdict {
  const order = model.orders[asked.order];
  if (order === undefined) return no('not-found');
  const does = { deadline, assign, withdraw };
  does[asked.act](model, order, follow);
  return ok(order);
}

/** What happens when links expire and windows pass, to the millisecond. */
export function deadline(model: Model, order: ModelOrder, follow: Follow): void {
  if (order.dueAt === null || model.now < order.dueAt) return;
  switch (order.status) {
    case 'Awaiting':
      end(
        model,
        order,
        'CancelledTimeout',
        order.terms.kind === 'Withdrawal' && !order.account ? REASON.noAccount : REASON.nobody,
      );
      break;
    case 'Queued':
    case 'AwaitingCustomerPayment':
      end(model, order, 'Expired', REASON.unpaid);
      break;
    case 'AwaitingMemberConfirmation':
      review(order);
      break;
    case 'AwaitingMemberPayout':
      reassign(model, order, follow);
      break;
    default:
  }
}

function review(order: ModelOrder): void {
  order.status = 'ManualReview';
  order.dueAt = null;
}

/**
 * Gives the order to another member than its holder, those who have not held it yet first, at most
 * `maxRetryCount` times, and else to the operators (states.md#awaitingmemberpayout).
 */
function reassign(model: Model, order: ModelOrder, follow: Follow): void {
  const had = order.takes.map(({ member }) => member);
  const fresh = eligible(model, order, { excluded: had });
  const others = fresh.length > 0 ? fresh : eligible(model, order, { excluded: had.slice(-1) });
  const holders = order.reassignments >= order.asked.retries ? [] : others;
  if (holders.length === 0) {
    review(order);
    return;
  }
  const holder = follow(order, holders);
  if (order.member !== null) order.former.push(order.member);
  giveBack(order);
  take(model, order, holder);
  order.reassignments += 1;
  order.dueAt = model.now + PAYOUT_MS;
}

/**
 * Offers a waiting withdrawal to members: once a minute, and when one comes online or has room
 * again (states.md#awaiting).
 */
export function assign(model: Model, order: ModelOrder, follow: Follow): void {
  if (order.terms.kind !== 'Withdrawal' || order.status !== 'Awaiting' || !order.account) return;
  if (order.dueAt !== null && model.now >= order.dueAt) return;
  const holders = eligible(model, order);
  if (holders.length === 0) return;
  take(model, order, follow(order, holders));
  order.status = 'AwaitingMemberPayout';
  order.dueAt = model.now + PAYOUT_MS;
}

/** Takes an unpaid deposit from a member or account that was withdrawn. */
export function withdraw(model: Model, order: ModelOrder, follow: Follow): void {
  if (
    (order.status !== 'Queued' && order.status !== 'AwaitingCustomerPayment') ||
    order.member === null
  )
    return;
  const member = model.members[order.member];
  if (member?.active === true && member.accounts[order.memberAccount ?? '']?.approved === true)
    return;
  if (order.status === 'AwaitingCustomerPayment') {
    end(model, order, 'CancelledAuto', null);
    return;
  }
  const holders = eligible(model, order);
  giveBack(order);
  if (holders.length > 0) take(model, order, follow(order, holders));
}
