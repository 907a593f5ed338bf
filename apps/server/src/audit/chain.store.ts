import { hash } from 'node:crypto';
import type pg from 'pg';
import { answers, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { execute, lockFor, query, statement } from '../platform/database/statement.ts';

/**
 * The chain of hashes over the audit log, made after the fact in the order in which it became
 * certain what was written (decision 12). Nothing of a signed-off chain can be changed, removed,
 * inserted or moved without every later hash being wrong.
 */

/**
 * What is hashed of an entry `a`: its fields as a JSON array. It never changes: chains that were
 * made would be broken. Times are microseconds since the epoch.
 */
export const DIGEST = `sha256(convert_to(jsonb_build_array(
       a.audit_id, a.actor_kind, a.actor_id, a.actor_name, a.address, a.action, a.target, a.detail,
       (extract(epoch from a.at) * 1000000)::bigint, a.command_id
     )::text, 'UTF8'))`;

/** The hash before the first entry. */
const START = Buffer.alloc(32);
export const START_SQL = `decode(repeat('00', 32), 'hex')`;

const linkHash = (before: Buffer, digest: Buffer): Buffer =>
  hash('sha256', Buffer.concat([before, digest]), 'buffer');

export interface ChainHead {
  /** How many entries are chained. */
  readonly position: number;
  readonly hash: Buffer;
}

const HEAD = statement(
  'audit-chain-head',
  `select position, hash
   from audit_chain
   order by position desc
   limit 1`,
  answers({ position: t.bigint, hash: t.bytes }),
);

/** The last link. */
export async function readChainHead(db: Queryable): Promise<ChainHead> {
  const [row] = await query(db, HEAD);
  return { position: row?.position ?? 0, hash: row?.hash ?? START };
}

const TAKE_TURN = lockFor('take-turn-to-chain', `'munshi audit chain'`);

/**
 * Transactions before the snapshot's horizon have ended, and everything that they wrote is seen: no
 * later entry can come to stand before one of theirs. Numbers beyond the snapshot are of another
 * server, from which this database was restored.
 */
const CERTAIN = statement(
  'certain-audit-entries',
  `select a.audit_id, ${DIGEST} as digest
   from audit_unchained u
   join audit_log a on a.audit_id = u.audit_id
   where u.written_by < pg_snapshot_xmin(pg_current_snapshot())
     or u.written_by >= pg_snapshot_xmax(pg_current_snapshot())
   order by u.written_by, u.audit_id
   limit $1`,
  answers({ auditId: t.uuid, digest: t.bytes }),
);

const INSERT = statement(
  'insert-audit-links',
  `insert into audit_chain (position, audit_id, hash)
   select *
   from unnest($1::bigint[], $2::uuid[], $3::bytea[])`,
);

const DELETE = statement(
  'delete-chained-audit-entries',
  `delete from audit_unchained
   where audit_id = any($1::uuid[])`,
);

/**
 * Chains what is certain, at most `limit` entries, in the caller's transaction; answers how many.
 * Of two at once the second waits for the first: an advance of a sandbox clock chains beside the
 * job.
 */
export async function chainEntries(client: pg.PoolClient, limit: number): Promise<number> {
  await query(client, TAKE_TURN);
  const entries = await query(client, CERTAIN, [limit]);
  if (entries.length === 0) return 0;
  let head = await readChainHead(client);
  const links = entries.map(({ auditId, digest }) => {
    head = { position: head.position + 1, hash: linkHash(head.hash, digest) };
    return { auditId, ...head };
  });
  const auditIds = links.map(({ auditId }) => auditId);
  await execute(client, INSERT, [
    links.map(({ position }) => position),
    auditIds,
    links.map((link) => link.hash),
  ]);
  await execute(client, DELETE, [auditIds]);
  return links.length;
}
