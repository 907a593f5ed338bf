import { audited, forOperators } from '../audit.ts';
import {
  type Adjustment,
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
  decided,
  type MayWait,
  movedBy,
  movedToday,
  needsSecondOperator,
  newApproval,
  refuseApproval,
  sumKeys,
} from '../four-eyes.ts';
import { formatMoney, type Money } from '../money.ts';
import { type AdjustmentKind, adjustmentMoves } from '../posting.ts';
import { withSums } from '../step.ts';

/**
 * An operator adjusts a merchant's wallet. The id of the command that asks for it becomes the
 * adjustment's.
 */
export interface AdjustWallet extends MayWait {
  readonly kind: 'adjust-wallet';
  readonly commandId: string;
  readonly merchantId: string;
  readonly adjustment: AdjustmentKind;
  readonly amount: Money;
  readonly reason: string;
  /** Of the operator who approves it. */
  readonly note?: string | null;
}

export const keys = ({ approvalId, commandId, merchantId, sumOf }: AdjustWallet): Keys => ({
  walletOf: merchantId,
  adjustmentId: approvalId ?? commandId,
  ...(approvalId !== undefined && { approvalOf: approvalId }),
  sumsOf: sumKeys(sumOf),
});

/**
 * Waits for a second operator above the platform's limit. Refused beyond what is available or
 * frozen.
 */
export function decide(command: AdjustWallet, view: View, ctx: Context): Decision<Adjustment> {
  if (command.approvalId !== undefined) return approve(command, command.approvalId, view, ctx);
  const known = view.adjustment(command.commandId);
  if (known !== undefined) return accept(known);
  const { amount, merchantId, reason, actor, sumOf } = command;
  const beyond = refuseBeyond(merchantId, command.adjustment, amount, view);
  if (beyond !== undefined) return refuse(beyond.code, beyond.message);

  const pending = needsSecondOperator(view.settings, {
    kind: 'adjustment',
    amount,
    today: movedToday(sumOf, view, ctx.now),
  });
  const adjustment: Adjustment = {
    adjustmentId: command.commandId,
    merchantId,
    kind: command.adjustment,
    amount,
    reason,
    status: pending ? 'pendingApproval' : 'applied',
    requestedBy: actor.id,
    requestedAt: ctx.now,
    approvedBy: null,
    approvedAt: null,
  };
  const audit = audited(
    `wallet.${command.adjustment}`,
    merchantId,
    { adjustmentId: adjustment.adjustmentId, amount: formatMoney(amount), reason },
    command,
    ctx,
  );
  if (!pending)
    return accept(adjustment, {
      adjustment,
      audit,
      moved: movedBy(sumOf, view, amount, ctx.now),
      ...applied(adjustment, view, ctx),
    });
  const { adjustmentId } = adjustment;
  const asked = {
    adjustmentId,
    merchantId,
    kind: command.adjustment,
    amount: formatMoney(amount),
    reason,
    ...forOperators(command),
  };
  return accept(adjustment, {
    adjustment,
    audit,
    approvals: [newApproval('adjustment', adjustmentId, adjustmentId, asked, command, ctx.now)],
  });
}

/** Applies what was asked for. */
function approve(
  { actor, note = null, ...command }: AdjustWallet,
  adjustmentId: string,
  view: View,
  ctx: Context,
): Decision<Adjustment> {
  const adjustment = view.adjustment(adjustmentId);
  if (adjustment === undefined) return refuse('not-found', 'Adjustment not found.');
  if (adjustment.status === 'applied')
    return refuse('wrong-state', 'This adjustment has been applied already.');
  const [approval] = view.pendingApprovals('adjustment', adjustmentId);
  if (approval === undefined)
    return refuse('wrong-state', 'This adjustment no longer waits for approval.');
  const refused = refuseApproval(approval, actor, ctx.now);
  if (refused !== undefined) return refused;
  const { merchantId, kind, amount } = adjustment;
  const beyond = refuseBeyond(merchantId, kind, amount, view);
  if (beyond !== undefined) return refuse(beyond.code, beyond.message);

  const approved: Adjustment = {
    ...adjustment,
    status: 'applied',
    approvedBy: actor.id,
    approvedAt: ctx.now,
  };
  const detail = { adjustmentId, amount: formatMoney(amount), ...askedWith(approval) };
  return accept(approved, {
    adjustment: approved,
    approvals: [decided(approval, 'done', actor, note, ctx)],
    audit: audited('wallet.approve', merchantId, detail, { actor, ...command }, ctx),
    ...applied(approved, view, ctx),
  });
}

/** Why this adjustment cannot be applied to the wallet as it is; undefined when it can. */
function refuseBeyond(
  merchantId: string,
  kind: AdjustmentKind,
  amount: Money,
  view: View,
): Refusal | undefined {
  const wallet = view.wallet(merchantId);
  const available = wallet.balance - wallet.reserved;
  if ((kind === 'debit' || kind === 'freeze') && amount > available) {
    return {
      code: 'unprocessable',
      message: `Only ${formatMoney(available)} PKR is available; ${formatMoney(amount)} PKR cannot be taken.`,
    };
  }
  if (kind === 'unfreeze' && amount > wallet.frozen) {
    return {
      code: 'unprocessable',
      message: `Only ${formatMoney(wallet.frozen)} PKR is frozen; ${formatMoney(amount)} PKR cannot be released.`,
    };
  }
  return undefined;
}

/** The wallet and its posting after an adjustment. */
function applied(adjustment: Adjustment, view: View, ctx: Context): Changes {
  const { adjustmentId, merchantId, kind, amount, reason } = adjustment;
  const wallet = view.wallet(merchantId);
  const moves = adjustmentMoves(kind, amount);
  const sums = {
    balance: wallet.balance + moves.wallet,
    reserved: wallet.reserved,
    frozen: wallet.frozen + moves.frozen,
  };
  return {
    wallet: withSums(wallet, sums),
    posting: {
      merchantId,
      postingId: adjustmentId,
      kind,
      orderId: null,
      memberId: null,
      ...moves,
      note: reason,
      postedAt: ctx.now,
    },
  };
}
