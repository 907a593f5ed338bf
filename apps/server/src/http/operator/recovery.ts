import type { MAKE_MEMBER_RECOVERY, MAKE_OPERATOR_RECOVERY } from '@munshi/api';
import { explainLink, type MadeLink, makeRecoveryLink } from '../../services/recovery-links.ts';
import type { Deps } from '../deps.ts';
import type { OperatorWrite } from './door.ts';

/** A link by which an operator or a member chooses a password: one for another. */
export const recoveryWrite = (
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
    ...(await makeRecoveryLink(client, now, { face, principalId, madeBy: asker.id }, deps)),
    endsSessionsOf: principalId,
  }),
});
