import { NEWEST_TESTED, OLDEST_TESTED, standingOf } from '../storage/server-version.ts';
import type { AddressFacts, DatabaseFacts, Facts } from './facts.ts';
import { isUnknown } from './facts.ts';

/**
 * `wrong` has to be mended before people's money depends on it; `warning` is worth a decision;
 * `unknown` could not be looked at from here.
 */
export type State = 'ok' | 'warning' | 'wrong' | 'unknown';

export interface Finding {
  readonly check: string;
  readonly state: State;
  /** What was found, in a sentence. */
  readonly found: string;
  /** What to do; only where it is not ok. */
  readonly mend?: string;
}

type Judgement = Omit<Finding, 'check'>;

const ok = (found: string): Judgement => ({ state: 'ok', found });
const judged = (state: State) => (found: string, mend: string) => ({ state, found, mend });
const warning = judged('warning');
const wrong = judged('wrong');
const unknown = judged('unknown');

const CLOCK_MS_MAX = 2_000;
const DISK_FREE_MIN = 0.15;
const DISK_BYTES_MIN = 2e9;
const ARCHIVE_AGE_MS_MAX = 15 * 60_000;
const CERTIFICATE_MS_MIN = 21 * 86_400_000;
const OPEN_FILES_MIN = 8_192;
const CONNECTIONS_SHARE_MAX = 0.8;

/** Every check in the order in which it is told. Undefined: it does not concern this set-up. */
export const RULES: readonly (readonly [
  check: string,
  judge: (facts: Facts) => Judgement | undefined,
])[] = [
  ['mode', ({ settings }) => judgeMode(settings)],
  ['script tokens', ({ settings }) => judgeScriptTokens(settings)],
  ['metrics', ({ settings }) => judgeMetrics(settings)],
  ['database', ({ database }) => judgeAnswer(database)],
  ['database version', onDatabase(({ server }) => judgeVersion(server))],
  ['roles', onDatabase(judgeRoles)],
  ['passwords of the database', ({ settings }) => judgePasswords(settings)],
  ['connection to the database', onDatabase(judgeConnection)],
  ['connections', onDatabase(judgeConnections)],
  ['durability', onDatabase(judgeDurability)],
  ['replication', onDatabase(judgeReplication)],
  ['archive of the log', onDatabase(judgeArchive)],
  ['clock', onDatabase(judgeClock)],
  ['master key', onDatabase(judgeMasterKey)],
  ['four eyes', onDatabase(judgeFourEyes)],
  ['one-time codes', onDatabase(judgeCodes)],
  ['retention', onDatabase(judgeRetention)],
  ['demo', onDatabase(judgeDemo)],
  ['public address', judgeAddress],
  ['web apps', ({ address }) => judgeApps(address)],
  ['TLS', ({ address }) => judgeTls(address)],
  ['plain HTTP', ({ address }) => judgePlainHttp(address)],
  ['proxies', judgeProxies],
  ['free disk', ({ machine }) => judgeDisk(machine)],
  ['open files', ({ machine, settings }) => judgeOpenFiles(machine, settings)],
  ['way out for webhooks', judgeOutbound],
  ['mail', ({ mail }) => judgeMail(mail)],
];

export function judge(facts: Facts): readonly Finding[] {
  return RULES.flatMap(([check, rule]) => {
    const judgement = rule(facts);
    return judgement === undefined ? [] : [{ check, ...judgement }];
  });
}

/** Rules over the database are left out while it cannot be reached: one finding says so. */
function onDatabase(rule: (database: DatabaseFacts, facts: Facts) => Judgement | undefined) {
  return (facts: Facts) => (isUnknown(facts.database) ? undefined : rule(facts.database, facts));
}

/** Sessions were looked at while connecting: a pooler that mixes them up stops that. */
function judgeAnswer(database: Facts['database']) {
  return isUnknown(database)
    ? wrong(database.error, 'Run this again then: the other checks of the database were left out.')
    : ok('It answers, and each connection is a session that keeps its settings.');
}

function judgeMode({ production }: Facts['settings']) {
  return production
    ? ok('NODE_ENV is production: what is for development is refused.')
    : wrong(
        'NODE_ENV is not production: what is for development is taken.',
        'Set NODE_ENV=production.',
      );
}

function judgeScriptTokens({ operatorTokens }: Facts['settings']) {
  return operatorTokens === 0
    ? undefined
    : warning(
        'OPERATOR_TOKEN is set: whoever reads the settings is an operator, without a name and without an end.',
        'Make a token for each person or program (npm run munshi -- operator-token create <name>), and leave OPERATOR_TOKEN out.',
      );
}

function judgeMetrics({ production, hasMetricsToken }: Facts['settings']) {
  return hasMetricsToken || !production
    ? ok('/metrics can be scraped.')
    : warning(
        '/metrics is off: nobody is told when money stops moving.',
        'Set METRICS_TOKEN (openssl rand -hex 32), and give it to Prometheus.',
      );
}

/** An older one than can be used is refused before (D253). */
function judgeVersion({ version, versionNumber }: DatabaseFacts['server']) {
  return standingOf(versionNumber) === 'untested'
    ? warning(
        `It is Postgres ${version}, which this version of Munshi was not tested on.`,
        `Postgres ${OLDEST_TESTED} to ${NEWEST_TESTED} were.`,
      )
    : ok(`It is Postgres ${version}.`);
}

function judgeRoles({ server, mayChangeSchema, wrongGrants }: DatabaseFacts) {
  if (server.superuser)
    return wrong(
      `The role ${server.role} is a superuser: whoever takes over a process has the whole server.`,
      'Give the service a role of its own: docs/operations.md, "Two roles".',
    );
  if (mayChangeSchema)
    return wrong(
      `The role ${server.role} may change the tables, and delete postings and the audit log.`,
      'Give the service a role of its own: docs/operations.md, "Two roles".',
    );
  return wrongGrants.length === 0
    ? ok(`The role ${server.role} has exactly the rights that the service needs.`)
    : wrong(
        `The role ${server.role} has other rights than the service needs on: ${wrongGrants.join(', ')}.`,
        'Run npm run munshi -- migrate with DATABASE_OWNER_URL, which sets them right.',
      );
}

function judgePasswords({ guessedPasswords, embedded }: Facts['settings']) {
  if (embedded) return undefined;
  return guessedPasswords.length === 0
    ? ok('They are none of those that are tried first.')
    : wrong(
        `That of ${guessedPasswords.join(' and ')} is among the first that are tried.`,
        'Set a random one (openssl rand -hex 32): docs/operations.md, "Rotate every secret".',
      );
}

function judgeConnection({ server }: DatabaseFacts, { settings }: Facts) {
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

function judgeConnections({ server: { connections, connectionsMax } }: DatabaseFacts) {
  const found = `${connections} of ${connectionsMax} connections of the server are taken.`;
  return connections < connectionsMax * CONNECTIONS_SHARE_MAX
    ? ok(found)
    : warning(
        found,
        'Raise max_connections, or lower DATABASE_POOL_SIZE: a process that starts finds none left.',
      );
}

function judgeDurability({ server: { settings } }: DatabaseFacts) {
  const off = ['fsync', 'full_page_writes'].filter((name) => settings[name] === 'off');
  if (settings['synchronous_commit'] === 'off') off.push('synchronous_commit');
  if (off.length > 0)
    return wrong(
      `${off.join(', ')} is off: after a crash what was answered can be gone, or the database broken.`,
      'Set it to on in postgresql.conf; synchronous_commit may be set for the role or the database too (alter role … reset synchronous_commit).',
    );
  return settings['data_checksums'] === 'off'
    ? warning(
        'What is answered stays, but a disk that returns wrong pages is not noticed: data_checksums is off.',
        'Turn it on while the server is down: pg_checksums --enable.',
      )
    : ok('What is answered stays, and pages have checksums.');
}

function judgeReplication({ replication, server }: DatabaseFacts, { settings }: Facts) {
  if (settings.embedded) return undefined;
  const { standbys, synchronous, unseen } = replication;
  const named = server.settings['synchronous_standby_names'] ?? '';
  const waits = named !== '' && server.settings['synchronous_commit'] !== 'local';
  if (standbys === 0)
    return waits
      ? wrong(`Commits wait for "${named}", and no standby follows.`, WRITES_HANG)
      : warning(
          'No standby follows: when this machine is lost, so is everything since the last backup.',
          'Add one: docs/operations.md, "Add a standby".',
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

function judgeArchive({ server, archive, at }: DatabaseFacts, { settings }: Facts) {
  if (settings.embedded)
    return warning(
      'The embedded Postgres has no archive: a backup is a copy of DATA_DIR while it is stopped.',
      'For anything that matters use a Postgres of your own: docs/operations.md, "Install".',
    );
  if (server.settings['archive_mode'] === 'off')
    return warning(
      'archive_mode is off: the database can only be restored to the moment of a backup.',
      'Archive the log with pgBackRest or the like: docs/operations.md, "Backup".',
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

function judgeClock({ clockAheadMs, clockWithinMs }: DatabaseFacts) {
  const seconds = (Math.abs(clockAheadMs) / 1000).toFixed(1);
  const side = clockAheadMs > 0 ? 'ahead of' : 'behind';
  return Math.abs(clockAheadMs) - clockWithinMs <= CLOCK_MS_MAX
    ? ok(`The database's clock is ${seconds} s ${side} this machine's.`)
    : wrong(
        `The database's clock is ${seconds} s ${side} this machine's: orders expire, and webhooks are sent, at the wrong time.`,
        'Run an NTP client (chrony, systemd-timesyncd) on every machine.',
      );
}

function judgeMasterKey({ masterKey }: DatabaseFacts) {
  switch (masterKey) {
    case 'known':
      return ok('It is the one that this database knows, and opens every signing secret.');
    case 'new':
      return ok('This database knows none yet: the first start makes it its own.');
    case 'unknown':
      return wrong(
        'It is not the one that this database was made with: no process starts.',
        'Set the right one; if it is lost, see docs/operations.md, "The master key".',
      );
    case 'lacking':
      return wrong(
        'It does not open every signing secret: those merchants get no webhooks.',
        'Add the key that they were sealed with, and run npm run munshi -- reseal.',
      );
  }
}

function judgeFourEyes({ fourEyes, people }: DatabaseFacts) {
  const { requireSecondOperator, hasLimit } = fourEyes;
  if (!requireSecondOperator)
    return wrong(
      'One operator moves any amount alone: a single stolen token is enough.',
      'Make a second admin, and set requireSecondOperator: docs/operations.md, "Two operators".',
    );
  if (people.admins < 2)
    return wrong(
      `A second operator is required, and there are ${people.admins} admins: nothing can be approved.`,
      'Make another one: npm run munshi -- operator-link <name>.',
    );
  return hasLimit
    ? ok(`A second operator is required above the limit; there are ${people.admins} admins.`)
    : ok(`A second operator is required for every amount; there are ${people.admins} admins.`);
}

function judgeCodes({ fourEyes, people }: DatabaseFacts) {
  return fourEyes.requireOneTimeCode
    ? ok(`Admins sign in with one-time codes; ${people.adminsWithCode} have set one up.`)
    : warning(
        'A password is enough to sign in as an admin.',
        'Set requireOneTimeCode by PATCH /api/operator/settings: docs/operations.md, "Sign-ins".',
      );
}

function judgeRetention({ retention }: DatabaseFacts, { settings }: Facts) {
  if (retention?.error !== undefined)
    return wrong(
      `Nothing is removed after its time: the role ${retention.role} cannot connect: ${retention.error}`,
      'Make the role, and name it in RETENTION_DATABASE_URL: docs/operations.md, "Retention".',
    );
  if (retention !== undefined && retention.wrongGrants.length > 0)
    return wrong(
      `The role ${retention.role} has other rights than it needs on: ${retention.wrongGrants.join(', ')}.`,
      'Run npm run munshi -- migrate with DATABASE_OWNER_URL and RETENTION_DATABASE_URL, which sets them right.',
    );
  if (!settings.removes)
    return warning(
      'Everything is kept for ever, customers’ account numbers too.',
      'Decide for how long, and set RETENTION_…_DAYS: docs/operations.md, "Retention".',
    );
  return (
    retention &&
    ok(`The role ${retention.role} may remove what is kept for some time only, and nothing else.`)
  );
}

function judgeDemo({ people }: DatabaseFacts) {
  return people.demo
    ? wrong(
        'The demo is in this database: people who are not there hold accounts and money.',
        'Begin production on a new, empty database.',
      )
    : undefined;
}

function judgeAddress({ settings, address }: Facts) {
  if (address === undefined)
    return settings.roles.has('http')
      ? wrong(
          'PUBLIC_URL is not set: links for customers lead to the address listened on.',
          'Set PUBLIC_URL to the https address by which customers reach the payment page.',
        )
      : undefined;
  const { answer } = address;
  const mend =
    'Look at the name in the DNS, at the proxy, and at its log; a path of PUBLIC_URL is the proxy’s to take off.';
  if (isUnknown(answer))
    return wrong(`${settings.publicUrl} cannot be reached: ${answer.error}`, mend);
  if ('status' in answer)
    return wrong(
      `${settings.publicUrl} answers ${answer.status}, and no process of this installation: another one, an older version, or a proxy without one behind it.`,
      mend,
    );
  return ok(`${settings.publicUrl} leads to a process with this master key, as seen from here.`);
}

/** As `http/web.ts` sends them, once: a proxy adds nothing and keeps nothing. */
const isAsSent = (policy: string | null, cacheControl: string | null) =>
  /^default-src 'none'; script-src 'self';[^,]*$/.test(policy ?? '') && cacheControl === 'no-store';

/** The console may be closed to the world; members and merchants come from there. */
function judgeApps(address: AddressFacts | undefined) {
  if (address === undefined || !('peer' in address.answer)) return undefined;
  const seen = address.apps.map(({ name, answer }) => {
    if (isUnknown(answer)) return { name, is: answer.error };
    if (answer.status !== 200) return { name, is: `answers ${answer.status}` };
    return { name, is: isAsSent(answer.policy, answer.cacheControl) ? 'there' : 'changed' };
  });
  const gone = seen.filter(({ name, is }) => name !== 'console' && !/^(there|changed)$/.test(is));
  if (gone.length > 0)
    return wrong(
      `${gone.map(({ name, is }) => `/${name}/ (${is})`).join(', ')} cannot be opened at the public address.`,
      'Have the proxy pass on every path; where an app is not built, run npm run build:web.',
    );
  const changed = seen.filter(({ is }) => is === 'changed');
  if (changed.length > 0)
    return wrong(
      `${changed.map(({ name }) => `/${name}/`).join(', ')} arrives with another Content-Security-Policy or Cache-Control than the service sends.`,
      'Have the proxy, and what stands before it, leave these headers alone and keep no pages.',
    );
  const open = seen.filter(({ is }) => is === 'there').map(({ name }) => `/${name}/`);
  return ok(`${open.join(', ')} open at the public address, with the headers that protect them.`);
}

function judgeTls(address: AddressFacts | undefined) {
  if (address?.tls === undefined) return undefined;
  const { tls } = address;
  if (isUnknown(tls))
    return wrong(
      `There is no connection that browsers trust: ${tls.error}`,
      'Give the proxy a certificate of the name in PUBLIC_URL, with the whole chain.',
    );
  const days = Math.floor((tls.validUntil - tls.at) / 86_400_000);
  return tls.validUntil - tls.at >= CERTIFICATE_MS_MIN
    ? ok(`${tls.protocol}, and the certificate is good for ${days} days.`)
    : warning(
        `The certificate ends in ${days} days.`,
        'Renew it, and look at why that does not happen by itself.',
      );
}

function judgePlainHttp(address: AddressFacts | undefined) {
  switch (address?.plainHttp) {
    case undefined:
      return undefined;
    case 'answers':
      return warning(
        'The same host answers plain HTTP too: a link that was typed is read on the way.',
        'Redirect port 80 to https, or close it: deploy/nginx/munshi.conf.',
      );
    case 'closed':
      return ok('Port 80 is closed.');
    case 'redirects':
      return ok('Port 80 leads to https.');
  }
}

function judgeProxies({ address }: Facts) {
  const answer = address?.answer;
  if (answer === undefined || isUnknown(answer) || 'status' in answer) return undefined;
  const { peer, caller, forwardedFor, claimed, askedFromProxy } = answer;
  if (forwardedFor === null || forwardedFor === claimed)
    return forwardedFor === claimed && caller === claimed
      ? wrong(
          'The proxy passes on what a caller says of their own address, and it is believed: IP whitelists and limits of sign-ins are open.',
          'Have it add the caller to X-Forwarded-For, as deploy/nginx/munshi.conf does.',
        )
      : wrong(
          `The proxy (${peer}) does not say whom it speaks for: every caller has its address.`,
          'Have it add the caller to X-Forwarded-For, as deploy/nginx/munshi.conf does.',
        );
  if (caller === peer)
    return wrong(
      `X-Forwarded-For comes from ${peer}, which TRUSTED_PROXIES does not name: every caller has its address.`,
      `Add ${peer} to TRUSTED_PROXIES.`,
    );
  if (caller === claimed)
    return askedFromProxy
      ? unknown(
          'This machine is one of TRUSTED_PROXIES, so that whatever it says is believed.',
          'Run this from another machine to see whether a stranger is believed too.',
        )
      : wrong(
          `A stranger who names ${claimed} as their address is believed: IP whitelists and limits of sign-ins are open.`,
          'Have TRUSTED_PROXIES name your proxies and nobody else.',
        );
  return ok(`Callers come through ${peer}; this machine is seen as ${caller}.`);
}

function judgeDisk({ disk }: Facts['machine']) {
  if (isUnknown(disk))
    return unknown(
      disk.error,
      'Watch it on the machine of the database: an alert at 15 % is early enough.',
    );
  const share = disk.freeBytes / disk.bytes;
  const found = `${disk.path} has ${(disk.freeBytes / 1e9).toFixed(1)} GB free, ${Math.floor(share * 100)} %.`;
  return share >= DISK_FREE_MIN && disk.freeBytes >= DISK_BYTES_MIN
    ? ok(found)
    : wrong(found, 'Make room: a full disk stops every order.');
}

function judgeOpenFiles({ openFilesMax }: Facts['machine'], { roles }: Facts['settings']) {
  if (openFilesMax === undefined || !roles.has('worker')) return undefined;
  return openFilesMax >= OPEN_FILES_MIN
    ? ok(`A process may open ${openFilesMax}.`)
    : warning(
        `A process may open ${openFilesMax}: webhooks to slow receivers and event streams use them up.`,
        'Raise the limit to 65536: LimitNOFILE of systemd, ulimits of Compose.',
      );
}

function judgeOutbound({ outbound, settings }: Facts) {
  if (!settings.roles.has('worker')) return undefined;
  if (outbound.length === 0)
    return unknown(
      'No webhook was sent yet, so there is no receiver to try.',
      'Run this again after the first orders.',
    );
  const failed = outbound.filter(({ error }) => error !== undefined);
  if (failed.length === 0)
    return ok(`All of the ${outbound.length} receivers that were tried can be connected to.`);
  const reasons = failed.map(({ host, error }) => `${host} (${error})`).join(', ');
  return failed.length === outbound.length
    ? wrong(
        `None of the ${outbound.length} receivers that were tried can be connected to: ${reasons}.`,
        'Let the workers ask the DNS and connect out, on any port.',
      )
    : warning(
        `${failed.length} of ${outbound.length} receivers cannot be connected to: ${reasons}.`,
        'Ask their merchants: GET /api/operator/webhooks/health says since when.',
      );
}

function judgeMail(mail: Facts['mail']) {
  if (mail === undefined) return undefined;
  const { host, error } = mail;
  return error === undefined
    ? ok(`${host} answers and lets the service in; no mail was sent.`)
    : wrong(
        `Invitations and recovery links are not mailed: ${host} says: ${error}`,
        'Look at SMTP_URL, at the way out to that port, and at the certificate of the server.',
      );
}
