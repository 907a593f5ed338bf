import type pg from 'pg';
import type { DatabaseTarget } from '../../config/database-url.ts';
import { answers, t } from '../columns.ts';
import { query, unprepared } from '../statement.ts';
import { Client } from './client.ts';
import { POOL_SETTINGS, prepareSession } from './session-settings.ts';

/** For one host to be connected and prepared. */
const CONNECT_MS = 5_000;

/**
 * Does read-only work on a connection of its own to the first of these hosts that answers, standby
 * or not: what the search for the primary refuses. Throws why none of them does.
 */
export async function onStandby<Result>(
  { hosts, ...login }: DatabaseTarget,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  let failure: unknown = new Error('no host is named');
  for (const host of hosts) {
    const client = new Client({
      ...login,
      ...host,
      application_name: 'munshi-verify',
      connectionTimeoutMillis: CONNECT_MS,
    } as pg.ClientConfig);
    try {
      await client.connect();
      await prepareSession(client, POOL_SETTINGS, CONNECT_MS, false);
    } catch (error) {
      failure = error;
      client.drop();
      continue;
    }
    return work(client).finally(() => client.end().catch(() => {}));
  }
  throw failure;
}

const LAG = unprepared(
  'replay-lag',
  `select greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()))::float8
     as seconds
   where pg_is_in_recovery()`,
  answers({ seconds: t.float }),
);

/** How far behind its primary this server may be, in milliseconds; 0 for a primary. */
export async function readLagMs(client: pg.Client): Promise<number> {
  const [row] = await query(client as never, LAG);
  return Math.ceil((row?.seconds ?? 0) * 1_000);
}
