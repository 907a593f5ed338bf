import {
  NEWEST_TESTED,
  OLDEST_TESTED,
  standingOf,
} from '../platform/database/connection/server-version.ts';
import { leastDifference } from '../platform/database/database-clock.ts';
import type { DatabaseFacts, Facts } from './facts.ts';
import { ok, warning, wrong } from './judgement.ts';

/** What is said of the database, its roles and what is kept in it. */

const CLOCK_MS_MAX = 2_000;
const ARCHIVE_AGE_MS_MAX = 15 * 60_000;
const CONNECTIONS_SHARE_MAX = 0.8;

/** An older one than can be used is refused before (operate/install.md#what-it-needs). */
export function judgeVersion({ version, versionNumber }: DatabaseFacts['server']) {
  return standingOf(versionNumber) === 'untested'
    ? warning(
        `It is Postgres ${version}, which this version of Munshi was not tested on.`,
        `Postgres ${OLDEST_TESTED} to ${NEWEST_TESTED} were.`,
      )
    : ok(`It is Postgres ${version}.`);
}

export function judgeRoles({ server, mayChangeSchema, wrongGrants }: DatabaseFacts) {
  if (server.superuser)
    return wrong(
      `The role ${server.role} is a superuser: whoever takes over a process has the whole server.`,
      'Give the service a role of its own: docs/operate/database.md, "Two roles".',
    );
  if (mayChangeSchema)
    return wrong(
      `The role ${server.role} may change the tables, and delete postings and the audit log.`,
      'Give the service a role of its own: docs/operate/database.md, "Two roles".',
    );
  return wrongGrants.length === 0
    ? ok(`The role ${server.role} has exactly the rights that the service needs.`)
    : wrong(
        `The role ${server.role} has other rights than the service needs on: ${wrongGrants.join(', ')}.`,
        'Run npm run munshi -- migrate with DATABASE_OWNER_URL, which sets them right.',
      );
}

export function judgeConnection({ server }: DatabaseFacts, { settings }: Facts) {
  if (settings.databaseIsLocal) return ok('It stays on this machine.');
  if (!server.encrypted)
    return wrong(
      'It is not encrypted: who can listen in between reads and changes everything.',
      'Turn TLS on at the server (ssl = on), and write sslmode=verify-full in DATABASE_URL.',
    );
  return settings.databaseIsVerified
    ? ok('It is encrypted, and the certificate is checked.')
    : warning(
        'It is encrypted, and nobody checks by whom: the certificate is not looked at.',
        'Set DATABASE_CA to your authority, and write sslmode=verify-full in DATABASE_URL.',
      );
}

export function judgeConnections({ server: { connections, connectionsMax } }: DatabaseFacts) {
  const found = `${connections} of ${connectionsMax} connections of the server are taken.`;
  return connections < connectionsMax * CONNECTIONS_SHARE_MAX
    ? ok(found)
    : warning(
        found,
        'Raise max_connections, or lower DATABASE_POOL_SIZE: a process that starts finds none left.',
      );
}

export function judgeDurability({ server: { settings } }: DatabaseFacts) {
  const off = ['fsync', 'full_page_writes'].filter((name) => settings[name] === 'off');
  if (settings['synchronous_commit'] === 'off') off.push('synchronous_commit');
  if (off.length > 0)
    return wrong(
      `${off.join(', ')} is off: after a crash what was answered can be gone, or the database broken.`,
      'Set it to on in postgresql.conf; synchronous_commit may be set for the role or the database too (alter role … reset synchronous_commit).',
    );
  return settings['data_checksums'] === 'off'
    ? warning(
        'What is answered stays, but data that a disk returns damaged is not noticed: data_checksums is off.',
        'Turn it on while the server is down: docs/operate/database.md, "The database".',
      )
    : ok('What is answered stays, and data that a disk returns damaged is noticed.');
}

export function judgeReplication({ replication, server }: DatabaseFacts, { settings }: Facts) {
  if (settings.embedded) return undefined;
  const { standbys, synchronous, unseen } = replication;
  const named = server.settings['synchronous_standby_names'] ?? '';
  const waits = named !== '' && server.settings['synchronous_commit'] !== 'local';
  if (standbys === 0)
    return waits
      ? wrong(`Commits wait for "${named}", and no standby follows.`, WRITES_HANG)
      : warning(
          'No standby follows: when this machine is lost, so is everything since the last backup.',
          'Add one: docs/operate/fail-over.md, "Add a standby".',
        );
  if (!waits)
    return warning(
      `${standbys} standbys follow, and no commit waits for one: a failover loses the last orders.`,
      'Set synchronous_standby_names, or synchronous_mode and synchronous_mode_strict of Patroni.',
    );
  if (synchronous > 0)
    return ok(`${standbys} standbys follow, and commits wait for ${synchronous} of them.`);
  const awaited = namesOf(named);
  const follows = (name: string) => awaited.includes('*') || awaited.includes(name.toLowerCase());
  return unseen.some(follows)
    ? ok(
        `${standbys} standbys follow, and one that commits wait for ("${named}") is among them; whether it keeps up, this role may not see.`,
      )
    : wrong(
        `Commits wait for "${named}", and none of the ${standbys} standbys is that.`,
        WRITES_HANG,
      );
}

export function judgeSlots({ replication: { idleSlots }, server }: DatabaseFacts) {
  if (idleSlots.length === 0) return undefined;
  const slots = idleSlots.join(', ');
  const mend =
    'Start the standby again, or drop the slot by pg_drop_replication_slot and copy the standby again: docs/operate/fail-over.md, "Add a standby".';
  return server.settings['max_slot_wal_keep_size'] === '-1'
    ? wrong(`Nobody follows by ${slots}: the log that is kept for it fills the disk.`, mend)
    : warning(
        `Nobody follows by ${slots}: the log is kept for it up to max_slot_wal_keep_size.`,
        mend,
      );
}

const WRITES_HANG = 'Look at why it does not follow; until then every write hangs.';

/** The names in synchronous_standby_names, as `a, "b"` or `ANY 1 (a, "b")`; case does not count. */
const namesOf = (setting: string): readonly string[] =>
  setting
    .replace(/^\s*(?:(?:first|any)\s+)?\d+\s*\((.*)\)\s*$/is, '$1')
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .toLowerCase(),
    );

export function judgeArchive({ server, archive, at }: DatabaseFacts, { settings }: Facts) {
  if (settings.embedded)
    return warning(
      'The embedded Postgres has no archive: a backup is a copy of DATA_DIR while it is stopped.',
      'For anything that matters use a Postgres of your own: docs/operate/install.md, "Install".',
    );
  if (server.settings['archive_mode'] === 'off')
    return warning(
      'archive_mode is off: the database can only be restored to the moment of a backup.',
      'Archive the log with pgBackRest or the like: docs/operate/backup.md, "Backup".',
    );
  const { lastArchivedAt, lastFailedAt } = archive;
  const mend = 'Look into the log of Postgres: archive_command fails, and the disk fills with log.';
  if (lastFailedAt !== null && lastFailedAt > (lastArchivedAt ?? 0))
    return wrong('The last attempt to archive a piece of the log failed.', mend);
  if (lastArchivedAt === null) return wrong('Nothing of the log was ever archived.', mend);
  const age = at - lastArchivedAt;
  const minutes = `${Math.round(age / 60_000)} minutes ago`;
  return age <= ARCHIVE_AGE_MS_MAX
    ? ok(`The last piece was archived ${minutes}.`)
    : warning(
        `The last piece was archived ${minutes}: so much can be lost with the machine.`,
        'Set archive_timeout (60s), so that a quiet database archives too.',
      );
}

export function judgeClock({ clock }: DatabaseFacts) {
  const seconds = (Math.abs(clock.aheadMs) / 1000).toFixed(1);
  const side = clock.aheadMs > 0 ? 'ahead of' : 'behind';
  return leastDifference(clock) <= CLOCK_MS_MAX
    ? ok(`The database's clock is ${seconds} s ${side} this machine's.`)
    : wrong(
        `The database's clock is ${seconds} s ${side} this machine's: orders expire, and webhooks are sent, at the wrong time; from 10 s on no order expires.`,
        'Run an NTP client (chrony, systemd-timesyncd) on every machine.',
      );
}

export function judgeMasterKey({ masterKey }: DatabaseFacts) {
  switch (masterKey) {
    case 'known':
      return ok('It is the one that this database knows, and opens every signing secret.');
    case 'new':
      return ok('This database knows none yet: the first start makes it its own.');
    case 'unknown':
      return wrong(
        'It is not the one that this database was made with: no process starts.',
        'Set the right one; if it is lost, see docs/operate/rotate.md, "The master key".',
      );
    case 'lacking':
      return wrong(
        'It does not open every signing secret: those merchants get no webhooks.',
        'Add the key that they were sealed with, and run npm run munshi -- reseal.',
      );
  }
}

export function judgeFourEyes({ fourEyes }: DatabaseFacts) {
  const { requireSecondOperator, hasLimit, approversMissing } = fourEyes;
  if (!requireSecondOperator)
    return wrong(
      'One operator moves any amount alone: a single stolen token is enough.',
      'Make two approvers, and set requireSecondOperator: docs/operate/two-operators.md, "Two operators".',
    );
  if (approversMissing > 0)
    return wrong(
      'A second operator is required, and fewer than two approvers can sign in: what they must approve waits.',
      'Make them: npm run munshi -- operator-link <name> --approver.',
    );
  return ok(`A second operator is required ${hasLimit ? 'above the limit' : 'for every amount'}.`);
}

export function judgeCodes({ fourEyes, people }: DatabaseFacts) {
  return fourEyes.requireOneTimeCode
    ? ok(`Admins sign in with one-time codes; ${people.adminsWithCode} have set one up.`)
    : warning(
        'A password is enough to sign in as an admin.',
        'Set requireOneTimeCode by PATCH /api/operator/settings: docs/operate/two-operators.md, "Sign-ins and the audit log".',
      );
}

export function judgeRetention({ retention }: DatabaseFacts, { settings }: Facts) {
  if (retention?.error !== undefined)
    return wrong(
      `Nothing is removed after its time: the role ${retention.role} cannot connect: ${retention.error}`,
      'Make the role, and name it in RETENTION_DATABASE_URL: docs/operate/retention.md, "The role of retention".',
    );
  if (retention !== undefined && retention.wrongGrants.length > 0)
    return wrong(
      `The role ${retention.role} has other rights than it needs on: ${retention.wrongGrants.join(', ')}.`,
      'Run npm run munshi -- migrate with DATABASE_OWNER_URL and RETENTION_DATABASE_URL, which sets them right.',
    );
  if (!settings.removes)
    return warning(
      'Everything is kept for ever, customers’ account numbers too.',
      'Decide for how long, and set RETENTION_…_DAYS: docs/operate/retention.md, "Retention".',
    );
  return (
    retention &&
    ok(`The role ${retention.role} may remove what is kept for some time only, and nothing else.`)
  );
}

export function judgeDemo({ people }: DatabaseFacts) {
  return people.demo
    ? wrong(
        'The demo is in this database: people who are not there hold accounts and money.',
        'Begin production on a new, empty database.',
      )
    : undefined;
}
