import type { Instant } from '@munshi/core';
import type { Queryable } from './db.ts';
import { type Row, time } from './rows.ts';

/** Whose key it is. */
export interface KeyOwner {
  readonly callerKind: 'operator' | 'member';
  readonly callerId: string;
  readonly key: string;
}

/** What the first request with a key was answered. */
export interface KeptAnswer {
  readonly status: number;
  readonly answer: string;
}

interface Reserved {
  /** The key came with this request before, or with none. */
  readonly same: boolean;
  readonly commandId: string;
  /** Undefined: not answered yet, as far as is known. */
  readonly kept: KeptAnswer | undefined;
}

const readKept = (row: Row | undefined): KeptAnswer | undefined =>
  row === undefined || row['status'] === null
    ? undefined
    : { status: row['status'], answer: row['answer'] };

/**
 * Binds a key to a request, unless it is bound. `digests` are those of this request, of which the
 * first is stored. A refused request leaves its key to the next one; the same request again keeps
 * its command, so that two tries of it are never two commands.
 */
export async function reserveRequestKey(
  db: Queryable,
  { callerKind, callerId, key }: KeyOwner,
  {
    digests,
    commandId,
    at,
  }: { readonly digests: readonly Buffer[]; readonly commandId: string; readonly at: Instant },
): Promise<Reserved> {
  const text = `insert into request_keys as k (caller_kind, caller_id, key, digest, command_id, created_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (caller_kind, caller_id, key) do update set refused = false,
      digest = case when k.refused and k.digest <> all($7::bytea[]) then excluded.digest else k.digest end,
      command_id = case when k.refused and k.digest <> all($7::bytea[]) then excluded.command_id else k.command_id end
    returning digest = any($7::bytea[]) as same, command_id, status, answer`;
  const { rows } = await db.query({
    name: 'reserve-request-key',
    text,
    values: [callerKind, callerId, key, digests[0], commandId, time(at), digests],
  });
  return { same: rows[0].same, commandId: rows[0].command_id, kept: readKept(rows[0]) };
}

/**
 * What the request was answered; its key is locked until the transaction ends, so that a repeat
 * waits for it.
 */
export async function lockRequestKey(
  db: Queryable,
  { callerKind, callerId, key }: KeyOwner,
): Promise<KeptAnswer | undefined> {
  const text =
    'select status, answer from request_keys where caller_kind = $1 and caller_id = $2 and key = $3 for update';
  const { rows } = await db.query({
    name: 'lock-request-key',
    text,
    values: [callerKind, callerId, key],
  });
  return readKept(rows[0]);
}

/** Keeps the first answer of a command; answers what is kept, which another try may have left. */
export async function keepAnswer(
  db: Queryable,
  { callerKind, callerId, key }: KeyOwner,
  commandId: string,
  { status, answer }: KeptAnswer,
): Promise<KeptAnswer | undefined> {
  const text = `update request_keys set refused = false, status = coalesce(status, $5), answer = coalesce(answer, $6)
    where caller_kind = $1 and caller_id = $2 and key = $3 and command_id = $4 returning status, answer`;
  const { rows } = await db.query({
    name: 'keep-answer',
    text,
    values: [callerKind, callerId, key, commandId, status, answer],
  });
  return readKept(rows[0]);
}

/** Nothing came of the command: its key may be used for another request. */
export async function releaseRequestKey(
  db: Queryable,
  { callerKind, callerId, key }: KeyOwner,
  commandId: string,
): Promise<void> {
  const text = `update request_keys set refused = true
    where caller_kind = $1 and caller_id = $2 and key = $3 and command_id = $4 and status is null`;
  await db.query({
    name: 'release-request-key',
    text,
    values: [callerKind, callerId, key, commandId],
  });
}

/** Forgets keys that were first used before; answers how many. */
export async function deleteRequestKeysBefore(
  db: Queryable,
  at: Instant,
  limit: number,
): Promise<number> {
  const text = `delete from request_keys where (caller_kind, caller_id, key) in (
    select caller_kind, caller_id, key from request_keys where created_at < $1 order by created_at limit $2)`;
  const { rowCount } = await db.query({
    name: 'delete-request-keys',
    text,
    values: [time(at), limit],
  });
  return rowCount ?? 0;
}
