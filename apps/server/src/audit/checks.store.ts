import type { Instant } from '@munshi/core';
import { answers, assignments, columns, orNull, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, readsRow, statement, writes } from '../platform/database/statement.ts';
import { DIGEST, START_SQL } from './chain.store.ts';

/** What is wrong with the chain of the audit log, read by pieces and by `munshi verify`. */

/** Where the chain does not hold. */
export interface Break {
  /** Of the link; null for an entry that has none. */
  readonly position: number | null;
  readonly auditId: string;
  /**
   * `changed`: the entry, its link or the one before is not what it was. `removed`: the entry is
   * gone. `gap`: links before this one are gone. `unlinked`: the entry came past the chain.
   */
  readonly problem: 'changed' | 'removed' | 'gap' | 'unlinked';
}

/** Links that do not hold, the first one first, of those that `range` names. */
export const brokenLinks = (range: string) => `
      select l.position, l.audit_id, l.problem
      from (
        select c.position, c.audit_id,
          case
            when c.position <> 1 + coalesce(lag(c.position) over w, 0) then 'gap'
            when a.audit_id is null then 'removed'
            when c.hash <> sha256(coalesce(lag(c.hash) over w, ${START_SQL}) || ${DIGEST})
              then 'changed'
          end as problem
        from audit_chain c
        left join audit_log a on a.audit_id = c.audit_id
        where ${range}
        window w as (order by c.position)
      ) l
      where l.problem is not null
      order by l.position`;

/** Entries that are neither chained nor waiting, of those that `range` names. */
export const unlinkedEntries = (range: string) => `
      select a.audit_id, 'unlinked' as problem
      from audit_log a
      where ${range}
        and not exists (select from audit_chain c where c.audit_id = a.audit_id)
        and not exists (select from audit_unchained u where u.audit_id = a.audit_id)
      order by a.audit_id`;

/** An entry that waits for so long by the database's clock is not chained at all. */
export const LATE_MINUTES = 5;

/** How far a round of checking is. */
const STATE_COLUMNS = {
  nextPosition: t.bigint,
  afterAuditId: t.uuid,
  /** In this round. */
  found: orNull(t.json<Break>()),
  /** In this round, or in the one before. */
  broken: orNull(t.json<Break>()),
  /** When the last whole round ended. */
  checkedAt: orNull(t.instant),
};
const STATE = columns('', STATE_COLUMNS);

const READ_STATE = `select ${STATE.list}
   from audit_checks`;

export const readCheckState = readsRow('audit-check-state', READ_STATE, STATE);

/** Locked until the transaction ends. */
export const lockCheckState = readsRow('lock-audit-check-state', `${READ_STATE} for update`, STATE);

const CHANGES = assignments(STATE_COLUMNS);

export const putCheckState = writes(
  'put-audit-check-state',
  `update audit_checks set ${CHANGES.set}`,
  CHANGES.valuesOf,
);

const LINKS_OF_PIECE = statement(
  'broken-audit-links',
  `select *
   from (${brokenLinks('c.position between $1::bigint - 1 and $1::bigint + $2::bigint - 1')}) broken
   where position >= $1
   limit 1`,
  answers({ position: t.bigint, auditId: t.uuid, problem: t.oneOf<Break['problem']>() }),
);

const UNLINKED_OF_PIECE = statement(
  'unlinked-audit-entries',
  `select audit_id
   from (${unlinkedEntries('a.audit_id > $1::uuid and a.audit_id <= $2::uuid')}) unlinked
   limit 1`,
  answers({ auditId: t.uuid }),
);

const END_OF_PIECE = statement(
  'end-of-audit-piece',
  `select audit_id, row_number() over (order by audit_id)::integer as count
   from (
     select audit_id
     from audit_log
     where audit_id > $1::uuid
     order by audit_id
     limit $2
   ) piece
   order by audit_id desc
   limit 1`,
  answers({ auditId: t.uuid, count: t.integer }),
);

/** The first break among `limit` links from a position on; null where they hold. */
export async function findBrokenLink(
  db: Queryable,
  position: number,
  limit: number,
): Promise<Break | null> {
  const [row] = await query(db, LINKS_OF_PIECE, [position, limit]);
  if (row === undefined) return null;
  return { position: row.position, auditId: row.auditId, problem: row.problem };
}

/** The same for entries without a link, behind one; with where the piece ended. */
export async function findUnlinkedEntry(db: Queryable, afterAuditId: string, limit: number) {
  const [end] = await query(db, END_OF_PIECE, [afterAuditId, limit]);
  if (end === undefined) return { found: null, last: null };
  const [row] = await query(db, UNLINKED_OF_PIECE, [afterAuditId, end.auditId]);
  const found: Break | null =
    row === undefined ? null : { position: null, auditId: row.auditId, problem: 'unlinked' };
  return { found, last: end.count < limit ? null : end.auditId };
}

/** How many entries wait to be chained, and whether one does for more than `minutes`. */
export const readWaitingEntries = readsRow(
  'waiting-audit-entries',
  `select count(*)::integer as count,
     coalesce(min(since) < clock_timestamp() - make_interval(mins => $1), false) as late
   from audit_unchained`,
  answers({ count: t.integer, late: t.boolean }),
  (minutes: number) => [minutes],
);

const SOUND_UNTIL = statement(
  'audit-sound-until',
  `select a.at
   from audit_log a
   where a.audit_id = coalesce(
     (select audit_id from audit_chain where position < $1 order by position desc limit 1),
     (select audit_id from audit_log where audit_id < $2::uuid order by audit_id desc limit 1)
   )`,
  answers({ at: orNull(t.instant) }),
);

/** When the last entry before a break was written; null where there is none. */
export async function readSoundUntil(
  db: Queryable,
  { position, auditId }: Break,
): Promise<Instant | null> {
  const [row] = await query(db, SOUND_UNTIL, [position, auditId]);
  return row?.at ?? null;
}
