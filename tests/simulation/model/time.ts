import { assign, deadline, withdraw } from './clock.ts';
import type { Follow, Model, ModelOrder } from './state.ts';
import { MINUTE } from './tables.ts';

const isWaiting = ({ terms, status, account }: ModelOrder) =>
  terms.kind === 'Withdrawal' && status === 'Awaiting' && account;

/**
 * Offers waiting withdrawals to members, the oldest first. Done at once when a member comes online
 * or has room again (states.md#awaiting, states.md#manualreview).
 */
function serveWaiting(model: Model, follow: Follow): void {
  for (const order of model.orders.filter(isWaiting)) assign(model, order, follow);
}

/** Takes unpaid deposits from members and accounts that an operator has withdrawn. */
export function leaveWithdrawn(model: Model, follow: Follow): void {
  for (const order of model.orders) withdraw(model, order, follow);
}

/** Lets time pass: deadlines in their order, and once a minute an offer of what waits. */
export function elapse(model: Model, until: number, follow: Follow): void {
  for (;;) {
    const due = model.orders.filter(({ dueAt }) => dueAt !== null && dueAt <= model.now);
    for (const order of due.toSorted(
      (left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0) || left.number - right.number,
    ))
      deadline(model, order, follow);
    serveWaiting(model, follow);
    if (model.now >= until) return;
    const deadlines = model.orders.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));
    const minute = model.orders.some(isWaiting) ? [model.now + MINUTE] : [];
    model.now = Math.min(until, ...deadlines, ...minute);
  }
}
