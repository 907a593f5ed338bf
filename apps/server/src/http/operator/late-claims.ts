import {
  CLOSE_LATE_CLAIM,
  type LateClaimView,
  LIST_LATE_CLAIMS,
  TAKE_LATE_CLAIM,
} from '@munshi/api';
import { lateClaimActions } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { closeClaim, takeClaim } from '../../services/late-claims.ts';
import { type LateClaim, type ListedLateClaim, listLateClaims } from '../../storage/late-claims.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { jsonMoney, jsonTime } from '../values.ts';
import { askingOperator, callerOf, type Operator } from './access.ts';

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
