import { answers, only, t } from '../../platform/database/columns.ts';
import type { Queryable } from '../../platform/database/queryable.ts';
import { query, readsRow, statement, writes } from '../../platform/database/statement.ts';

/** The members whom others have changed, and from where to ask again. */
export interface MemberChanges {
  readonly memberIds: readonly string[];
  /** Changes that were not committed yet, or have yet to begin, are found from here on. */
  readonly horizon: string;
}

const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())::text as horizon';

const CHANGES = statement(
  'member-changes',
  `select ${HORIZON},
     array(
       select distinct unnest(member_ids)
       from member_changes
       where changed_in >= $1::text::xid8
         and writer is distinct from $2::integer
     ) as member_ids`,
  answers({ horizon: t.text, memberIds: t.uuids }),
);

/** Whom sessions other than `writer` have changed since that horizon. */
export async function readMemberChanges(
  db: Queryable,
  since: string,
  writer: number | null,
): Promise<MemberChanges> {
  const [row] = await query(db, CHANGES, [since, writer]);
  return { memberIds: row?.memberIds ?? [], horizon: row?.horizon ?? since };
}

/** A horizon to begin at: all that a reading begun after it does not see is found from here on. */
export const readMemberHorizon = readsRow(
  'member-horizon',
  `select ${HORIZON}`,
  only('horizon', t.text),
);

/** Drops changes that every process has had time to read. */
export const forgetMemberChanges = writes(
  'forget-member-changes',
  // Rows ahead of the current transactions come from another server of which this one is a copy: its
  // transactions had come further.
  `delete from member_changes
   where changed_in < $1::text::xid8
     or changed_in >= pg_snapshot_xmax(pg_current_snapshot())`,
  (before: string) => [before],
);
