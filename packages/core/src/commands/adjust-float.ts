import { audited } from '../audit.ts';
import { type Actor, accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Member } from '../matching.ts';
import { formatMoney, type Money } from '../money.ts';
import { floatMoves, PLATFORM_MERCHANT_ID, type Posting } from '../posting.ts';
import { withFloat } from '../step.ts';

/** An operator adds to a member's float or, with a negative amount, takes from it. The command's id becomes the posting's. */
export interface AdjustFloat {
  readonly kind: 'adjust-float';
  readonly commandId: string;
  readonly memberId: string;
  /** Wallet currency. */
  readonly amount: Money;
  readonly reason: string;
  readonly actor: Actor;
}

export const keys = ({ memberId }: AdjustFloat): Keys => ({ memberIds: [memberId] });

/** What open deposits hold cannot be taken. */
export function decide(command: AdjustFloat, view: View, ctx: Context): Decision<Member> {
  const member = view.member(command.memberId);
  if (member === undefined) return refuse('not-found', 'Member not found.');
  const { amount, commandId, memberId, reason } = command;
  const free = member.floatBalance - member.floatHeld;
  if (amount < 0n && free + amount < 0n) return refuse('unprocessable', `Only ${formatMoney(free)} PKR of this member's float is free.`);

  const adjusted = withFloat(member, { floatBalance: member.floatBalance + amount, floatHeld: member.floatHeld });
  const posting: Posting = {
    merchantId: PLATFORM_MERCHANT_ID,
    postingId: commandId,
    kind: 'float',
    orderId: null,
    memberId,
    ...floatMoves(amount),
    note: reason,
    postedAt: ctx.now,
  };
  const audit = audited('member.float', memberId, { amount: formatMoney(amount), reason }, command, ctx);
  return accept(adjusted, { members: [adjusted], posting, audit });
}
