import type { DatabaseFacts, Facts } from './facts.ts';
import { isUnknown } from './facts.ts';
import { type Finding, type Judgement, ok, unknown, warning, wrong } from './judgement.ts';
import {
  judgeAddress,
  judgeApps,
  judgePlainHttp,
  judgeProxies,
  judgeTls,
} from './rules-of-address.ts';
import {
  judgeArchive,
  judgeClock,
  judgeCodes,
  judgeConnection,
  judgeConnections,
  judgeDemo,
  judgeDurability,
  judgeFourEyes,
  judgeMasterKey,
  judgeReplication,
  judgeRetention,
  judgeRoles,
  judgeSlots,
  judgeVersion,
} from './rules-of-database.ts';

const DISK_FREE_MIN = 0.15;
const DISK_BYTES_MIN = 2e9;
const OPEN_FILES_MIN = 8_192;

/** Every check, in the order of the report. Undefined: it does not apply to this set-up. */
export const RULES: readonly (readonly [
  check: string,
  judge: (facts: Facts) => Judgement | undefined,
])[] = [
  ['mode', ({ settings }) => judgeMode(settings)],
  ['kind', onDatabase(judgeKind)],
  ['script tokens', ({ settings }) => judgeScriptTokens(settings)],
  ['metrics', ({ settings }) => judgeMetrics(settings)],
  ['database', ({ database }) => judgeAnswer(database)],
  ['hosts of the database', ({ hosts }) => judgeHosts(hosts)],
  ['database version', onDatabase(({ server }) => judgeVersion(server))],
  ['roles', onDatabase(judgeRoles)],
  ['passwords of the database', ({ settings }) => judgePasswords(settings)],
  ['connection to the database', onDatabase(judgeConnection)],
  ['connections', onDatabase(judgeConnections)],
  ['durability', onDatabase(judgeDurability)],
  ['replication', onDatabase(judgeReplication)],
  ['replication slots', onDatabase(judgeSlots)],
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
  ['nightly check', ({ verify }) => judgeVerify(verify)],
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

function judgeHosts(hosts: Facts['hosts']) {
  if (hosts.length === 0) return undefined;
  const closed = hosts.filter(({ error }) => error !== undefined);
  return closed.length === 0
    ? ok(`Each of the ${hosts.length} lets the service in.`)
    : wrong(
        `After a failover nothing could go on: ${closed.map(({ host, error }) => `${host} says: ${error}`).join('; ')}`,
        'Start it, and let the service in by its own pg_hba.conf: docs/operate/fail-over.md, "Add a standby".',
      );
}

function judgeMode({ production }: Facts['settings']) {
  return production
    ? ok('NODE_ENV is production: what is for development is refused.')
    : wrong(
        'NODE_ENV is not production: what is for development is taken.',
        'Set NODE_ENV=production.',
      );
}

function judgeKind({ sandbox: stored }: DatabaseFacts, { settings: { sandbox } }: Facts) {
  if (stored === null || stored === sandbox)
    return ok(sandbox ? 'A sandbox: members play themselves.' : 'A live service: money is real.');
  return wrong(
    stored
      ? 'The database is of a sandbox and SANDBOX is not set: the service does not start.'
      : 'SANDBOX=1 is set and the database is of a live service: it does not start.',
    'Give each of them a database of its own.',
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

function judgePasswords({ guessedPasswords, embedded }: Facts['settings']) {
  if (embedded) return undefined;
  return guessedPasswords.length === 0
    ? ok('They are none of those that are tried first.')
    : wrong(
        `That of ${guessedPasswords.join(' and ')} is among the first that are tried.`,
        'Set a random one (openssl rand -hex 32): docs/operate/rotate.md, "Rotate every secret".',
      );
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
  const reasons = failed.map(({ host, error }) => `${host}: ${error}`).join(' ');
  return failed.length === outbound.length
    ? wrong(
        `None of the ${outbound.length} receivers that were tried can be connected to. ${reasons}`,
        'Let the workers ask the DNS and connect out, on any port.',
      )
    : warning(
        `${failed.length} of ${outbound.length} receivers cannot be connected to. ${reasons}`,
        'Ask their merchants: GET /api/operator/webhooks/health says since when.',
      );
}

function judgeMail(mail: Facts['mail']) {
  if (mail === undefined) return undefined;
  const { host, error } = mail;
  return error === undefined
    ? ok(`${host} answers and lets the service in; no mail was sent.`)
    : wrong(
        `Invitations and recovery links are not mailed: ${host}: ${error}`,
        'Look at SMTP_URL, at the way out to that port, and at the certificate of the server.',
      );
}

function judgeVerify(verify: Facts['verify']) {
  if (verify === undefined) return undefined;
  const { role, error } = verify;
  return error === undefined
    ? ok(`The role ${role} reads the database on which the invariants are checked.`)
    : wrong(
        `The invariants are not checked: the role ${role} cannot read the database of VERIFY_DATABASE_URL: ${error}`,
        'Check that the server runs and that the password is right: after a restore roles have their old passwords.',
      );
}
