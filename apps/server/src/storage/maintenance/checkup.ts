import type { Queryable } from '../db.ts';
import type { Row } from '../rows.ts';
import { query, statement, unprepared } from '../statement.ts';

/** What `munshi doctor` asks of the server and of the people in it; nothing is locked or written. */

/** How the server is set, as far as the service's role may see it. */
export interface ServerStanding {
  /** As 180004 for 18.4. */
  readonly versionNumber: number;
  readonly version: string;
  readonly role: string;
  readonly superuser: boolean;
  /** Whether this connection has TLS. */
  readonly encrypted: boolean;
  readonly connections: number;
  readonly connectionsMax: number;
  readonly databaseBytes: number;
  /** Settings by their names; what the role may not see is left out. */
  readonly settings: Readonly<Record<string, string>>;
}

const SERVER = statement(
  'checkup-server',
  `select current_setting('server_version_num')::integer as version_number,
     current_setting('server_version') as version,
     current_user::text as role,
     (select rolsuper from pg_roles where rolname = current_user) as superuser,
     coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
     (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections,
     current_setting('max_connections')::integer as connections_max,
     pg_database_size(current_database())::text as database_bytes,
     (
       select json_object_agg(name, setting)
       from pg_settings
       where name in ('archive_mode', 'data_checksums', 'data_directory', 'fsync', 'full_page_writes',
         'synchronous_commit', 'synchronous_standby_names')
     ) as settings`,
);

const AN_ORDER = unprepared('checkup-an-order', 'select from orders limit 1');

/** Throws unless this role may read what `munshi verify` reads. */
export async function expectReadable(db: Queryable): Promise<void> {
  await query(db, AN_ORDER);
}

export async function readServerStanding(db: Queryable): Promise<ServerStanding> {
  const [row] = (await query(db, SERVER)) as readonly [Row];
  return {
    versionNumber: row['version_number'],
    version: row['version'],
    role: row['role'],
    superuser: row['superuser'],
    encrypted: row['encrypted'],
    connections: row['connections'],
    connectionsMax: row['connections_max'],
    databaseBytes: Number(row['database_bytes']),
    settings: row['settings'],
  };
}

/** Standbys that follow. */
export interface Replication {
  readonly standbys: number;
  /** Those that a commit waits for; of standbys that the role may not look at, it is not known. */
  readonly synchronous: number;
  /** What those call themselves, which every role may see. */
  readonly unseen: readonly string[];
}

const REPLICATION = statement(
  'checkup-replication',
  `select count(*)::integer as standbys,
     (count(*) filter (where sync_state in ('sync', 'quorum')))::integer as synchronous,
     coalesce(array_agg(application_name) filter (where state is null), '{}') as unseen
   from pg_stat_replication
   where state is distinct from 'backup'`,
);

export async function readReplication(db: Queryable): Promise<Replication> {
  const [row] = await query(db, REPLICATION);
  return row as unknown as Replication;
}

/** The archive of the write-ahead log, as its process tells of it. */
export interface Archive {
  readonly lastArchivedAt: number | null;
  readonly lastFailedAt: number | null;
}

const ARCHIVE = statement(
  'checkup-archive',
  `select last_archived_time as last_archived_at,
     last_failed_time as last_failed_at
   from pg_stat_archiver`,
);

export async function readArchive(db: Queryable): Promise<Archive> {
  const [row] = (await query(db, ARCHIVE)) as readonly [Row];
  return { lastArchivedAt: row['last_archived_at'], lastFailedAt: row['last_failed_at'] };
}

const CLOCK = statement<{ readonly at: number }>('checkup-clock', 'select clock_timestamp() as at');

/** The time that the database server has. */
export async function readDatabaseClock(db: Queryable): Promise<number> {
  const [row] = (await query(db, CLOCK)) as readonly [{ readonly at: number }];
  return row.at;
}

/** Who could let themselves in, and whether the demo is there. */
export interface PeopleStanding {
  readonly admins: number;
  readonly adminsWithCode: number;
  /** The demo's operator, by the name that only the demo gives. */
  readonly demo: boolean;
}

const PEOPLE = statement(
  'checkup-people',
  `select count(*)::integer as admins,
     count(c.operator_id)::integer as admins_with_code,
     exists (
       select
       from operators
       where name = 'Demo operator'
     ) as demo
   from operators o
   left join operator_codes c on c.operator_id = o.operator_id and c.confirmed_at is not null
   where o.role = 'admin' and o.status = 'active'`,
);

export async function readPeopleStanding(db: Queryable): Promise<PeopleStanding> {
  const [row] = (await query(db, PEOPLE)) as readonly [Row];
  return {
    admins: row['admins'],
    adminsWithCode: row['admins_with_code'],
    demo: row['demo'],
  };
}

const HOSTS = statement<{ readonly host: string }>(
  'checkup-webhook-hosts',
  `select host
   from webhook_endpoints
   group by host
   order by max(greatest(last_success_at, last_failure_at)) desc nulls last
   limit $1`,
);

/** Hosts that webhooks went to, the newest first. */
export async function readWebhookHosts(db: Queryable, limit: number): Promise<readonly string[]> {
  return (await query(db, HOSTS, [limit])).map(({ host }) => host);
}
