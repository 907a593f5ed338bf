import type { Actor, AuditEntry, Instant } from '@munshi/core';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { uuidV7 } from '../../engine/ids.ts';
import { insertAudit } from '../../storage/audit.ts';
import type { Deps } from '../deps.ts';
import { Refused } from '../json.ts';
import { writeOnce } from '../request-keys.ts';

/** What a write did, for the audit log; never a password, key or secret. */
interface Written<T> {
  readonly result: T;
  readonly action: string;
  /** The id of what was acted on. */
  readonly target: string;
  readonly detail?: AuditEntry['detail'];
  /**
   * The `data` that a repeat with the same Idempotency-Key is answered, without secrets; for writes
   * that must not be done twice.
   */
  readonly answer?: unknown;
}

/**
 * Runs a write of configuration and records it in the audit log, in one transaction. `now` is the
 * service clock's one reading.
 */
export function recordedWrite<T>(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  request: Pick<FastifyRequest, 'operator' | 'once' | 'boundKey'>,
  work: (client: pg.PoolClient, now: Instant) => Promise<Written<T>>,
): Promise<T> {
  const now = clock.now();
  return writeOnce(database.pool, request, async (client) => {
    const written = await work(client, now);
    await insertAudit(client, auditEntry(request.operator.actor, written, now));
    return written;
  });
}

/** An entry of the audit log. */
export function auditEntry(
  actor: Actor,
  { action, target, detail = {} }: Pick<Written<unknown>, 'action' | 'target' | 'detail'>,
  at: Instant,
): AuditEntry {
  return { auditId: uuidV7(at), actor, action, target, detail, at };
}

/** Turns "that value is taken" of the database into a refusal. */
export function refuseTaken(message: string) {
  return (error: Error & { code?: string }): never => {
    throw error.code === '23505' ? new Refused('wrong-state', message) : error;
  };
}

/** The thing itself, or 404. */
export function found<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw new Refused('not-found', `${name} not found.`);
  return thing;
}

/**
 * Field names that a request sets, for the audit log where the values themselves would say too
 * much.
 */
export const namesOf = (fields: object): string => Object.keys(fields).sort().join(', ');
