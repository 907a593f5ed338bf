import { rolesWith } from '../people/person-tables.ts';
import { answers, only, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { lists, readsAll, readsRow } from '../platform/database/statement.ts';

/**
 * What `munshi doctor` asks of the server and of the people in it; nothing is locked or written.
 */

const SERVER_STANDING = answers({
  /** As 180004 for 18.4. */
  versionNumber: t.integer,
  version: t.text,
  role: t.text,
  superuser: t.boolean,
  /** Whether this connection has TLS. */
  encrypted: t.boolean,
  connections: t.integer,
  connectionsMax: t.integer,
  databaseBytes: t.bigint,
  /** Settings by their names; what the role may not see is left out. */
  settings: t.json<Readonly<Record<string, string>>>(),
});
/** How the server is set, as far as the service's role may see it. */
export type ServerStanding = RecordOf<typeof SERVER_STANDING>;

/** Throws unless this role may read what `munshi verify` reads. */
export const expectReadable = lists('checkup-an-order', 'select from orders limit 1', answers({}));

export const readServerStanding = readsRow(
  'checkup-server',
  `select current_setting('server_version_num')::integer as version_number,
     current_setting('server_version') as version,
     current_user::text as role,
     (select rolsuper from pg_roles where rolname = current_user) as superuser,
     coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
     (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections,
     current_setting('max_connections')::integer as connections_max,
     pg_database_size(current_database()) as database_bytes,
     (
       select json_object_agg(name, setting)
       from pg_settings
       where name in ('archive_mode', 'data_checksums', 'data_directory', 'fsync', 'full_page_writes',
         'max_slot_wal_keep_size', 'synchronous_commit', 'synchronous_standby_names')
     ) as settings`,
  SERVER_STANDING,
);

const STANDBYS = answers({
  standbys: t.integer,
  /** Those that a commit waits for; of standbys that the role may not look at, it is not known. */
  synchronous: t.integer,
  /** What those call themselves, which every role may see. */
  unseen: t.listOf<string>(),
  /** Slots that nobody reads from, for which the log is kept all the same. */
  idleSlots: t.listOf<string>(),
});
/** Standbys that follow. */
export type Replication = RecordOf<typeof STANDBYS>;

export const readReplication = readsRow(
  'checkup-replication',
  `select count(*)::integer as standbys,
     (count(*) filter (where sync_state in ('sync', 'quorum')))::integer as synchronous,
     coalesce(array_agg(application_name) filter (where state is null), '{}') as unseen,
     array(
       select slot_name::text
       from pg_replication_slots
       where not active
       order by slot_name
     ) as idle_slots
   from pg_stat_replication
   where state is distinct from 'backup'`,
  STANDBYS,
);

const ARCHIVED = answers({ lastArchivedAt: orNull(t.instant), lastFailedAt: orNull(t.instant) });
/** The archive of the write-ahead log, as its process reports it. */
export type Archive = RecordOf<typeof ARCHIVED>;

export const readArchive = readsRow(
  'checkup-archive',
  `select last_archived_time as last_archived_at,
     last_failed_time as last_failed_at
   from pg_stat_archiver`,
  ARCHIVED,
);

const ADMINS = answers({
  admins: t.integer,
  adminsWithCode: t.integer,
  /** The demo's operator, by the name that only the demo gives. */
  demo: t.boolean,
});
/** Who could let themselves in, and whether the demo is there. */
export type PeopleStanding = RecordOf<typeof ADMINS>;

export const readPeopleStanding = readsRow(
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
   where o.role in ${rolesWith('administer')} and o.status = 'active'`,
  ADMINS,
);

/** Hosts that webhooks went to, the newest first. */
export const readWebhookHosts = readsAll(
  'checkup-webhook-hosts',
  `select host
   from webhook_endpoints
   group by host
   order by max(greatest(last_success_at, last_failure_at)) desc nulls last
   limit $1`,
  only('host', t.text),
  (limit: number) => [limit],
);
