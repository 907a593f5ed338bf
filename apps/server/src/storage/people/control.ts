import { CREDENTIAL_ACTIONS, controllersOf } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { query, unprepared } from '../statement.ts';

const CREDENTIALS = unprepared(
  'member-credentials',
  `select target, action, actor_id, detail
   from audit_log
   where target = any($1) and action = any($2)
   order by audit_id`,
);

/** Which operators control each of these members. */
export async function readControllers(
  db: Queryable,
  memberIds: readonly string[],
): Promise<(memberId: string) => ReadonlySet<string>> {
  const rows =
    memberIds.length === 0 ? [] : await query(db, CREDENTIALS, [memberIds, CREDENTIAL_ACTIONS]);
  const entries = Map.groupBy(rows, (row) => row['target'] as string);
  return (memberId) =>
    controllersOf(
      (entries.get(memberId) ?? []).map((row) => ({
        action: row['action'],
        actor: { id: row['actor_id'] },
        detail: row['detail'],
      })),
    );
}
