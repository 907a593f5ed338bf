import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import type { DatabaseTarget } from '../../../apps/server/src/platform/config/database-url.ts';
import { type Account, serverAccount } from '../../../packages/embedded-postgres/src/account.ts';
import { childrenOf, signalIfThere } from '../../faults/support/own-postgres.ts';
import { onServer } from '../../support/database.ts';
import { pace } from '../../support/pace.ts';
import { ROOT } from '../../tidy/sources.ts';
import { addressOf, createNetwork } from './network.ts';

/**
 * Three Postgres under Patroni with three etcd, of Debian's packages, configured as `deploy/ha` is:
 * each node with its own network, which can be cut.
 */
export interface Patroni {
  /** Patroni's `ttl`: how long a primary leads without a sign of life. */
  readonly ttlMs: number;
  /** As `owner` of the tables, as the service's role, and as the superuser: all three hosts. */
  readonly owner: DatabaseTarget;
  readonly runtime: DatabaseTarget;
  readonly superuser: DatabaseTarget;
  /** The node that says it leads; undefined while there is none. */
  leader(): Promise<number | undefined>;
  /** Whether this node takes commits: it leads, and what commits wait for is there. */
  commits(node: number): Promise<boolean>;
  /** The standby that commits wait for. */
  synchronous(): Promise<number | undefined>;
  /** Resolves when there is a leader with two standbys, for one of which commits wait. */
  healthy(): Promise<void>;
  /** Of etcd. */
  etcdLeader(): Promise<number>;
  /** Hands the lead to the synchronous standby, as an operator does. */
  switchOver(): Promise<void>;
  /** Sends a signal to Postgres of a node, to its main process, or to all with Patroni. */
  signal(
    node: number,
    what: 'node' | 'postgres' | 'postmaster',
    name: NodeJS.Signals,
  ): Promise<void>;
  /** Gives Postgres of a node, with Patroni, a nice value. */
  renice(node: number, priority: number): Promise<void>;
  /** Ends Patroni of a node, which stops its Postgres. */
  stop(node: number): Promise<void>;
  /** Runs a program on a node as Postgres's own user; answers what it says on both outputs. */
  run(node: number, program: string, ...args: readonly string[]): Promise<string>;
  dataOf(node: number): string;
  /** Runs `patronictl` on a node with its own configuration; answers what it says. */
  control(node: number, ...args: readonly string[]): Promise<string>;
  /** Asks the API of Patroni or etcd of a node; without the nodes' certificate where it says so. */
  ask(node: number, port: 8008 | 2379, path: string, options?: Ask): Promise<Answer>;
  /** What the superuser and standbys sign in with from the next start of a node on. */
  readonly passwords: Record<'superuser' | 'replication', string>;
  killEtcd(node: number): void;
  cut(node: number): void;
  heal(node: number): void;
  /** Has etcd forget the cluster, as `patronictl remove` does. */
  forgetCluster(): Promise<void>;
  /** Starts again all that is down, or Patroni of one node. */
  start(only?: number): void;
  close(): Promise<void>;
}

interface Ask {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: object;
  readonly certificate?: false;
  /** Of Patroni's API. */
  readonly password?: string;
}
interface Answer {
  readonly status: number;
  readonly text: string;
}

export const NODES = [1, 2, 3] as const;
const hosts = NODES.map((node) => ({ host: addressOf(node), port: 5432 }));
const targetOf = (user: string): DatabaseTarget => ({
  hosts,
  user,
  password: `password of ${user}`,
  database: 'munshi',
  ssl: false,
});
const SUPERUSER = targetOf('postgres');
const OWNER = targetOf('munshi_owner');
const RUNTIME = targetOf('munshi_app');

/** Debian has some of them where only root looks. */
const PROGRAMS = `${process.env['PATH']}:/usr/sbin:/usr/bin`;

/** Programs by their packages; throws at the first that is missing. */
function expectPrograms(archived: boolean): void {
  if (process.getuid?.() !== 0) throw new Error('Networks of their own need root');
  for (const [program, name] of [
    ['ip', 'iproute2'],
    ['setpriv', 'util-linux'],
    ['openssl', 'openssl'],
    ['etcd', 'etcd-server'],
    ['patroni', 'patroni python3-etcd'],
    ...(archived ? [['pgbackrest', 'pgbackrest']] : []),
  ])
    if (spawnSync(program as string, ['--version'], { env: { PATH: PROGRAMS } }).error)
      throw new Error(`${program} is missing: apt-get install ${name}`);
}

/** What decides how soon another node leads, in seconds. */
export interface Patience {
  readonly ttl?: number;
  readonly retry_timeout?: number;
}

interface Options {
  readonly archived?: boolean;
  /** Instead of what `deploy/ha/patroni.yml` has. */
  readonly patience?: Patience;
}

export async function startPatroni({
  archived = false,
  patience = {},
}: Options = {}): Promise<Patroni> {
  expectPrograms(archived);
  const home = await mkdtemp(path.join(tmpdir(), 'munshi-ha-'));
  const account = serverAccount(undefined) as Account;
  await chown(home, account.uid, account.gid);
  const keys = await makeCertificates(home, account);
  const network = createNetwork(NODES);
  const programs = new Map<string, ChildProcess>();
  const asPostgres = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    ...['--clear-groups', '--'],
  ];

  /** As Postgres's own user; it ends with this process. */
  function run(name: string, node: number, command: readonly string[], env = {}) {
    const running = programs.get(name);
    if (running !== undefined && running.exitCode === null && running.signalCode === null) return;
    const [program = '', ...args] = [
      ...network.inside(node),
      ...['setpriv', '--pdeathsig=KILL', ...asPostgres],
      ...command,
    ];
    const log = openSync(path.join(home, `${name}.log`), 'a');
    const child = spawn(program, args, {
      cwd: home,
      env: { PATH: PROGRAMS, ...env },
      stdio: ['ignore', log, log],
    });
    programs.set(name, child);
  }
  const pidOf = (name: string) => programs.get(name)?.pid as number;

  const passwords = { superuser: SUPERUSER.password, replication: 'password of replicator' };
  const [ttlMs = 0] = await Promise.all(
    NODES.map((node) => configure(home, node, account, { archived, patience })),
  );
  function start(only?: number) {
    for (const node of NODES) run(`etcd${node}`, node, etcdCommand(home, node));
    for (const node of only === undefined ? NODES : [only])
      run(`patroni${node}`, node, ['patroni', path.join(home, `patroni${node}.yml`)], {
        PATRONI_NAME: `postgres${node}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${addressOf(node)}:8008`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${addressOf(node)}:5432`,
        PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
        PATRONI_REPLICATION_PASSWORD: passwords.replication,
        PATRONI_RESTAPI_PASSWORD: API_PASSWORD,
        ...(archived && archiveOf(home, node)),
        MUNSHI_OWNER_PASSWORD: OWNER.password,
        MUNSHI_APP_PASSWORD: RUNTIME.password,
        MUNSHI_RETENTION_PASSWORD: 'password of munshi_retention',
      });
  }

  const postmaster = async (node: number) => {
    const file = path.join(home, `data${node}`, 'postmaster.pid');
    const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    return name === 'postgres\n' ? pid : undefined;
  };
  const pidsOf = async (node: number, what: 'node' | 'postgres' | 'postmaster') => {
    const main = await postmaster(node);
    const postgres = main === undefined ? [] : [main, ...(await childrenOf(main))];
    if (what === 'postmaster') return postgres.slice(0, 1);
    return what === 'postgres' ? postgres : [pidOf(`patroni${node}`), ...postgres];
  };
  const ask: Patroni['ask'] = (node, port, at, options) => askNode(keys, node, port, at, options);
  const answers = (node: number, role: string) =>
    ask(node, 8008, `/${role}`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const find = async (role: string) => {
    const found = await Promise.all(NODES.map((node) => answers(node, role)));
    return NODES.find((_, at) => found[at]);
  };

  const patroni: Patroni = {
    ttlMs,
    owner: OWNER,
    runtime: RUNTIME,
    superuser: SUPERUSER,
    leader: () => find('primary'),
    commits: (node) => says(node, COMMITS, passwords.superuser),
    synchronous: () => find('synchronous'),
    async healthy() {
      for (const end = performance.now() + 120_000; ; await pace(300)) {
        const leader = await find('primary');
        const whole =
          leader !== undefined && (await says(leader, HAS_STANDBYS, passwords.superuser));
        if (whole && (await find('synchronous')) !== undefined) return;
        if (performance.now() > end) throw new Error(`no healthy cluster: see ${home}`);
      }
    },
    async etcdLeader() {
      for (const node of NODES) {
        const { text } = await ask(node, 2379, '/v2/stats/self');
        if (text.includes('"state":"StateLeader"')) return node;
      }
      throw new Error('etcd has no leader');
    },
    async switchOver() {
      const [leader, candidate] = [await find('primary'), await find('synchronous')];
      const [from, to] = [`postgres${leader}`, `postgres${candidate}`];
      const who = [`--master=${from}`, `--candidate=${to}`];
      await patroni.control(leader ?? 1, 'switchover', 'munshi', ...who, '--force');
    },
    async signal(node, what, name) {
      for (const pid of await pidsOf(node, what)) signalIfThere(pid, name);
    },
    async renice(node, priority) {
      for (const pid of await pidsOf(node, 'node')) setPriorityIfThere(pid, priority);
    },
    async stop(node) {
      const child = programs.get(`patroni${node}`) as ChildProcess;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
    async run(node, program, ...args) {
      const [first = '', ...rest] = [...network.inside(node), 'setpriv', ...asPostgres, program];
      const { stdout, stderr } = await promisify(execFile)(first, [...rest, ...args], {
        cwd: home,
        env: { PATH: PROGRAMS, PGHOST: path.join(home, `socket${node}`), ...archiveOf(home, node) },
        maxBuffer: 1 << 26,
      });
      return stdout + stderr;
    },
    dataOf: (node) => path.join(home, `data${node}`),
    control: (node, ...args) =>
      patroni.run(
        node,
        'env',
        `PATRONI_RESTAPI_PASSWORD=${API_PASSWORD}`,
        'patronictl',
        `--config-file=${path.join(home, `patroni${node}.yml`)}`,
        ...args,
      ),
    ask,
    passwords,
    async forgetCluster() {
      const at = '/v2/keys/service/munshi?recursive=true';
      const { status, text } = await ask(1, 2379, at, { method: 'DELETE' });
      if (status !== 200) throw new Error(`etcd: ${text}`);
    },
    killEtcd: (node) => signalIfThere(pidOf(`etcd${node}`), 'SIGKILL'),
    cut: network.cut,
    heal: network.heal,
    start,
    async close() {
      const children = [...programs.values()].filter(({ exitCode }) => exitCode === null);
      for (const node of NODES) await patroni.signal(node, 'node', 'SIGKILL');
      for (const child of children) {
        if (child.signalCode !== null) continue;
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      for (const node of NODES) await patroni.signal(node, 'postgres', 'SIGKILL');
      network.close();
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    },
  };
  start();
  try {
    await patroni.healthy();
  } catch (error) {
    const said = await readFile(path.join(home, 'patroni1.log'), 'utf8').catch(() => '');
    await patroni.close();
    throw new Error(`${(error as Error).message}\n${said.slice(-2_000)}`);
  }
  return patroni;
}

function setPriorityIfThere(pid: number, priority: number): void {
  try {
    os.setPriority(pid, priority);
  } catch (error) {
    if ((error as { info?: { code?: string } }).info?.code !== 'ESRCH') throw error;
  }
}

const API_PASSWORD = 'password of the API';
type Keys = Readonly<Record<'ca' | 'cert' | 'key', Buffer>>;

/** By `deploy/ha/make-certificates.sh`, in `home`. */
async function makeCertificates(home: string, { uid, gid }: Account): Promise<Keys> {
  const script = path.join(ROOT, 'deploy/ha/make-certificates.sh');
  const names = NODES.map((node) => `IP:${addressOf(node)}`).join(',');
  execFileSync('sh', [script, home, names], { stdio: 'pipe' });
  const files = ['ha_ca_crt', 'ha_node_crt', 'ha_node_key'].map((name) => path.join(home, name));
  for (const file of files) await chown(file, uid, gid);
  const [ca, cert, key] = files.map((file) => readFileSync(file)) as [Buffer, Buffer, Buffer];
  return { ca, cert, key };
}

function askNode(
  { ca, cert, key }: Keys,
  node: number,
  port: number,
  at: string,
  { method = 'GET', body, certificate, password }: Ask = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = https.request({
    ...{ host: addressOf(node), port, path: at, method, ca, agent: false },
    ...(certificate === false ? {} : { cert, key }),
    ...(password === undefined ? {} : { auth: `patroni:${password}` }),
    signal: AbortSignal.timeout(1_000),
  });
  request.once('error', reject);
  request.once('response', (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    response.once('error', reject);
    response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

/** Both others follow, and commits wait for one of them. */
const HAS_STANDBYS = `select count(*) filter (where state = 'streaming') = 2
    and count(*) filter (where sync_state = 'sync') = 1 as yes
  from pg_stat_replication where application_name like 'postgres%'`;
const COMMITS = `select not pg_is_in_recovery() and exists (
    select from pg_stat_replication where state = 'streaming' and sync_state = 'sync') as yes`;

/** What a node answers to a question; false without an answer. */
const says = (node: number, question: string, password: string): Promise<boolean> =>
  onServer(
    {
      host: addressOf(node),
      user: SUPERUSER.user,
      password,
      database: 'munshi',
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
    },
    (admin) => admin.query<{ yes: boolean }>(question),
  ).then(
    ({ rows }) => rows[0]?.yes === true,
    () => false,
  );

/**
 * What `deploy/ha/patroni.yml` says, with folders and addresses of this machine. Answers its `ttl`
 * in milliseconds.
 */
async function configure(
  home: string,
  node: number,
  { uid, gid }: Account,
  { archived, patience }: Required<Options>,
): Promise<number> {
  const shipped = await readFile(path.join(ROOT, 'deploy/ha/patroni.yml'), 'utf8');
  const settings = parse(shipped);
  Object.assign(settings.bootstrap.dcs, patience);
  const socket = path.join(home, `socket${node}`);
  await mkdir(socket);
  await chown(socket, uid, gid);
  settings.etcd.hosts = NODES.map((other) => `${addressOf(other)}:2379`);
  for (const section of [settings.restapi, settings.ctl, settings.etcd])
    for (const [name, file] of Object.entries<string>(section))
      if (file.startsWith?.('/run/secrets/')) section[name] = path.join(home, path.basename(file));
  settings.postgresql.data_dir = path.join(home, `data${node}`);
  settings.postgresql.pgpass = path.join(home, `pgpass${node}`);
  settings.postgresql.parameters.unix_socket_directories = socket;
  const roles = path.join(home, 'roles.sh');
  const file = path.join(ROOT, 'deploy/postgres/roles.sql');
  const script = `#!/bin/sh\nexec psql "$1" --no-psqlrc --set ON_ERROR_STOP=1 --file '${file}'\n`;
  await writeFile(roles, script, { mode: 0o755 });
  settings.bootstrap.post_bootstrap = roles;
  if (archived) {
    for (const name of [`lock${node}`, 'repository']) {
      await mkdir(path.join(home, name), { recursive: true });
      await chown(path.join(home, name), uid, gid);
    }
  }
  const own = path.join(home, `patroni${node}.yml`);
  await writeFile(own, stringify(settings), { mode: 0o600 });
  await chown(own, uid, gid);
  return settings.bootstrap.dcs.ttl * 1_000;
}

/** pgBackRest's settings on a node: `deploy/backup/pgbackrest.conf`, and one repository for all. */
const archiveOf = (home: string, node: number) => ({
  PGBACKREST_CONFIG: path.join(ROOT, 'deploy/backup/pgbackrest.conf'),
  PGBACKREST_PG1_PATH: path.join(home, `data${node}`),
  PGBACKREST_PG1_SOCKET_PATH: path.join(home, `socket${node}`),
  PGBACKREST_PG1_USER: 'postgres',
  PGBACKREST_REPO1_PATH: path.join(home, 'repository'),
  PGBACKREST_LOCK_PATH: path.join(home, `lock${node}`),
});

function etcdCommand(home: string, node: number): readonly string[] {
  const client = `https://${addressOf(node)}:2379`;
  const peer = `https://${addressOf(node)}:2380`;
  const peers = NODES.map((other) => `etcd${other}=https://${addressOf(other)}:2380`).join(',');
  const certificates = ['', 'peer-'].flatMap((of) => [
    `--${of}client-cert-auth`,
    `--${of}trusted-ca-file=${home}/ha_ca_crt`,
    `--${of}cert-file=${home}/ha_node_crt`,
    `--${of}key-file=${home}/ha_node_key`,
  ]);
  return [
    'etcd',
    `--name=etcd${node}`,
    `--data-dir=${home}/etcd${node}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${peers}`,
    '--initial-cluster-token=munshi',
    '--initial-cluster-state=new',
    ...certificates,
    '--enable-v2=true',
    '--logger=zap',
  ];
}
