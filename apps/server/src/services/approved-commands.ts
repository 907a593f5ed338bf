import { type Approval, type ForOperators, MONEY_KINDS, type MoneyKind, money } from '@munshi/core';
import type { OperatorCaller } from './write.ts';

/** Nothing that a second operator has agreed to counts as theirs alone. */
const standing = { holders: [], otherMembers: [], ofMerchant: false } as const;

type AboutMoney = Approval & { readonly kind: MoneyKind };
export const isAboutMoney = (approval: Approval): approval is AboutMoney =>
  MONEY_KINDS.some((kind) => kind === approval.kind);

/** What was asked for, as it was asked for: decided again over the rows of now. */
export function approvedCommand(
  { approvalId, kind, target, request }: AboutMoney,
  by: Pick<OperatorCaller, 'actor'> &
    ForOperators & { readonly commandId: string; readonly note: string | null },
) {
  switch (kind) {
    case 'adjustment':
      return {
        kind: 'approve-adjustment',
        adjustmentId: target,
        merchantId: String(request['merchantId']),
        ...by,
      } as const;
    case 'float-adjustment':
      return {
        kind: 'adjust-float',
        memberId: String(request['memberId']),
        amount: money(String(request['amount'])),
        reason: String(request['reason']),
        approvalId,
        standing,
        ...by,
      } as const;
    case 'order-confirm':
      return {
        kind: 'operator-confirm',
        orderId: target,
        memberId: request['memberId'] as string | null,
        approval: true,
        approvalId,
        standing,
        ...by,
      } as const;
    case 'order-resolve':
      return {
        kind: 'operator-resolve',
        orderId: target,
        outcome: 'Completed',
        approval: true,
        approvalId,
        standing,
        ...by,
      } as const;
  }
}
