import type { Queryable } from './db.ts';

/** The members whom others have changed, and from where to ask again. */
export interface MemberChanges {
  readonly memberIds: readonly string[];
  /** Whatever was not committed yet, or is still to begin, is found from here on. */
  readonly horizon: string;
}

const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())';
const CHANGES = `select ${HORIZON}::text as horizon,
  array(select distinct unnest(member_ids) from member_changes where changed_in >= $1::text::xid8 and writer is distinct from $2::integer) as member_ids`;

/** Whom sessions other than `writer` have changed since that horizon. */
export async function readMemberChanges(
  db: Queryable,
  since: string,
  writer: number | null,
): Promise<MemberChanges> {
  const { rows } = await db.query({
    name: 'member-changes',
    text: CHANGES,
    values: [since, writer],
  });
  return { memberIds: rows[0].member_ids, horizon: rows[0].horizon };
}

/** A horizon to begin at: all that a reading begun after it does not see is found from here on. */
export async function readMemberHorizon(db: Queryable): Promise<string> {
  const { rows } = await db.query({
    name: 'member-horizon',
    text: `select ${HORIZON}::text as horizon`,
  });
  return rows[0].horizon;
}

/**
 * From before the horizon; or from another server, of which this one is a copy, and whose
 * transactions had come further.
 */
const FORGET =
  'delete from member_changes where changed_in < $1::text::xid8 or changed_in >= pg_snapshot_xmax(pg_current_snapshot())';

/** Drops what everybody has had the time to read. */
export async function forgetMemberChanges(db: Queryable, before: string): Promise<void> {
  await db.query({ name: 'forget-member-changes', text: FORGET, values: [before] });
}
