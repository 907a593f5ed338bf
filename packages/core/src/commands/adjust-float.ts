import type { Outcome } from '../approval.ts';
import { audited, forOperators } from '../audit.ts';
import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import {
  askedWith,
  decided,
  type MayWait,
  movedBy,
  movedToday,
  needsSecondOperator,
  newApproval,
  refuseApproval,
  sumKeys,
} from '../four-eyes.ts';
import type { Member } from '../matching.ts';
import { formatMoney, type Money } from '../money.ts';
import { floatMoves, PLATFORM_MERCHANT_ID, type Posting } from '../posting.ts';
import { withFloat } from '../step.ts';

/**
 * An operator adds to a member's float or, with a negative amount, takes from it. The command's id
 * becomes the posting's.
 */
export interface AdjustFloat extends MayWait {
  readonly kind: 'adjust-float';
  readonly commandId: string;
  readonly memberId: string;
  /** Wallet currency. */
  readonly amount: Money;
  readonly reason: string;
  /** Of the operator who approves it. */
  readonly note?: string | null;
}

/** Done, or waiting for the approval of this request. */
export type FloatAdjustment = { readonly member: Member } & Outcome<'applied'>;

export const keys = ({
  memberId,
  commandId,
  approvalId = commandId,
  sumOf,
}: AdjustFloat): Keys => ({
  memberIds: [memberId],
  approvalOf: approvalId,
  sumsOf: sumKeys(sumOf),
});

/** Float that open deposits hold cannot be taken. */
export function decide(command: AdjustFloat, view: View, ctx: Context): Decision<FloatAdjustment> {
  const member = view.member(command.memberId);
  if (member === undefined) return refuse('not-found', 'Member not found.');
  const { actor, amount, approvalId, commandId, memberId, reason, sumOf } = command;
  const { note = null } = command;
  const free = member.floatBalance - member.floatHeld;
  if (amount < 0n && free + amount < 0n)
    return refuse('unprocessable', `Only ${formatMoney(free)} PKR of this member's float is free.`);

  const [approval] =
    approvalId === undefined ? [] : view.pendingApprovals('float-adjustment', approvalId);
  if (approvalId !== undefined && approval === undefined)
    return refuse('wrong-state', 'No such request waits for approval.');
  const refused = approval && refuseApproval(approval, actor, ctx.now);
  if (refused !== undefined) return refused;
  const moved = amount < 0n ? -amount : amount;
  const act = {
    kind: 'float-adjustment',
    amount: moved,
    today: movedToday(sumOf, view, ctx.now),
  } as const;
  if (approval === undefined && needsSecondOperator(view.settings, act))
    return request(command, member, ctx);

  const adjusted = withFloat(member, {
    floatBalance: member.floatBalance + amount,
    floatHeld: member.floatHeld,
  });
  const posting: Posting = {
    merchantId: PLATFORM_MERCHANT_ID,
    postingId: commandId,
    kind: 'float',
    orderId: null,
    memberId,
    ...floatMoves(amount),
    note: reason, // the member reads it: who asked and approved is in the audit log alone
    postedAt: ctx.now,
  };
  const detail = { amount: formatMoney(amount), reason, ...(approval && askedWith(approval)) };
  const audit = audited('member.float', memberId, detail, command, ctx);
  const two =
    approval === undefined
      ? { moved: movedBy(sumOf, view, moved, ctx.now) }
      : { approvals: [decided(approval, 'done', actor, note, ctx)] };
  return accept(
    { status: 'applied', approvalId: null, member: adjusted },
    { members: [adjusted], posting, audit, ...two },
  );
}

/** Leaves the float as it is until another operator approves. */
function request(command: AdjustFloat, member: Member, ctx: Context): Decision<FloatAdjustment> {
  const { commandId, memberId, reason } = command;
  const amount = formatMoney(command.amount);
  const asks = { memberId, amount, reason, ...forOperators(command) };
  const approval = newApproval('float-adjustment', commandId, commandId, asks, command, ctx.now);
  const detail = { approvalId: commandId, amount, reason };
  const audit = audited('member.float-request', memberId, detail, command, ctx);
  return accept(
    { status: 'pendingApproval', approvalId: commandId, member },
    { approvals: [approval], audit },
  );
}
