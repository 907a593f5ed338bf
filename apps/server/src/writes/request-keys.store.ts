import type { Instant } from '@munshi/core';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { queryOne, statement, writes } from '../platform/database/statement.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';

/** Whose key it is. */
export interface KeyOwner {
  readonly callerKind: PersonKind;
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

const KEPT = { status: orNull(t.integer), answer: orNull(t.text) };
const KEPT_ANSWER = answers(KEPT);

const keptOf = (found: RecordOf<typeof KEPT_ANSWER> | undefined): KeptAnswer | undefined =>
  found === undefined || found.status === null
    ? undefined
    : { status: found.status, answer: found.answer ?? '' };

const RESERVE = statement(
  'reserve-request-key',
  `insert into request_keys as k (caller_kind, caller_id, key, digest, command_id, created_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (caller_kind, caller_id, key) do update
   set refused = false,
     digest = case
       when k.refused and k.digest <> all($7::bytea[]) then excluded.digest
       else k.digest
     end,
     command_id = case
       when k.refused and k.digest <> all($7::bytea[]) then excluded.command_id
       else k.command_id
     end
   returning digest = any($7::bytea[]) as same, command_id, status, answer`,
  answers({ same: t.boolean, commandId: t.uuid, ...KEPT }),
);

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
  const values = [callerKind, callerId, key, digests[0], commandId, time(at), digests];
  const reserved = await queryOne(db, RESERVE, values);
  if (reserved === undefined) throw new Error('a key that is reserved is answered');
  return { same: reserved.same, commandId: reserved.commandId, kept: keptOf(reserved) };
}

const LOCK = statement(
  'lock-request-key',
  `select status, answer
   from request_keys
   where caller_kind = $1 and caller_id = $2 and key = $3
   for update`,
  KEPT_ANSWER,
);

/**
 * What the request was answered; its key is locked until the transaction ends, so that a repeat
 * waits for it.
 */
export async function lockRequestKey(
  db: Queryable,
  { callerKind, callerId, key }: KeyOwner,
): Promise<KeptAnswer | undefined> {
  return keptOf(await queryOne(db, LOCK, [callerKind, callerId, key]));
}

const KEEP_ANSWER = statement(
  'keep-answer',
  `update request_keys
   set refused = false,
     status = coalesce(status, $5),
     answer = coalesce(answer, $6)
   where caller_kind = $1 and caller_id = $2 and key = $3 and command_id = $4
   returning status, answer`,
  KEPT_ANSWER,
);

/** Keeps the first answer of a command; answers what is kept, which another try may have left. */
export async function keepAnswer(
  db: Queryable,
  { callerKind, callerId, key }: KeyOwner,
  commandId: string,
  { status, answer }: KeptAnswer,
): Promise<KeptAnswer | undefined> {
  const values = [callerKind, callerId, key, commandId, status, answer];
  return keptOf(await queryOne(db, KEEP_ANSWER, values));
}

/** Nothing came of the command: its key may be used for another request. */
export const releaseRequestKey = writes(
  'release-request-key',
  `update request_keys
   set refused = true
   where caller_kind = $1
     and caller_id = $2
     and key = $3
     and command_id = $4
     and status is null`,
  ({ callerKind, callerId, key }: KeyOwner, commandId: string) => [
    callerKind,
    callerId,
    key,
    commandId,
  ],
);

/** Forgets keys that were first used before; answers how many. */
export const deleteRequestKeysBefore = writes(
  'delete-request-keys',
  `delete from request_keys
   where (caller_kind, caller_id, key) in (
     select caller_kind, caller_id, key
     from request_keys
     where created_at < $1
     order by created_at
     limit $2
   )`,
  (at: Instant, limit: number) => [time(at), limit],
);
