import { floatOf, settlementOf } from './money.ts';
import type { Model, ModelMerchant, ModelOrder } from './state.ts';
import type { Status } from './tables.ts';

/**
 * Every end of every order: stamps, holder, wallet and float, and the webhook (spec:
 * Wallet effects, Lifecycle, Events; merchant-api.md#order-status).
 */
export function end(
  model: Model,
  order: ModelOrder,
  to: Status,
  reason: string | null,
  settledBy: string | null = order.member,
): void {
  const late = order.failedAt !== null;
  order.status = to;
  order.dueAt = null;
  if (to === 'Completed') {
    order.completedAt = model.now;
    if (order.terms.kind === 'Withdrawal') order.sentAt ??= model.now;
    settle(model, order, settledBy);
    if (settledBy !== null && settledBy !== order.member) {
      // The holder is free of it: neither their float nor their day counts it any more.
      if (!late) returnUsage(order);
      order.member = settledBy;
      order.memberAccount = null;
    }
  } else {
    order.failedAt = model.now;
    if (to === 'Rejected') order.rejectedAt = model.now;
    if (to === 'Cancelled') order.cancelledAt = model.now;
    returnUsage(order);
  }
  if (order.hook)
    order.events.push({
      type: to === 'Completed' ? 'order.completed' : 'order.failed',
      status: to,
      at: model.now,
      reason,
    });
}

function returnUsage({ takes, memberAccount }: ModelOrder): void {
  const last = takes.at(-1);
  if (last !== undefined && memberAccount !== null) last.returned = true;
}

function settle(model: Model, order: ModelOrder, by: string | null): void {
  const sign = order.terms.kind === 'Deposit' ? 1n : -1n;
  (model.merchants[order.merchant] as ModelMerchant).balance += sign * settlementOf(order);
  const member = by === null ? undefined : model.members[by];
  if (member !== undefined) member.float -= sign * floatOf(order);
}
