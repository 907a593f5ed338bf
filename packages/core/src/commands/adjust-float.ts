import { audited } from '../audit.ts';
import {
  type Actor,
  accept,
  type Context,
  type Decision,
  type Keys,
  refuse,
  type View,
} from '../decision.ts';
import {
  decided,
  movedAlone,
  movedOn,
  needsSecondOperator,
  newApproval,
  noteOfTwo,
  type Outcome,
  refuseApproval,
} from '../four-eyes.ts';
import type { Member } from '../matching.ts';
import { formatMoney, type Money } from '../money.ts';
import { floatMoves, PLATFORM_MERCHANT_ID, type Posting } from '../posting.ts';
import { withFloat } from '../step.ts';

/**
 * An operator adds to a member's float or, with a negative amount, takes from it. The command's id
 * becomes the posting's.
 */
export interface AdjustFloat {
  readonly kind: 'adjust-float';
  readonly commandId: string;
  readonly memberId: string;
  /** Wallet currency. */
  readonly amount: Money;
  readonly reason: string;
  /** The request that this carries out, approved by another operator. */
  readonly approvalId?: string;
  readonly note?: string | null;
  readonly actor: Actor & { readonly kind: 'operator' };
}

/** Done, or waiting for the approval of this request. */
export type FloatAdjustment = { readonly member: Member } & Outcome<'applied'>;

export const keys = ({
  memberId,
  commandId,
  approvalId = commandId,
  actor,
}: AdjustFloat): Keys => ({
  memberIds: [memberId],
  approvalOf: approvalId,
  sumOf: actor.id,
});

/** Float that open deposits hold cannot be taken. */
export function decide(command: AdjustFloat, view: View, ctx: Context): Decision<FloatAdjustment> {
  const member = view.member(command.memberId);
  if (member === undefined) return refuse('not-found', 'Member not found.');
  const { amount, commandId, memberId, reason } = command;
  const free = member.floatBalance - member.floatHeld;
  if (amount < 0n && free + amount < 0n)
    return refuse('unprocessable', `Only ${formatMoney(free)} PKR of this member's float is free.`);

  const { approvalId, actor } = command;
  const approval =
    approvalId === undefined ? undefined : view.pendingApproval('float-adjustment', approvalId);
  if (approvalId !== undefined && approval === undefined)
    return refuse('wrong-state', 'No such request waits for approval.');
  const refused = approval && refuseApproval(approval, actor, ctx.now);
  if (refused !== undefined) return refused;
  const moved = amount < 0n ? -amount : amount;
  const sum = view.movedAlone(actor.id);
  if (
    approval === undefined &&
    needsSecondOperator(view.settings, {
      kind: 'float-adjustment',
      amount: moved,
      today: movedOn(sum, ctx.now),
    })
  ) {
    const asks = { memberId, amount: formatMoney(amount), reason };
    const request = newApproval('float-adjustment', commandId, commandId, asks, actor, ctx.now);
    const detail = { approvalId: commandId, amount: formatMoney(amount), reason };
    const audit = audited('member.float-request', memberId, detail, command, ctx);
    return accept(
      { status: 'pendingApproval', approvalId: commandId, member },
      { approvals: [request], audit },
    );
  }

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
    note:
      approval === undefined
        ? reason
        : noteOfTwo({ ...approval, request: { note: reason } }, actor, command.note ?? null),
    postedAt: ctx.now,
  };
  const audit = audited(
    'member.float',
    memberId,
    { amount: formatMoney(amount), reason, ...(approval && { requestedBy: approval.requestedBy }) },
    command,
    ctx,
  );
  const two =
    approval === undefined
      ? { moved: movedAlone(sum, moved, ctx.now) }
      : { approvals: [decided(approval, 'done', actor, command.note ?? null, ctx)] };
  return accept(
    { status: 'applied', approvalId: null, member: adjusted },
    { members: [adjusted], posting, audit, ...two },
  );
}
