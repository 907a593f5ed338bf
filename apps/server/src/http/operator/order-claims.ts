import { CLAIM_ORDER, UNCLAIM_ORDER } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { claim, unclaim } from '../../services/order-claims.ts';
import type { OrderClaim } from '../../storage/orders/order-claims.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { callerOf } from './access.ts';
import { showClaim } from './order-view.ts';

/** Who works on an order. */
export function orderClaimRoutes(app: FastifyInstance, deps: Deps): void {
  const shownFor = (orderId: string) => (claimed: OrderClaim | undefined) => ({
    orderId,
    ...showClaim(claimed),
  });

  bind(app, CLAIM_ORDER, async (request) => {
    const { orderId } = request.params;
    const show = shownFor(orderId);
    return { data: show(await claim(deps, callerOf(request), orderId, show)) };
  });

  bind(app, UNCLAIM_ORDER, async (request) => {
    const { orderId } = request.params;
    const show = shownFor(orderId);
    return { data: show(await unclaim(deps, callerOf(request), orderId, show)) };
  });
}
