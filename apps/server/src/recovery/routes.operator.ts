import { MAKE_MEMBER_RECOVERY, MAKE_OPERATOR_RECOVERY } from '@munshi/api';
import { operatorWrite, type WriteParts } from '../door/door.ts';
import type { Deps } from '../people/deps.ts';
import { explainLink, type MadeLink, makeRecoveryLink } from './service.ts';

/** A link by which an operator or a member chooses a password: one for another. */
export const recoveryLinkWrites = (deps: Deps) => ({
  MAKE_OPERATOR_RECOVERY: operatorWrite(
    deps,
    MAKE_OPERATOR_RECOVERY,
    recoveryWrite('operator', 'operatorId', deps),
  ),
  MAKE_MEMBER_RECOVERY: operatorWrite(
    deps,
    MAKE_MEMBER_RECOVERY,
    recoveryWrite('member', 'memberId', deps),
  ),
});

const recoveryWrite = (
  face: 'operator' | 'member',
  param: 'operatorId' | 'memberId',
  deps: Deps,
): WriteParts<typeof MAKE_OPERATOR_RECOVERY | typeof MAKE_MEMBER_RECOVERY, string, MadeLink> => ({
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
