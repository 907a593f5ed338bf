import { audited } from '../audit.ts';
import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import {
  askedWith,
  type DecidedByOperators,
  movedBy,
  type NeedsTwo,
  needsTwo,
  sumKeys,
  whyWaits,
} from '../four-eyes.ts';
import type { Member } from '../matching.ts';
import { WALLET_CURRENCY } from '../method.ts';
import { formatMoney, type Money, moneyText } from '../money.ts';
import { floatMoves, PLATFORM_MERCHANT_ID, type Posting } from '../posting.ts';
import { withFloat } from '../step.ts';

/**
 * An operator adds to a member's float or, with a negative amount, takes from it. The command's id
 * becomes the posting's.
 */
export interface AdjustFloat extends DecidedByOperators {
  readonly kind: 'adjust-float';
  readonly commandId: string;
  readonly memberId: string;
  /** Wallet currency. */
  readonly amount: Money;
  readonly reason: string;
}

export interface FloatAdjustment {
  readonly status: 'applied';
  readonly member: Member;
}

export const keys = ({ memberId, sumOf }: AdjustFloat): Keys => ({
  members: [memberId],
  sums: sumKeys(sumOf),
});

/** Float that open deposits hold cannot be taken. */
export function decide(
  command: AdjustFloat,
  view: View,
  ctx: Context,
): Decision<FloatAdjustment | NeedsTwo> {
  const { amount, commandId, memberId, reason, sumOf } = command;
  const member = view.members.get(memberId);
  if (member === undefined) return refuse('not-found', 'Member not found.');
  const free = member.floatBalance - member.floatHeld;
  if (amount < 0n && free + amount < 0n) return refuse('unprocessable', notFree(member, free));
  const moved = amount < 0n ? -amount : amount;
  const act = { kind: 'float-adjustment', amount: moved } as const;
  const why = whyWaits(command, act, view, ctx.now);
  if (why !== null) return accept(needsTwo(why));

  const adjusted = withFloat(member, {
    floatBalance: member.floatBalance + amount,
    floatHeld: member.floatHeld,
  });
  const posting: Posting = {
    merchantId: PLATFORM_MERCHANT_ID,
    postingId: commandId,
    kind: 'float',
    orderId: null,
    memberId: member.memberId,
    ...floatMoves(amount),
    note: reason, // the member reads it: who asked and approved is in the audit log alone
    postedAt: ctx.now,
  };
  const detail = { amount: formatMoney(amount), reason, ...askedWith(command) };
  return accept(
    { status: 'applied', member: adjusted },
    {
      members: [adjusted],
      postings: [posting],
      audit: audited('member.float', memberId, detail, command, ctx),
      sums: movedBy(sumOf, view, moved, ctx.now),
    },
  );
}

/** What can be taken instead, and why not more. */
function notFree({ floatBalance, floatHeld }: Member, free: Money): string {
  const text = (of: Money) => moneyText(of, WALLET_CURRENCY);
  const most = free > 0n ? `At most ${text(free)}` : 'Nothing';
  const why =
    floatHeld > 0n
      ? `open deposits hold ${text(floatHeld)} of its ${text(floatBalance)}`
      : 'that is all there is';
  return `${most} can be taken from this float: ${why}.`;
}
