import { audited } from '../audit.ts';
import {
  type Actor,
  type Adjustment,
  accept,
  type Context,
  type Decision,
  type Keys,
  refuse,
  type View,
} from '../decision.ts';
import { askedWith, decided, refuseApproval } from '../four-eyes.ts';
import { formatMoney } from '../money.ts';
import { applied, refuseBeyond } from './adjust-wallet.ts';

/** A second operator agrees to an adjustment above the platform's limit. */
export interface ApproveAdjustment {
  readonly kind: 'approve-adjustment';
  readonly commandId: string;
  readonly adjustmentId: string;
  /** The adjustment's merchant, as it was read: which wallet to lock. */
  readonly merchantId: string;
  readonly note?: string | null;
  readonly actor: Actor & { readonly kind: 'operator' };
}

export const keys = ({ adjustmentId, merchantId }: ApproveAdjustment): Keys => ({
  walletOf: merchantId,
  adjustmentId,
  approvalOf: adjustmentId,
});

export function decide(command: ApproveAdjustment, view: View, ctx: Context): Decision<Adjustment> {
  const adjustment = view.adjustment(command.adjustmentId);
  if (adjustment === undefined) return refuse('not-found', 'Adjustment not found.');
  const { actor } = command;
  if (adjustment.status === 'applied')
    return refuse('wrong-state', 'This adjustment has been applied already.');
  const approval = view.pendingApproval('adjustment', adjustment.adjustmentId);
  if (approval === undefined)
    return refuse('wrong-state', 'This adjustment no longer waits for approval.');
  const refused = refuseApproval(approval, actor, ctx.now);
  if (refused !== undefined) return refused;
  const beyond = refuseBeyond(adjustment.merchantId, adjustment.kind, adjustment.amount, view);
  if (beyond !== undefined) return refuse(beyond.code, beyond.message);

  const approved: Adjustment = {
    ...adjustment,
    status: 'applied',
    approvedBy: actor.id,
    approvedAt: ctx.now,
  };
  const detail = {
    adjustmentId: adjustment.adjustmentId,
    amount: formatMoney(adjustment.amount),
    ...askedWith(approval),
  };
  const audit = audited('wallet.approve', adjustment.merchantId, detail, command, ctx);
  return accept(approved, {
    adjustment: approved,
    approvals: [decided(approval, 'done', actor, command.note ?? null, ctx)],
    audit,
    ...applied(approved, view, ctx),
  });
}
