import { end } from './endings.ts';
import { type MemberSaying, say } from './member-says.ts';
import type { Arrived } from './money.ts';
import { type Cause, type Model, type ModelOrder, no, ok, type Verdict } from './state.ts';

/** What a member does with an order. `amount` is what arrived, where they say so. */
export type MemberAct =
  | MemberSaying
  | {
      readonly act: 'member-confirm';
      readonly order: number;
      readonly member: string;
      readonly amount: Arrived | null;
    }
  | {
      readonly act: 'member-reject' | 'member-report' | 'member-release';
      readonly order: number;
      readonly member: string;
    };

/** These move the order. */
const MOVES = ['member-confirm', 'member-reject', 'member-report', 'member-release'];
const isSaying = (asked: MemberAct): asked is MemberSaying => !MOVES.includes(asked.act);

const DECIDED = ['AwaitingMemberConfirmation', 'AwaitingMemberPayout'];

export function member(model: Model, asked: MemberAct): Verdict {
  // This comes first, also for a request that was under way when the member was suspended (decision
  // 1).
  if (model.members[asked.member]?.active === false) return no('inactive');
  const order = model.orders[asked.order];
  if (order === undefined) return no('not-found');
  if (isSaying(asked)) return say(model, order, asked);
  const held = order.takes.some((take) => take.member === asked.member);
  const holds = order.member === asked.member;
  if (!holds && !held) return no('not-found');
  if (asked.act === 'member-report') return report(model, order, asked.member);
  // Who held it before and does not hold it now changes nothing (S9). The specification leaves open
  // whether they still see it.
  if (!holds) return no('state', 'not-found');
  switch (asked.act) {
    case 'member-confirm':
      return confirm(model, order, asked.amount);
    case 'member-reject':
      if (order.status === 'Rejected') return no('ok', 'state');
      if (!DECIDED.includes(order.status)) return no('state');
      end(model, order, 'Rejected', 'rejected by the member');
      return ok(order);
    case 'member-release':
      if (order.status === 'Cancelled') return no('ok', 'state');
      if (order.status !== 'Queued' && order.status !== 'AwaitingCustomerPayment')
        return no('state');
      end(model, order, 'Cancelled', 'released by the member');
      return ok(order);
  }
}

/** The member confirms a receipt or a payout (states.md#awaitingmemberconfirmation). */
function confirm(model: Model, order: ModelOrder, amount: Arrived | null): Verdict {
  const causes: Cause[] = [];
  if (amount === 'wrong') causes.push('beyond');
  if (!DECIDED.includes(order.status)) causes.push('state');
  if (order.status === 'Completed') return no('ok', ...causes);
  if (causes.length > 0) return no(...causes);
  end(model, order, 'Completed', null);
  return ok(order);
}

/**
 * The member reports an abnormal payment; a former member's report is kept with an order in review
 * (states.md#withdrawals, states.md#awaitingmemberpayout).
 */
function report(model: Model, order: ModelOrder, member: string): Verdict {
  const holds = order.member === member;
  if (order.terms.kind === 'Deposit') return holds ? no('state') : no('state', 'not-found');
  if (order.status === 'ManualReview') {
    const text = 'reported by the member';
    const said = order.notes.some((note) => note.by === member && note.kind === 'report');
    if (!said) order.notes.push({ by: member, kind: 'report', amount: null, text, at: model.now });
    return ok(order);
  }
  if (order.status !== 'AwaitingMemberPayout')
    return holds ? no('state') : no('state', 'not-found');
  order.status = 'ManualReview';
  order.dueAt = null;
  return ok(order);
}
