import type { AuditActor } from '@munshi/core';
import type pg from 'pg';
import { deleteOtherSignIns, deleteSignIn } from '../storage/people/sessions.ts';
import type { ServiceDeps } from './deps.ts';
import { Refused } from './refusals.ts';
import { type Caller, recordedWrite } from './write.ts';

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
export async function endSignIn(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'notices'>,
  caller: Caller<AuditActor>,
  whose: OwnSignIn | MembersSignIn,
  sessionId: string | null,
): Promise<number> {
  const { principalId, tokenHash, action } =
    'memberId' in whose
      ? { principalId: whose.memberId, tokenHash: null, action: 'member.sessions-end' as const }
      : { ...whose, action: 'session.end' as const };
  const end = async (client: pg.PoolClient) => {
    const ended =
      sessionId === null
        ? await deleteOtherSignIns(client, principalId, tokenHash)
        : Number(await deleteSignIn(client, principalId, sessionId));
    if (sessionId !== null && ended === 0) throw new Refused('not-found', 'Session not found.');
    const detail = { ended, ...(sessionId !== null && { sessionId }) };
    return { result: ended, action, target: principalId, detail };
  };
  const ended = await recordedWrite(deps, caller, end, (count) => ({ ended: count }));
  deps.notices.sessionsEnded(principalId);
  return ended;
}
