import {
  ADJUST_WALLET,
  type AdjustWallet,
  APPROVE_ADJUSTMENT,
  LIST_ADJUSTMENTS,
  type ListAdjustments,
} from '@munshi/api';
import type { Adjustment, Money } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { findAdjustment, listAdjustments } from '../../storage/adjustments.ts';
import { findApproval } from '../../storage/approvals.ts';
import { findMerchant } from '../../storage/merchants.ts';
import type { Deps } from '../deps.ts';
import { sendRefusal } from '../errors.ts';
import {
  exactNumbers,
  jsonMoney,
  jsonTime,
  pageOf,
  positiveMoney,
  Refused,
  sendData,
  sendList,
} from '../json.ts';
import { approveMoney } from './approvals.ts';
import { found } from './write.ts';

const show = (adjustment: Omit<Adjustment, 'status'> & { readonly status: string }) => ({
  adjustmentId: adjustment.adjustmentId,
  merchantId: adjustment.merchantId,
  kind: adjustment.kind,
  amount: jsonMoney(adjustment.amount),
  reason: adjustment.reason,
  status: adjustment.status,
  requestedBy: adjustment.requestedBy,
  requestedAt: jsonTime(adjustment.requestedAt),
  approvedBy: adjustment.approvedBy,
  approvedAt: jsonTime(adjustment.approvedAt),
});

/**
 * Credits, debits, freezes and their opposites; above the platform's limit two operators agree
 * (D46).
 */
export function adjustmentRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, engine } = deps;
  app.post<{ Params: { merchantId: string }; Body: AdjustWallet }>(
    '/merchants/:merchantId/adjustments',
    { schema: ADJUST_WALLET },
    async (request, reply) => {
      const { merchantId } = request.params;
      const { kind, reason } = request.body;
      const { amount } = exactNumbers(request, { amount: positiveMoney });
      found(await findMerchant(database.pool, merchantId), 'Merchant');
      const { actor } = request.operator;
      const { commandId } = request.once;
      const command = {
        kind: 'adjust-wallet',
        commandId,
        merchantId,
        adjustment: kind,
        amount: amount as Money,
        reason,
        actor,
      } as const;
      const decision = await engine.submit(command, request.once);
      if (!decision.ok) return sendRefusal(reply, decision.refusal);
      const { adjustmentId, status } = decision.result;
      return sendData(reply, {
        ...show(decision.result),
        ...(status === 'pendingApproval' && { approvalId: adjustmentId }),
      });
    },
  );

  app.post<{ Params: { adjustmentId: string } }>(
    '/adjustments/:adjustmentId/approve',
    { schema: APPROVE_ADJUSTMENT },
    async (request, reply) => {
      const { adjustmentId } = found(
        await findAdjustment(database.pool, request.params.adjustmentId),
        'Adjustment',
      );
      const approval = await findApproval(database.pool, adjustmentId);
      if (approval === undefined)
        throw new Refused('wrong-state', 'This adjustment has been applied already.');
      await approveMoney(deps, request, approval, null);
      return sendData(
        reply,
        show(found(await findAdjustment(database.pool, adjustmentId), 'Adjustment')),
      );
    },
  );

  app.get<{ Querystring: ListAdjustments }>(
    '/adjustments',
    { schema: LIST_ADJUSTMENTS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { merchantId = null, status = null } = request.query;
      const rows = await listAdjustments(database.pool, {
        merchantId,
        status,
        now: deps.clock.now(),
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ adjustmentId }) => adjustmentId, show);
    },
  );
}
