import { CLAIM_ORDER, UNCLAIM_ORDER } from '@munshi/api';
import { claim, unclaim } from '../orders/claims.service.ts';
import type { OrderClaim } from '../orders/claims.store.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { doWrite } from '../writes/write.ts';
import { showClaim } from './view.operator.ts';

/** Who works on an order. */
export function orderClaimRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, CLAIM_ORDER, ({ params }, caller) => answer(params.orderId, caller, claim));
  bind(face, UNCLAIM_ORDER, ({ params }, caller) => answer(params.orderId, caller, unclaim));

  async function answer(orderId: string, caller: Operator, work: typeof claim | typeof unclaim) {
    const show = (claimed: OrderClaim | undefined) => ({ orderId, ...showClaim(claimed) });
    return { data: await doWrite(deps, caller, work(caller.actor, orderId), show) };
  }
}
