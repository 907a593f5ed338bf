import {
  ADJUST_FLOAT,
  ADJUST_WALLET,
  type AdjustmentView,
  type Given,
  LIST_ADJUSTMENTS,
} from '@munshi/api';
import { type Adjustment, adjustmentActions, forOperators, type Money } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { found } from '../../services/refusals.ts';
import { standingOf } from '../../services/standing.ts';
import { type ListedAdjustment, listAdjustments } from '../../storage/merchants/adjustments.ts';
import { findMerchant } from '../../storage/merchants/merchants.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { exactNumbers, positiveMoney, signedMoney } from '../values.ts';
import type { Operator } from './access.ts';
import { submitOrPreview } from './effects.ts';

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

  bind(app, ADJUST_WALLET, async (request) => {
    const { merchantId } = request.params;
    const { kind, reason } = request.body;
    const { operator, once } = request;
    const { amount } = exactNumbers(request, { amount: positiveMoney });
    found(await findMerchant(database.pool, merchantId), 'Merchant');
    const command = {
      kind: 'adjust-wallet',
      commandId: once.commandId,
      merchantId,
      adjustment: kind,
      amount: amount as Money,
      reason,
      ...forOperators(request.body),
      actor: operator.actor,
      standing: await standingOf(database.pool, operator.actor, {}),
    } as const;
    return submitOrPreview(deps, request, command, (made) => showAdjustment(made, operator));
  });

  bind(app, LIST_ADJUSTMENTS, async ({ query, operator }) => {
    const page = pageOf(query);
    const { merchantId = null, status = null } = query;
    const rows = await listAdjustments(database.pool, {
      merchantId,
      status,
      now: deps.clock.now(),
      after: page.after,
      limit: page.limit + 1,
    });
    const show = (adjustment: ListedAdjustment) => showAdjustment(adjustment, operator);
    return pageAnswer(page, rows, ({ adjustmentId }) => adjustmentId, show);
  });

  bind(app, ADJUST_FLOAT, async (request) => {
    const { memberId } = request.params;
    const { operator, once } = request;
    const amount = exactNumbers(request, { amount: signedMoney }).amount as Money;
    const command = {
      kind: 'adjust-float',
      commandId: once.commandId,
      memberId,
      amount,
      reason: request.body.reason,
      ...forOperators(request.body),
      actor: operator.actor,
      standing: await standingOf(database.pool, operator.actor, { memberId }),
    } as const;
    return submitOrPreview(deps, request, command, ({ status, approvalId, member }) => {
      if (status === 'pendingApproval') return { status, approvalId };
      return { ...member, status, postingId: once.commandId, amount };
    });
  });
}
