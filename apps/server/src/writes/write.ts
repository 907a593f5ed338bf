import {
  type Actor,
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  formatMoney,
  type Instant,
  maskLogin,
} from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import type { Changed } from '../engine/preview.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, inTransaction, takenBack } from '../platform/database/db.ts';
import { insertAudit } from './audit-log.store.ts';
import type { ServiceDeps } from './deps.ts';
import {
  type KeptAnswer,
  type KeyOwner,
  keepAnswer,
  lockRequestKey,
} from './request-keys.store.ts';

/** The identity under which a request acts. Given to the engine as it is. */
export interface Once {
  readonly commandId: string;
  /** An earlier try of the request may have done it. */
  readonly mayBeDone: boolean;
}

/** The `Idempotency-Key` of a request. */
export interface BoundKey {
  readonly owner: KeyOwner;
  /** Writes the body of an answer, as the request's own is written. */
  write(answer: { readonly data: unknown }): string;
  /** The answer was kept together with the effect. */
  kept: boolean;
}

/** Who writes, and under which `Idempotency-Key`. */
export interface Caller<Who extends AuditActor = Actor> {
  readonly actor: Who;
  readonly once: Once;
  /** Null without a key. */
  readonly boundKey: BoundKey | null;
  /** Only what the write would do is asked for: all of it is taken back. */
  readonly preview?: boolean;
}

/** A caller of the operator face. */
export type OperatorCaller = Caller<Actor & { readonly kind: 'operator' }>;

/** What a write did, for the audit log; never a password, key or secret. */
export interface Written<T> {
  readonly result: T;
  readonly action: AuditAction;
  /** The id of what was acted on. */
  readonly target: string;
  readonly detail?: AuditEntry['detail'];
  /** The command that did it: an order's history finds its entry by that. */
  readonly commandId?: string | undefined;
  /** What it did to other things, each with an entry of its own. */
  readonly others?: readonly Omit<Written<unknown>, 'result' | 'others'>[];
}

/** The same with a secret that is shown once and stored nowhere. */
export interface WithSecrets<T> extends Written<T> {
  readonly secrets?: Readonly<Record<string, string>>;
}

/** What a write did, and what follows once it is committed. */
export interface Done<T> extends WithSecrets<T> {
  /** Whose sign-ins have ended with it. */
  readonly endsSessionsOf?: string;
  /** What a command has changed that was decided with it, for previews. */
  readonly changed?: Changed;
  /** Has others look at what has changed, and what follows of a command that was decided with it. */
  readonly after?: () => void | Promise<void>;
  /** What is done and known only then, such as whether a mail went out: for the first answer. */
  readonly adds?: () => Promise<object>;
}

/**
 * A write as a function of its transaction, in which it may decide a command too
 * (`engine.decideIn`). It throws its refusals.
 */
export type Work<T> = (client: pg.PoolClient, now: Instant, ids: Ids) => Promise<Done<T>>;

/** Thrown where another try of the request has been answered meanwhile. */
export class AnsweredBefore extends Error {
  readonly kept: KeptAnswer;
  constructor(kept: KeptAnswer) {
    super('this request has been answered before');
    this.kept = kept;
  }
}

export interface WriteDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Runs a write that is no command and records it in the audit log, in one transaction. A repeat
 * waits for the first try, does nothing and throws AnsweredBefore with what `show` made of the
 * first result, secrets left out. With null the face's answer is kept after the transaction: for
 * writes that may be done again. A preview does the work and takes it back.
 */
export async function recordedWrite<T>(
  { database, clock, ids }: WriteDeps,
  { actor, once, boundKey, preview }: Caller<AuditActor>,
  work: (client: pg.PoolClient, now: Instant, ids: Ids) => Promise<Written<T>>,
  show: ((result: T) => unknown) | null = (result) => result,
): Promise<T> {
  const now = clock.now();
  if (preview) return (await takenBack(database.pool, (client) => work(client, now, ids))).result;
  const { result, data } = await inTransaction(database.pool, async (client) => {
    const kept = boundKey === null ? undefined : await lockRequestKey(client, boundKey.owner);
    if (kept !== undefined) throw new AnsweredBefore(kept);
    const written = await work(client, now, ids);
    for (const one of [written, ...(written.others ?? [])])
      await insertAudit(client, auditEntry(ids, actor, one, now));
    const data = boundKey === null ? undefined : show?.(written.result);
    if (boundKey !== null && data !== undefined)
      await keepAnswer(client, boundKey.owner, once.commandId, {
        status: 200,
        answer: boundKey.write({ data }),
      });
    return { result: written.result, data };
  });
  if (boundKey !== null) boundKey.kept = data !== undefined;
  return result;
}

/**
 * Does a write and answers what `show` makes of its result, with the secrets that it gives. A repeat
 * is answered the same, but for the secrets: it says that they were shown.
 */
export async function doWrite<T, Shown extends object = T & object>(
  deps: WriteDeps & Pick<ServiceDeps, 'notices'>,
  caller: Caller<AuditActor>,
  work: Work<T>,
  show: (result: T) => Shown = (result) => result as unknown as Shown,
): Promise<Shown> {
  const run = async (client: pg.PoolClient, now: Instant, ids: Ids) => {
    const done = await work(client, now, ids);
    const shown: Shown = show(done.result);
    return { ...done, result: { ...done, shown } };
  };
  const { shown, secrets, endsSessionsOf, after, adds } = await recordedWrite<
    Done<T> & { readonly shown: Shown }
  >(deps, caller, run, (done) =>
    done.secrets === undefined ? done.shown : { ...done.shown, secretShown: true },
  );
  if (caller.preview) return shown;
  if (endsSessionsOf !== undefined) deps.notices.sessionsEnded(endsSessionsOf);
  await after?.();
  return { ...shown, ...secrets, ...(await adds?.()) } as Shown;
}

/** An entry of the audit log. */
export function auditEntry(
  ids: Ids,
  actor: AuditActor,
  { action, target, detail = {}, commandId }: Omit<Written<unknown>, 'result'>,
  at: Instant,
): AuditEntry {
  const by = commandId === undefined ? {} : { commandId };
  return { auditId: ids.uuid(at), actor, action, target, detail, at, ...by };
}

type Plain = string | number | boolean | null;

const plain = (value: unknown): Plain => {
  if (typeof value === 'bigint') return formatMoney(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Plain);
};

/** Fields as an approver reads them. */
export const shownOf = <Name extends string>(
  record: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): Record<string, Plain> => Object.fromEntries(names.map((name) => [name, plain(record[name])]));

/**
 * The fields of a change that differ, for the audit log and an approver, each with what it was as
 * `…Before`; of URLs that are called without their passwords.
 */
export function changesOf<Change extends object>(
  before: { readonly [Name in keyof Change]-?: unknown },
  after: { readonly [Name in keyof Change]-?: unknown },
  change: Change,
): Record<string, Plain> {
  const names = Object.keys(change) as (keyof Change & string)[];
  const shown = (value: Plain): Plain => (typeof value === 'string' ? maskLogin(value) : value);
  return Object.fromEntries(
    names
      .map((name) => [name, plain(after[name]), plain(before[name])] as const)
      .filter(([, now, then]) => now !== then)
      .flatMap(([name, now, then]) => [
        [name, shown(now)],
        [`${name}Before`, shown(then)],
      ]),
  );
}

/** The names of the fields that a request sets: the audit log gets no values that say too much. */
export const namesOf = (fields: object): string => Object.keys(fields).sort().join(', ');
