import { type CandidatesView, type Given, READ_CANDIDATES } from '@munshi/api';
import { showAccount } from '../members/accounts.routes.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { type Candidate, findCandidatesOf } from './candidates.service.ts';

/** Why an order has no member. */
export function candidateRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, READ_CANDIDATES, async ({ params }) => {
    const { order, candidates } = await findCandidatesOf(deps, params.orderId);
    const show = ({
      member,
      objection,
      accounts,
    }: Candidate): Given<CandidatesView>['members'][0] => ({
      ...member,
      floatFree: member.floatBalance - member.floatHeld,
      objection: objection ?? null,
      accounts: accounts.map(({ account, objection: against }) => ({
        ...showAccount(account, deps.clock.now()),
        objection: against ?? null,
      })),
    });
    return { data: { ...order, members: candidates.map(show) } };
  });
}
