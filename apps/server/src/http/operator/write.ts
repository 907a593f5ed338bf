import type { Instant } from '@munshi/core';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { recordedWrite as recorded, type Written } from '../../services/write.ts';
import type { Deps } from '../deps.ts';
import { callerOf } from './access.ts';

export { found, refuseTaken } from '../../services/refusals.ts';
export { auditEntry, namesOf } from '../../services/write.ts';

/** `recordedWrite` of the services for routes whose work is not a service yet. */
export function recordedWrite<T>(
  deps: Pick<Deps, 'database' | 'clock'>,
  request: FastifyRequest,
  work: (
    client: pg.PoolClient,
    now: Instant,
  ) => Promise<Written<T> & { readonly answer?: unknown }>,
): Promise<T> {
  let answer: unknown;
  const noted = async (client: pg.PoolClient, now: Instant) => {
    const written = await work(client, now);
    answer = written.answer;
    return written;
  };
  return recorded(deps, callerOf(request), noted, () => answer);
}
