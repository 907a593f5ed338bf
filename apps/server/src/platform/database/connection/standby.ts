import type pg from 'pg';
import type { DatabaseTarget } from '../../config/database-url.ts';
import { answers, orNull, type RecordOf, t } from '../columns.ts';
import { UnavailableError } from '../errors.ts';
import type { Queryable } from '../queryable.ts';
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

const COLUMNS = answers({
  server: t.text,
  standby: t.boolean,
  behindSeconds: orNull(t.float),
});

const STANDING = unprepared(
  'server-standing',
  `select pg_postmaster_start_time()::text as server,
     pg_is_in_recovery() as standby,
     extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8
       as behind_seconds`,
  COLUMNS,
);

/**
 * How far behind the primary a server of `onStandby` may be, in milliseconds; 0 for the primary
 * itself. Throws unless it is that, or a standby which is at most `maxMs` behind: any other shows
 * old rows for ever, and nothing wrong in them. Two servers that were promoted may write the same
 * timeline, but none starts in the same microsecond as another.
 */
export async function readLagMs(
  client: pg.Client,
  primary: Queryable,
  maxMs: number,
): Promise<number> {
  const { server, standby, behindSeconds } = await readStanding(client as never);
  if (!standby) {
    if (server === (await readStanding(primary)).server) return 0;
    throw new UnavailableError(
      'the server of VERIFY_DATABASE_URL is no standby any more, and not the primary either',
    );
  }
  if (behindSeconds === null)
    throw new UnavailableError(
      'the standby of VERIFY_DATABASE_URL has replayed no transaction since it started',
    );
  const lagMs = Math.max(0, Math.ceil(behindSeconds * 1_000));
  if (lagMs > maxMs)
    throw new UnavailableError(
      `the standby of VERIFY_DATABASE_URL is ${Math.round(behindSeconds)} s behind its primary, of at most ${maxMs / 1_000} s`,
    );
  return lagMs;
}

const readStanding = async (db: Queryable) =>
  (await query(db, STANDING))[0] as RecordOf<typeof COLUMNS>;
