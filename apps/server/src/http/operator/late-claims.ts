import {
  CLOSE_LATE_CLAIM,
  type LateClaimView,
  LIST_CANDIDATES,
  LIST_LATE_CLAIMS,
  TAKE_LATE_CLAIM,
} from '@munshi/api';
import { lateClaimActions, stageOf } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { closeClaim, findCandidates, takeClaim } from '../../services/late-claims.ts';
import {
  type LateClaim,
  type ListedLateClaim,
  listLateClaims,
} from '../../storage/orders/late-claims.ts';
import type { SimilarOrder } from '../../storage/orders/similar-orders.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { jsonMoney, jsonTime } from '../values.ts';
import { askingOperator, callerOf, type Operator } from './access.ts';

/** A similar order, without the fields that say how it is similar. */
export const showSimilar = (order: Omit<SimilarOrder, 'likenesses'>) => ({
  orderId: order.orderId,
  orderReference: order.orderReference,
  orderType: order.orderType,
  walletType: order.walletType,
  currency: order.currency,
  amount: jsonMoney(order.amount),
  status: order.status,
  stage: stageOf(order),
  merchantName: order.merchantName,
  memberName: order.memberName,
  transactionDigits: order.transactionDigits,
  memberTransactionReference: order.memberTransactionReference,
  sentAt: jsonTime(order.sentAt),
  createdAt: jsonTime(order.createdAt),
});

export const showLateClaim = (claim: LateClaim, operator: Operator): LateClaimView => ({
  ...claim,
  claimedAt: jsonTime(claim.claimedAt),
  takenAt: jsonTime(claim.takenAt),
  closedAt: jsonTime(claim.closedAt),
  allowedActions: lateClaimActions(claim, askingOperator(operator)),
});

/** Customers' claims, after expiry, that they have paid. */
export function lateClaimRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, LIST_LATE_CLAIMS, async ({ query, operator }) => {
    const page = pageOf(query);
    const { status = null, merchantId = null } = query;
    const question = { status, merchantId, after: page.after, limit: page.limit + 1 };
    const rows = await listLateClaims(deps.database.pool, question);
    const show = ({ order, merchantName, memberName, ...claim }: ListedLateClaim) => ({
      ...showLateClaim(claim, operator),
      order: {
        ...order,
        amount: jsonMoney(order.amount),
        createdAt: jsonTime(order.createdAt),
        expiresAt: jsonTime(order.expiresAt),
        merchantName,
        memberName,
      },
    });
    return pageAnswer(page, rows, ({ claimId }) => claimId, show);
  });

  bind(app, LIST_CANDIDATES, async ({ params }) => ({
    data: (await findCandidates(deps, params.claimId)).map(({ because, ...order }) => ({
      ...showSimilar(order),
      because,
    })),
  }));

  bind(app, TAKE_LATE_CLAIM, async (request) => {
    const show = (claim: LateClaim) => showLateClaim(claim, request.operator);
    const { claimId } = request.params;
    return { data: show(await takeClaim(deps, callerOf(request), claimId, show)) };
  });

  bind(app, CLOSE_LATE_CLAIM, async (request) => {
    const closing = { claimId: request.params.claimId, note: request.body.note };
    const show = (claim: LateClaim) => showLateClaim(claim, request.operator);
    return { data: show(await closeClaim(deps, callerOf(request), closing, show)) };
  });
}
