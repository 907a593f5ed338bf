import {
  CONFIRM_CODE,
  READ_CODE_STATE,
  REMOVE_CODE,
  RENEW_RECOVERY_CODES,
  SET_UP_CODE,
  TURN_CODE_OFF,
} from '@munshi/api';
import { operatorWrite } from '../door/door.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { ownCodeRoutes } from '../people/one-time-codes.routes.ts';
import { explainCodeRemoval, removeCode } from '../people/one-time-codes.service.ts';
import type { Sessions } from '../people/session.http.ts';
import type { OperatorPrincipal } from '../people/sessions.store.ts';
import { Refused } from '../platform/refusals.ts';

/** Codes are about who signs in with a password: a script token changes nothing of them. */
function signedIn({ session, id, username, actor }: Operator) {
  if (session === undefined || session.kind !== 'operator')
    throw new Refused('wrong-state', 'Sign in with your password: a script token has no codes.');
  return {
    owner: { kind: 'operator', principalId: id, username, actor },
    session,
  } as const;
}

/** One's own one-time codes, and those of others. */
export function oneTimeCodeRoutes(
  face: OperatorFace,
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): void {
  ownCodeRoutes(face, deps, sessions, {
    state: READ_CODE_STATE,
    setUp: SET_UP_CODE,
    confirm: CONFIRM_CODE,
    renew: RENEW_RECOVERY_CODES,
    turnOff: TURN_CODE_OFF,
    signedIn,
    holderOf: ({ session, id }) => session && { kind: 'operator', principalId: id },
  });
}

/** Turning the codes of another operator off may wait for a second one. */
export const codeRemovalWrites = (deps: Deps) => ({
  REMOVE_CODE: operatorWrite(deps, REMOVE_CODE, {
    kind: 'one-time-code-removal',
    read: ({ params }) => params.operatorId,
    explain: explainCodeRemoval,
    work: async (client, operatorId, now, _ids, { asker }) => {
      await explainCodeRemoval(client, operatorId, now, asker);
      return removeCode(client, operatorId, asker);
    },
    show: (removed) => removed,
  }),
});
