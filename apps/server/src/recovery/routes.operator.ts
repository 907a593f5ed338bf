import { MAKE_MEMBER_RECOVERY, MAKE_OPERATOR_RECOVERY } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { bindWrite, type OperatorWrite } from '../door/door.ts';
import type { Deps } from '../people/deps.ts';
import { explainLink, type MadeLink, makeRecoveryLink } from './service.ts';

/** A link by which an operator or a member chooses a password: one for another. */
export function recoveryLinkRoutes(app: FastifyInstance, deps: Deps): void {
  bindWrite(app, deps, MAKE_OPERATOR_RECOVERY, recoveryWrite('operator', 'operatorId', deps));
  bindWrite(app, deps, MAKE_MEMBER_RECOVERY, recoveryWrite('member', 'memberId', deps));
}

const recoveryWrite = (
  face: 'operator' | 'member',
  param: 'operatorId' | 'memberId',
  deps: Deps,
): OperatorWrite<
  typeof MAKE_OPERATOR_RECOVERY | typeof MAKE_MEMBER_RECOVERY,
  string,
  MadeLink
> => ({
  kind: `${face}-recovery`,
  read: ({ params }) => (params as Readonly<Record<string, string>>)[param] as string,
  explain: (client, principalId, now, who) => explainLink(client, face, principalId, who, now),
  work: async (client, principalId, now, _ids, { asker }) => ({
    ...(await makeRecoveryLink(
      client,
      now,
      { face, principalId, by: { kind: 'operator', id: asker.id } },
      deps,
    )),
    endsSessionsOf: principalId,
  }),
});
