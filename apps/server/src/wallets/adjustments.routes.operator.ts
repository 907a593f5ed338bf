import {
  ADJUST_FLOAT,
  ADJUST_WALLET,
  type AdjustmentView,
  type Given,
  LIST_ADJUSTMENTS,
} from '@munshi/api';
import { type Adjustment, adjustmentActions, forOperators, type Money } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { bindMoney } from '../approvals/money-door.ts';
import { type ListedAdjustment, listAdjustments } from '../engine/rows/adjustments.ts';
import { findMerchant } from '../merchants/store.ts';
import type { Operator } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { exactNumbers, positiveMoney, signedMoney } from '../platform/http/values.ts';
import { found } from '../platform/refusals.ts';

const showAdjustment = (
  adjustment: Adjustment | ListedAdjustment,
  { actor, role }: Operator,
): Given<AdjustmentView> => ({
  ...adjustment,
  ...(adjustment.status === 'pendingApproval' && { approvalId: adjustment.adjustmentId }),
  allowedActions: adjustmentActions(adjustment, { id: actor.id, role }),
});

/** Credits, debits, freezes and their opposites; some need a second operator. */
export function adjustmentRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

  bindMoney(app, deps, ADJUST_WALLET, {
    kind: 'adjust-wallet',
    read: (asked) => ({
      merchantId: asked.params.merchantId,
      adjustment: asked.body.kind,
      amount: exactNumbers(asked, { amount: positiveMoney }).amount as Money,
      reason: asked.body.reason,
      ...forOperators(asked.body),
    }),
    async check({ params }) {
      found(await findMerchant(database.pool, params.merchantId), 'Merchant');
    },
    show: (made, _, operator) => showAdjustment(made, operator),
  });

  bind(app, LIST_ADJUSTMENTS, async ({ query, operator }) => {
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

  bindMoney(app, deps, ADJUST_FLOAT, {
    kind: 'adjust-float',
    read: (asked) => ({
      memberId: asked.params.memberId,
      amount: exactNumbers(asked, { amount: signedMoney }).amount as Money,
      reason: asked.body.reason,
      ...forOperators(asked.body),
    }),
    show: ({ status, approvalId, member }, { amount, commandId }) =>
      status === 'pendingApproval'
        ? { status, approvalId }
        : { ...member, status, postingId: commandId, amount },
  });
}
