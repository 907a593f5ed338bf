import { audited } from '../audit.ts';
import {
  accept,
  type Changes,
  type Context,
  type Decision,
  type Keys,
  type Refusal,
  refuse,
  type View,
} from '../decision.ts';
import {
  askedWith,
  type DecidedByOperators,
  movedBy,
  type NeedsTwo,
  needsTwo,
  sumKeys,
  whyWaits,
} from '../four-eyes.ts';
import { WALLET_CURRENCY } from '../method.ts';
import { formatMoney, type Money, moneyText } from '../money.ts';
import { type AdjustmentKind, adjustmentMoves } from '../posting.ts';
import type { Adjustment } from '../rows.ts';
import { withSums } from '../step.ts';

/** An operator adjusts a merchant's wallet. The command's id becomes the adjustment's. */
export interface AdjustWallet extends DecidedByOperators {
  readonly kind: 'adjust-wallet';
  readonly commandId: string;
  readonly merchantId: string;
  readonly adjustment: AdjustmentKind;
  readonly amount: Money;
  readonly reason: string;
}

export const keys = ({ commandId, merchantId, sumOf }: AdjustWallet): Keys => ({
  wallets: [merchantId],
  adjustments: [commandId],
  sums: sumKeys(sumOf),
});

/** Refused beyond what is available or frozen. */
export function decide(
  command: AdjustWallet,
  view: View,
  ctx: Context,
): Decision<Adjustment | NeedsTwo> {
  const { amount, asked, commandId, merchantId, reason, actor, sumOf } = command;
  const known = view.adjustments.get(commandId);
  if (known?.status === 'applied') return accept(known);
  if (known !== undefined)
    return refuse('wrong-state', 'The version before keeps this adjustment: ask for it again.');
  const beyond = refuseBeyond(merchantId, command.adjustment, amount, view);
  if (beyond !== undefined) return refuse(beyond.code, beyond.message);
  const act = { kind: 'adjustment', amount } as const;
  const why = whyWaits(command, act, view, ctx.now);
  if (why !== null) return accept(needsTwo(why));

  const adjustment: Adjustment = {
    adjustmentId: commandId,
    merchantId,
    kind: command.adjustment,
    amount,
    reason,
    status: 'applied',
    requestedBy: asked?.requestedBy ?? actor.id,
    requestedAt: asked?.requestedAt ?? ctx.now,
    approvedBy: asked && actor.id,
    approvedAt: asked && ctx.now,
  };
  const detail = { adjustmentId: commandId, amount: formatMoney(amount), reason };
  const action = asked === null ? (`wallet.${command.adjustment}` as const) : 'wallet.approve';
  return accept(adjustment, {
    adjustments: [adjustment],
    audit: audited(action, merchantId, { ...detail, ...askedWith(command) }, command, ctx),
    sums: movedBy(sumOf, view, amount, ctx.now),
    ...applied(adjustment, view, ctx),
  });
}

/** Why this adjustment cannot be applied to the wallet as it is; undefined when it can. */
function refuseBeyond(
  merchantId: string,
  kind: AdjustmentKind,
  amount: Money,
  view: View,
): Refusal | undefined {
  const wallet = view.wallets.get(merchantId);
  const available = wallet.balance - wallet.reserved;
  const text = (of: Money) => moneyText(of, WALLET_CURRENCY);
  if ((kind === 'debit' || kind === 'freeze') && amount > available) {
    return {
      code: 'unprocessable',
      message: `Only ${text(available)} is available; ${text(amount)} cannot be taken.`,
    };
  }
  if (kind === 'unfreeze' && amount > wallet.frozen) {
    return {
      code: 'unprocessable',
      message: `Only ${text(wallet.frozen)} is frozen; ${text(amount)} cannot be released.`,
    };
  }
  return undefined;
}

/** The wallet and its posting after an adjustment. */
function applied(adjustment: Adjustment, view: View, ctx: Context): Changes {
  const { adjustmentId, merchantId, kind, amount, reason } = adjustment;
  const wallet = view.wallets.get(merchantId);
  const moves = adjustmentMoves(kind, amount);
  const sums = {
    balance: wallet.balance + moves.wallet,
    reserved: wallet.reserved,
    frozen: wallet.frozen + moves.frozen,
  };
  return {
    wallets: [withSums(wallet, sums)],
    postings: [
      {
        merchantId,
        postingId: adjustmentId,
        kind,
        orderId: null,
        memberId: null,
        ...moves,
        note: reason,
        postedAt: ctx.now,
      },
    ],
  };
}
