import { type Approval, type ForOperators, money } from '@munshi/core';
import type { OperatorCaller } from './write.ts';

/** Nothing that a second operator has agreed to counts as theirs alone. */
const standing = { holders: [], otherMembers: [], ofMerchant: false } as const;

/** Requests about money, which the engine carries out. */

export type MoneyKind = 'adjustment' | 'float-adjustment' | 'order-confirm' | 'order-resolve';
const MONEY: Readonly<Record<MoneyKind, true>> = {
  adjustment: true,
  'float-adjustment': true,
  'order-confirm': true,
  'order-resolve': true,
};

type AboutMoney = Approval & { readonly kind: MoneyKind };
export const isAboutMoney = (approval: Approval): approval is AboutMoney => approval.kind in MONEY;

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
