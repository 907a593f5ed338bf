import { type AuditEntry, type Instant, seenLine } from '@munshi/core';
import { AUDIT_COLUMNS, AUDIT_ENTRY, auditRecord, publishAudit } from '../engine/rows/audit.ts';
import {
  answers,
  from as column,
  columns,
  insertion,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { firstIdOf } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { nameKeyOf } from '../platform/database/search-key.ts';
import {
  execute,
  type Page,
  query,
  queryOne,
  statement,
  unprepared,
} from '../platform/database/statement.ts';

const NEW_ENTRY = insertion('audit_log', AUDIT_COLUMNS);
const INSERT = statement('insert-audit-entry', NEW_ENTRY.into);

/**
 * Writes what an operator did, in the transaction of its effect. The engine writes the entries of
 * its own commands.
 */
export async function insertAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  publishAudit(entry);
  await execute(db, INSERT, NEW_ENTRY.valuesOf(auditRecord(entry)));
}

const INSERT_ONCE = statement(
  'insert-audit-entry-once',
  `${NEW_ENTRY.into}
   on conflict (audit_id) do nothing`,
);

/** Writes an entry before its effect, once for each `auditId`: a repeat of the request adds none. */
export async function insertAuditOnce(db: Queryable, entry: AuditEntry): Promise<void> {
  publishAudit(entry);
  await execute(db, INSERT_ONCE, NEW_ENTRY.valuesOf(auditRecord(entry)));
}

const NOTED = statement(
  'audit-entry-noted',
  `select audit_id
   from audit_log
   where actor_id = $1
     and action = $2
     and target = $3
     and detail = $4::jsonb
     and audit_id >= $5
   limit 1`,
  answers({ auditId: t.uuid }),
);

/** Writes an entry, but where the log says the same of the same actor since then. */
export async function insertAuditUnlessNoted(
  db: Queryable,
  entry: AuditEntry,
  since: Instant,
): Promise<void> {
  publishAudit(entry);
  const { actor, action, target, detail } = entry;
  const values = [actor.id, action, target, JSON.stringify(detail), firstIdOf(since)];
  if ((await queryOne(db, NOTED, values)) !== undefined) return;
  await execute(db, INSERT, NEW_ENTRY.valuesOf(auditRecord(entry)));
}

export interface AuditQuestion extends Page {
  /** An id, or part of a person's name or username. */
  readonly actor: string | null;
  readonly actorId: string | null;
  readonly action: string | null;
  /** An id, part of a person's or merchant's name, or an order's reference. */
  readonly target: string | null;
  readonly address: string | null;
  /** Written at this time or later. */
  readonly from: Instant | null;
  /** Written before this time. */
  readonly to: Instant | null;
}

/** Adjustments of wallets that wait are written by the same action as those that are done. */
const IS_ASKED = `case
       when action in ('wallet.credit', 'wallet.debit', 'wallet.freeze', 'wallet.unfreeze')
         then exists (
           select from approvals
           where approval_id = coalesce(detail ->> 'approvalId', detail ->> 'adjustmentId')::uuid
         )
       else false
     end`;

const AUDIT = columns('', {
  ...AUDIT_ENTRY,
  /** What was asked for, and not done by this entry: a second operator decides, or has decided. */
  isAsked: column(IS_ASKED, t.boolean),
});
export type AuditRecord = RecordOf<typeof AUDIT>;

const LIST = unprepared(
  'list-audit-entries',
  `select ${AUDIT.list}
   from audit_log
   where ($1::text[] is null or actor_id = any($1))
     and ($2::text is null or action = $2)
     and ($3::text[] is null or target = any($3))
     and ($4::text is null or address = $4)
     and ($5::timestamptz is null or at >= $5)
     and ($6::timestamptz is null or at < $6)
     and ($7::uuid is null or audit_id >= $7)
     and ($8::uuid is null or audit_id < $8)
     and ($9::uuid is null or audit_id < $9)
     and ($11::text is null or actor_id = $11)
   order by audit_id desc
   limit $10`,
  AUDIT,
);

const TYPED = nameKeyOf('$1::text');
const hasTyped = (column: string) => `strpos(${nameKeyOf(column)}, ${TYPED}) > 0`;
const PEOPLE = ['operator', 'member', 'portal_user']
  .map(
    (who) => `select ${who}_id::text as id
   from ${who}s
   where ${hasTyped('username')} or ${hasTyped('name')}`,
  )
  .join('\n   union all\n   ');
/** More than a platform has people. */
const NAMED_MAX = 10_000;

const ACTORS = statement(
  'audit-actors',
  `${PEOPLE}
   limit ${NAMED_MAX}`,
  answers({ id: t.text }),
);

const TARGETS = statement(
  'audit-targets',
  `${PEOPLE}
   union all
   select merchant_id::text
   from merchants
   where ${hasTyped('name')}
   union all
   select order_id::text
   from orders
   where order_reference = upper($1)
   limit ${NAMED_MAX}`,
  answers({ id: t.text }),
);

/** The id that was typed, and those of what has the name. */
async function idsOf(
  db: Queryable,
  typed: string | null,
  named: typeof ACTORS,
): Promise<readonly string[] | null> {
  const seen = seenLine(typed ?? '');
  if (seen === '') return null;
  return [seen, ...(await query(db, named, [seen])).map(({ id }) => id)];
}

/** An id is never behind its entry's time, and ahead of it by no more than a clock was set back. */
const ID_MARGIN_MS = 60 * 60 * 1000;

/** The audit log, the newest first: its ids sort by time. */
export async function listAudit(
  db: Queryable,
  { actor, actorId, action, target, address, from, to, after, limit }: AuditQuestion,
): Promise<readonly AuditRecord[]> {
  const values = [
    await idsOf(db, actor, ACTORS),
    action,
    await idsOf(db, target, TARGETS),
    address,
    time(from),
    time(to),
    from === null ? null : firstIdOf(from),
    to === null ? null : firstIdOf(to + ID_MARGIN_MS),
    after,
    limit,
    actorId,
  ];
  return query(db, LIST, values);
}
