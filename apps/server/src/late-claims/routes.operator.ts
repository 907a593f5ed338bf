import { CLOSE_LATE_CLAIM, LIST_CANDIDATES, LIST_LATE_CLAIMS, TAKE_LATE_CLAIM } from '@munshi/api';
import { stageOf } from '@munshi/core';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind, withoutBody } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { doWrite } from '../writes/write.ts';
import { closeClaim, findCandidates, takeClaim } from './service.ts';
import { type LateClaim, type ListedLateClaim, listLateClaims } from './store.ts';
import { showLateClaim } from './view.operator.ts';

/** Customers' claims, after expiry, that they have paid. */
export function lateClaimRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, LIST_LATE_CLAIMS, async ({ query }, operator) => {
    const page = pageOf(query);
    const { status = null, merchantId = null } = query;
    const rows = await listLateClaims(deps.database.pool, {
      ...{ status, merchantId, ...page.place },
      ...{ operatorId: operator.id, now: deps.clock.now() },
    });
    const show = ({ order, merchantName, memberName, ...claim }: ListedLateClaim) => ({
      ...showLateClaim(claim, operator),
      order: {
        ...order,
        merchantName,
        memberName,
      },
    });
    return pageAnswer(page, rows, ({ claimId }) => claimId, show);
  });

  bind(face, LIST_CANDIDATES, async ({ params }) => ({
    data: (await findCandidates(deps, params.claimId)).map((order) => ({
      ...order,
      stage: stageOf(order),
    })),
  }));

  bind(
    face,
    TAKE_LATE_CLAIM,
    async (request, caller) => {
      const show = (claim: LateClaim) => showLateClaim(claim, caller);
      const taking = { claimId: request.params.claimId, from: request.body.from ?? null };
      return { data: await doWrite(deps, caller, takeClaim(caller.actor.id, taking), show) };
    },
    { preValidation: withoutBody },
  );

  bind(face, CLOSE_LATE_CLAIM, async (request, caller) => {
    const closing = { claimId: request.params.claimId, note: request.body.note };
    const show = (claim: LateClaim) => showLateClaim(claim, caller);
    return { data: await doWrite(deps, caller, closeClaim(caller.actor.id, closing), show) };
  });
}
