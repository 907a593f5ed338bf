import type pg from 'pg';
import { SessionNotKeptError } from '../errors.ts';
import type { Claim } from './primary-search.ts';

export type Settings = Readonly<Record<string, string>>;

/**
 * What statements rely on, regardless of the defaults of the role, the database or a pooler: how
 * values are written and read, that each statement sees what is committed, and that the service
 * keeps the timeouts.
 */
const MEANING: Settings = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
};

/**
 * The server frees what a session holds soon after its process stops answering. A process that is
 * gone is noticed within a second, even while its session waits for a lock. One that stands still
 * (SIGSTOP, swapping) loses a transaction in which it is silent for five seconds
 * (operate/run.md#health). One whose network is cut loses its connection.
 */
const FREEING: Settings = {
  client_connection_check_interval: '1s',
  idle_in_transaction_session_timeout: '5s',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10s',
};

/**
 * A process that stands still in the middle of a pipeline is not idle to the server. The engine
 * stops waiting earlier by itself. Postgres before 17 does not have this setting.
 */
const LIMITED_TRANSACTIONS: Settings = { transaction_timeout: '10s' };

/**
 * Plans by index, while a table is still empty too: a plan is kept for up to a minute, and one that
 * reads all of a table would do so while it fills.
 */
const PLANNING: Settings = { jit: 'off', enable_seqscan: 'off' };

export const POOL_SETTINGS: Settings = { ...MEANING, ...FREEING, ...PLANNING };
export const LANE_SETTINGS: Settings = {
  ...POOL_SETTINGS,
  ...LIMITED_TRANSACTIONS,
  plan_cache_mode: 'force_generic_plan', // one plan for all values: to plan takes as long as to run
};

export const NEEDS_SESSION_MODE =
  'the database is behind a pooler that gives each transaction another session; Munshi needs sessions of its own: with PgBouncer, pool_mode = session';

/**
 * Settings that this version of Postgres does not have are left out. Citus makes no plan without
 * the values: there each statement is planned as Postgres sees fit.
 */
const SET_ALL = `
  select name,
    set_config(
      name,
      case
        when name = 'plan_cache_mode' and exists (select from pg_extension where extname = 'citus')
          then 'auto'
        else value
      end,
      false
    ) as value
  from unnest($1::text[], $2::text[]) as wanted (name, value)
  where current_setting(name, true) is not null`;

const READ_BACK = `
  select pg_is_in_recovery() as standby,
    case when pg_is_in_recovery() or not $2 then null else pg_walfile_name(pg_current_wal_insert_lsn()) end as wal_file,
    (select json_object_agg(name, current_setting(name)) from unnest($1::text[]) as name) as settings`;

/**
 * Sets the settings by a statement, since poolers refuse or drop what a connection asks for when it
 * starts, and reads them back in another transaction. Answers what the host says of itself. Throws
 * SessionNotKeptError when a setting was not kept.
 */
export async function prepareSession(
  client: pg.ClientBase,
  settings: Settings,
  timeoutMs: number,
  withTimeline: boolean,
): Promise<Claim> {
  const { rows: set } = await client.query<{ name: string; value: string }>({
    text: SET_ALL,
    values: [Object.keys(settings), Object.values(settings)],
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  const { rows } = await client.query<{
    standby: boolean;
    wal_file: string | null;
    settings: Record<string, string> | null;
  }>({
    text: READ_BACK,
    values: [set.map(({ name }) => name), withTimeline],
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  const [now] = rows;
  const dropped = set.find(({ name, value }) => now?.settings?.[name] !== value);
  if (dropped !== undefined)
    throw new SessionNotKeptError(`${dropped.name} is not kept: ${NEEDS_SESSION_MODE}`);
  return {
    standby: now?.standby !== false,
    timeline: Number.parseInt(now?.wal_file?.slice(0, 8) ?? '0', 16),
  };
}
