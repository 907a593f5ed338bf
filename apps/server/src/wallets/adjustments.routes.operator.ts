import {
  ADJUST_FLOAT,
  ADJUST_WALLET,
  type AdjustmentView,
  type Given,
  LIST_ADJUSTMENTS,
} from '@munshi/api';
import {
  type Adjustment,
  type Approval,
  type AskingOperator,
  adjustmentActions,
  formatMoney,
  forOperators,
  money,
} from '@munshi/core';
import { moneyWrite } from '../approvals/money-write.ts';
import { type ListedAdjustment, listAdjustments } from '../engine/rows/adjustments.ts';
import { findMerchant } from '../merchants/store.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { positiveMoney, readBody, signedMoney } from '../platform/http/values.ts';
import { found } from '../platform/refusals.ts';

const showAdjustment = (
  adjustment: Adjustment | ListedAdjustment,
  who: AskingOperator,
): Given<AdjustmentView> => ({
  ...adjustment,
  ...(adjustment.status === 'pendingApproval' && { approvalId: adjustment.adjustmentId }),
  allowedActions: adjustmentActions(adjustment, who),
});

/** Credits, debits, freezes and their opposites; some need a second operator. */
export function adjustmentRoutes(face: OperatorFace, deps: Deps): void {
  const { database } = deps;

  bind(face, LIST_ADJUSTMENTS, async ({ query }, operator) => {
    const page = pageOf(query);
    const { merchantId = null, status = null } = query;
    const rows = await listAdjustments(database.pool, {
      merchantId,
      status,
      now: deps.clock.now(),
      ...page.place,
    });
    const show = (adjustment: ListedAdjustment) => showAdjustment(adjustment, operator);
    return pageAnswer(page, rows, ({ adjustmentId }) => adjustmentId, show);
  });
}

/** Adjustments, which wait for a second operator by their amount. */
export const adjustmentWrites = (deps: Deps) => ({
  ADJUST_WALLET: moneyWrite(deps, ADJUST_WALLET, {
    kind: 'adjustment',
    command: 'adjust-wallet',
    async read(asked) {
      const { merchantId } = asked.params;
      found(await findMerchant(deps.database.pool, merchantId), 'Merchant');
      const { kind, ...given } = readBody(asked, { amount: positiveMoney });
      return { merchantId, adjustment: kind, ...given };
    },
    explain(_, { merchantId, adjustment, amount, reason, ...given }) {
      const asked = { merchantId, kind: adjustment, amount: formatMoney(amount), reason };
      const logged = { action: `wallet.${adjustment}`, target: merchantId } as const;
      return { target: null, shown: { ...asked, ...forOperators(given) }, logged };
    },
    show: ({ result }, who) => showAdjustment(result, who),
    showWaiting: (approval, who) => showAdjustment(waitingAdjustment(approval), who),
  }),

  ADJUST_FLOAT: moneyWrite(deps, ADJUST_FLOAT, {
    kind: 'float-adjustment',
    command: 'adjust-float',
    read: (asked) => ({
      memberId: asked.params.memberId,
      ...readBody(asked, { amount: signedMoney }),
    }),
    explain(_, { memberId, amount, reason, ...given }) {
      const asked = { memberId, amount: formatMoney(amount), reason };
      const logged = { action: 'member.float-request', target: memberId } as const;
      return { target: null, shown: { ...asked, ...forOperators(given) }, logged };
    },
    show: ({ result: { member, status }, command: { amount, commandId } }) => ({
      ...member,
      status,
      postingId: commandId,
      amount,
    }),
  }),
});

/** As the list has it. */
const waitingAdjustment = ({
  approvalId,
  request,
  requestedBy,
  requestedAt,
}: Approval): ListedAdjustment => ({
  adjustmentId: approvalId,
  merchantId: request['merchantId'] as string,
  kind: request['kind'] as Adjustment['kind'],
  amount: money(request['amount'] as string),
  reason: request['reason'] as string,
  status: 'pendingApproval',
  requestedBy,
  requestedAt,
  approvedBy: null,
  approvedAt: null,
});
