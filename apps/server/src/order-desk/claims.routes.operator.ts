import { CLAIM_ORDER, UNCLAIM_ORDER } from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { claim, unclaim } from '../orders/claims.service.ts';
import type { OrderClaim } from '../orders/claims.store.ts';
import { callerOf } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { doWrite } from '../writes/write.ts';
import { showClaim } from './view.operator.ts';

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
