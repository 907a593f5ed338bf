import type { Page } from '@munshi/api';
import { listSignIns, type SignInRecord } from '../storage/sessions.ts';
import type { Deps } from './deps.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { jsonTime } from './values.ts';

/** A page of somebody's own sign-ins; `sessionId` is the one that asks. */
export async function listOwnSignIns(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  query: Page,
  { principalId, sessionId }: { readonly principalId: string; readonly sessionId: string },
) {
  const page = pageOf(query);
  const { after, limit } = page;
  const question = { principalId, now: clock.now(), after, limit: limit + 1 };
  const show = (row: SignInRecord) => ({
    ...row,
    createdAt: jsonTime(row.createdAt),
    lastUsedAt: jsonTime(row.lastUsedAt),
    expiresAt: jsonTime(row.expiresAt),
    current: row.sessionId === sessionId,
  });
  const rows = await listSignIns(database.pool, question);
  return pageAnswer(page, rows, (row) => row.sessionId, show);
}
