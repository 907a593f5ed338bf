import type { MemberId, OrderId } from './id.ts';
import type { Money } from './money.ts';
import type { Instant, Order } from './order.ts';

/** The merchant of postings without a merchant: a member's float adjustments (decision 2). */
export const PLATFORM_MERCHANT_ID = '00000000-0000-0000-0000-000000000000';

export const ADJUSTMENT_KINDS = ['credit', 'debit', 'freeze', 'unfreeze'] as const;
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number];

export const POSTING_KINDS = ['settlement', ...ADJUSTMENT_KINDS, 'float'] as const;
export type PostingKind = (typeof POSTING_KINDS)[number];

/**
 * One double entry, append-only, in wallet currency: the change of each of five accounts. They sum
 * to zero, and the database checks that too (decision 2, I11).
 */
export interface Posting {
  readonly merchantId: string;
  readonly postingId: string;
  readonly kind: PostingKind;
  readonly orderId: OrderId | null;
  readonly memberId: MemberId | null;
  readonly wallet: Money;
  readonly frozen: Money;
  readonly memberFloat: Money;
  readonly fees: Money;
  readonly adjustments: Money;
  readonly note: string | null;
  readonly postedAt: Instant;
}

type Moves = Pick<Posting, 'wallet' | 'frozen' | 'memberFloat' | 'fees' | 'adjustments'>;

/**
 * What settles a completed order: a deposit credits amount − fee to the wallet and takes the amount
 * from the member's float; a withdrawal does the reverse with amount + fee; the difference is the
 * fee. Without a member the adjustments account takes the float's part
 * (states.md#late-confirmations).
 */
export function settlementMoves(
  order: Pick<Order, 'orderType' | 'settlementAmount' | 'floatAmount'>,
  hasMember: boolean,
): Moves {
  const sign = order.orderType === 'Deposit' ? 1n : -1n;
  const wallet = sign * order.settlementAmount;
  const counterpart = -sign * order.floatAmount;
  return {
    wallet,
    frozen: 0n,
    memberFloat: hasMember ? counterpart : 0n,
    fees: -wallet - counterpart,
    adjustments: hasMember ? 0n : counterpart,
  };
}

/**
 * An operator's adjustment of a merchant's wallet. Frozen money has left the wallet balance already
 * (security.md#two-operators).
 */
export function adjustmentMoves(kind: AdjustmentKind, amount: Money): Moves {
  const none = { wallet: 0n, frozen: 0n, memberFloat: 0n, fees: 0n, adjustments: 0n };
  switch (kind) {
    case 'credit':
      return { ...none, wallet: amount, adjustments: -amount };
    case 'debit':
      return { ...none, wallet: -amount, adjustments: amount };
    case 'freeze':
      return { ...none, wallet: -amount, frozen: amount };
    case 'unfreeze':
      return { ...none, wallet: amount, frozen: -amount };
  }
}

/** An operator's change of a member's float; a negative amount takes. */
export function floatMoves(amount: Money): Moves {
  return { wallet: 0n, frozen: 0n, memberFloat: amount, fees: 0n, adjustments: -amount };
}
