import { type CandidatesView, READ_CANDIDATES } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { type Candidate, findCandidatesOf } from '../../services/candidates.ts';
import { showAccount } from '../accounts.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { jsonMoney } from '../values.ts';

/** Why an order has no member. */
export function candidateRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, READ_CANDIDATES, async ({ params }) => {
    const { order, candidates } = await findCandidatesOf(deps, params.orderId);
    const show = ({ member, objection, accounts }: Candidate): CandidatesView['members'][0] => ({
      memberId: member.memberId,
      name: member.name,
      openOrders: member.openOrders,
      maxOpenOrders: member.maxOpenOrders,
      floatFree: jsonMoney(member.floatBalance - member.floatHeld),
      objection: objection ?? null,
      accounts: accounts.map(({ account, objection: against }) => ({
        ...showAccount(account, deps.clock.now()),
        objection: against ?? null,
      })),
    });
    const { orderId, floatAmount } = order;
    return {
      data: { orderId, floatAmount: jsonMoney(floatAmount), members: candidates.map(show) },
    };
  });
}
