import { CLAIM_ORDER, UNCLAIM_ORDER } from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { claim, unclaim } from '../../services/order-claims.ts';
import { doWrite } from '../../services/write.ts';
import type { OrderClaim } from '../../storage/orders/order-claims.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { callerOf } from './access.ts';
import { showClaim } from './order-view.ts';

/** Who works on an order. */
export function orderClaimRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, CLAIM_ORDER, (request) => answer(request, claim));
  bind(app, UNCLAIM_ORDER, (request) => answer(request, unclaim));

  async function answer(
    request: FastifyRequest<{ Params: { orderId: string } }>,
    work: typeof claim | typeof unclaim,
  ) {
    const { orderId } = request.params;
    const caller = callerOf(request);
    const show = (claimed: OrderClaim | undefined) => ({ orderId, ...showClaim(claimed) });
    return { data: await doWrite(deps, caller, work(caller.actor, orderId), show) };
  }
}
