import { Refused } from '../platform/refusals.ts';
import type { Work } from '../writes/write.ts';
import { deleteOtherSignIns, deleteSignIn } from './sessions.store.ts';

/** One's own sign-ins, and the one that asks. */
interface OwnSignIn {
  readonly principalId: string;
  readonly tokenHash: string;
}

/** A member's, whom an operator signs out. */
interface MembersSignIn {
  readonly memberId: string;
}

/**
 * Ends one sign-in of somebody, or with null all of them but the one that asks; answers how many.
 * Throws `not-found`.
 */
export function endSignIn(
  whose: OwnSignIn | MembersSignIn,
  sessionId: string | null,
): Work<{ readonly ended: number }> {
  const { principalId, tokenHash, action } =
    'memberId' in whose
      ? { principalId: whose.memberId, tokenHash: null, action: 'member.sessions-end' as const }
      : { ...whose, action: 'session.end' as const };
  return async (client) => {
    const ended =
      sessionId === null
        ? await deleteOtherSignIns(client, principalId, tokenHash)
        : Number(await deleteSignIn(client, principalId, sessionId));
    if (sessionId !== null && ended === 0) throw new Refused('not-found', 'Session not found.');
    const detail = { ended, ...(sessionId !== null && { sessionId }) };
    const result = { ended };
    return { result, action, target: principalId, detail, endsSessionsOf: principalId };
  };
}
