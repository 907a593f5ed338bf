import {
  CLOSE_LATE_CLAIM,
  type CloseLateClaim,
  LIST_LATE_CLAIMS,
  type ListLateClaims,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { closeLateClaim, type ListedLateClaim, listLateClaims } from '../../storage/late-claims.ts';
import type { Deps } from '../deps.ts';
import { jsonMoney, jsonTime, pageOf, Refused, sendData, sendList } from '../json.ts';
import { showLateClaim } from './order-view.ts';
import { found, recordedWrite } from './write.ts';

const showListed = ({ order, merchantName, memberName, ...claim }: ListedLateClaim) => ({
  ...showLateClaim(claim),
  order: {
    ...order,
    amount: jsonMoney(order.amount),
    createdAt: jsonTime(order.createdAt),
    expiresAt: jsonTime(order.expiresAt),
    merchantName,
    memberName,
  },
});

/**
 * What customers left after expiry. Closing a claim records what was found; the order itself is
 * decided by its own actions.
 */
export function lateClaimRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: ListLateClaims }>(
    '/late-claims',
    { schema: LIST_LATE_CLAIMS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { status = null, merchantId = null } = request.query;
      const rows = await listLateClaims(deps.database.pool, {
        status,
        merchantId,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ claimId }) => claimId, showListed);
    },
  );

  app.post<{ Params: { claimId: string }; Body: CloseLateClaim }>(
    '/late-claims/:claimId/close',
    { schema: CLOSE_LATE_CLAIM },
    async (request, reply) => {
      const { claimId } = request.params;
      const { note } = request.body;
      const closed = await recordedWrite(deps, request, async (client, now) => {
        const result = found(
          await closeLateClaim(client, {
            claimId,
            closedBy: request.operator.operatorId,
            note,
            at: now,
          }),
          'Late claim',
        );
        if (result === 'closed before')
          throw new Refused('wrong-state', 'This late claim has been closed already.');
        return {
          result,
          answer: showLateClaim(result),
          action: 'late-claim.close',
          target: claimId,
          detail: { orderId: result.orderId, note },
        };
      });
      return sendData(reply, showLateClaim(closed));
    },
  );
}
