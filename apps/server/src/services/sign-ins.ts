import type pg from 'pg';
import { deleteOtherSignIns, deleteSignIn } from '../storage/sessions.ts';
import type { ServiceDeps } from './deps.ts';
import { Refused } from './refusals.ts';
import { type Caller, recordedWrite } from './write.ts';

/** Whose sign-ins, and the one that asks. */
export interface OwnSignIn {
  readonly principalId: string;
  readonly tokenHash: string;
}

/**
 * Ends one of somebody's own sign-ins, or with null all but the present one; answers how many.
 * Throws `not-found`.
 */
export async function endSignIn(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'notices'>,
  caller: Caller,
  { principalId, tokenHash }: OwnSignIn,
  sessionId: string | null,
): Promise<number> {
  const end = async (client: pg.PoolClient) => {
    const ended =
      sessionId === null
        ? await deleteOtherSignIns(client, principalId, tokenHash)
        : Number(await deleteSignIn(client, principalId, sessionId));
    if (sessionId !== null && ended === 0) throw new Refused('not-found', 'Session not found.');
    const detail = { ended, ...(sessionId !== null && { sessionId }) };
    return { result: ended, action: 'session.end', target: principalId, detail };
  };
  const ended = await recordedWrite(deps, caller, end, (count) => ({ ended: count }));
  deps.notices.sessionsEnded(principalId);
  return ended;
}
