import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  setPresence,
  signInMember,
  type TestMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { memberClient } from '../support/member-client.ts';
import { completeOrder, payDeposit } from '../support/outcomes.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { scrape } from '../support/scrape.ts';
import { type Service, startService } from '../support/service.ts';

/** Debian's package, or `PROMETHEUS_PATH`, a folder that has both programs. */
const PATH = [process.env['PROMETHEUS_PATH'], process.env['PATH']].filter(Boolean).join(':');
const DEPLOY = path.join(import.meta.dirname, '..', '..', 'deploy', 'prometheus');
/** What waits for a minute waits here for so long: two scrapes have to be in it. */
const MINUTE_SECONDS = 3;
const PASSWORD = 'a long enough password';
const PATIENCE = { timeout: 110_000, interval: 500 };

let folder: string;
let service: Service;
let proxy: DatabaseProxy;
let http: ServerProcess;
let worker: ServerProcess;
let receiver: Receiver;
let merchant: TestMerchant;
let member: TestMember;
let prometheus: Prometheus;

/** Answers how it ended and what it said. The proxy of this process goes on meanwhile. */
async function promtool(args: readonly string[], input = '') {
  const child = spawn('promtool', args, { env: { PATH }, cwd: DEPLOY });
  child.stdin.end(input);
  const [[status], ...said] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { status: status as number, said: said.join('') };
}

beforeAll(async () => {
  for (const program of ['prometheus', 'promtool'])
    if (spawnSync(program, ['--version'], { env: { PATH } }).error)
      throw new Error(`${program} is missing: apt-get install prometheus`);
  folder = await mkdtemp(path.join(tmpdir(), 'munshi-prometheus-'));
  service = await startService({ ROLES: 'http' });
  proxy = await startDatabaseProxy(service.target);
  const proxied = { ...service, target: proxy.target };
  http = await startProcess(proxied, { ROLES: 'http' });
  worker = await startProcess(proxied, {
    ROLES: 'worker',
    VERIFY_AT: '02:00',
    ALLOW_PRIVATE_CALLBACKS: '1',
  });
  receiver = await startReceiver();
  merchant = await createMerchant(service, { defaultCallbackUrl: `${receiver.url}/hook` });
  member = await createMember(service, {
    maxOpenOrders: 100_000,
    float: '1000000000',
    password: PASSWORD,
  });
  prometheus = await startPrometheus([http, worker]);
});
afterAll(async () => {
  await prometheus?.stop();
  proxy?.set('open');
  await http?.stop();
  await worker?.stop();
  await proxy?.close();
  await receiver?.close();
  await service?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

type Labels = Readonly<Record<string, string>>;
interface Prometheus {
  query(expression: string): Promise<number | undefined>;
  /** The labels of every series that an expression answers with a number. */
  series(expression: string): Promise<readonly Labels[]>;
  /** The names of the alerts that fire. */
  firing(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const inHaste = (rules: string) =>
  rules
    .replaceAll('for: 30s', `for: ${MINUTE_SECONDS}s`)
    .replaceAll(/\b(\d+)m\b/g, (_, minutes) => `${Number(minutes) * MINUTE_SECONDS}s`);

interface Answer {
  readonly result?: readonly {
    readonly metric: Labels;
    readonly value: readonly [at: number, value: string];
  }[];
  readonly alerts?: readonly {
    readonly state: string;
    readonly labels: { readonly alertname: string };
  }[];
}

async function startPrometheus(targets: readonly ServerProcess[]): Promise<Prometheus> {
  const port = await freePort();
  const rules = await readFile(path.join(DEPLOY, 'rules.yml'), 'utf8');
  await writeFile(path.join(folder, 'rules.yml'), inHaste(rules));
  const hosts = targets.map(({ url }) => `'${new URL(url).host}'`);
  const settings = [
    `global: { scrape_interval: ${MINUTE_SECONDS}s, scrape_timeout: ${MINUTE_SECONDS}s, evaluation_interval: 1s }`,
    'rule_files: [rules.yml]',
    `scrape_configs: [{ job_name: munshi, static_configs: [{ targets: [${hosts}] }] }]`,
  ];
  await writeFile(path.join(folder, 'prometheus.yml'), `${settings.join('\n')}\n`);
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const child: ChildProcess = spawn('prometheus', args, { env: { PATH }, stdio: 'inherit' });
  const address = `http://127.0.0.1:${port}`;
  const ask = async (question: string) =>
    ((await (await fetch(`${address}/api/v1/${question}`)).json()) as { data: Answer }).data;
  const isReady = () =>
    fetch(`${address}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const started: Prometheus = {
    async query(expression) {
      const { result = [] } = await ask(`query?query=${encodeURIComponent(expression)}`);
      return result[0] === undefined ? undefined : Number(result[0].value[1]);
    },
    async series(expression) {
      const { result = [] } = await ask(`query?query=${encodeURIComponent(expression)}`);
      return result.flatMap(({ metric, value }) => (value[1] === 'NaN' ? [] : [metric]));
    },
    async firing() {
      const { alerts = [] } = await ask('alerts');
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
  await vi
    .waitFor(async () => expect(await isReady()).toBe(true), PATIENCE)
    .catch(async (error) => {
      await started.stop();
      throw error;
    });
  return started;
}

const fires = (alert: string) =>
  expect.poll(() => prometheus.firing(), PATIENCE).toEqual(expect.arrayContaining([alert]));
const ceases = (alert: string) =>
  expect.poll(() => prometheus.firing(), PATIENCE).not.toEqual(expect.arrayContaining([alert]));

/** Orders through the process that is scraped, until the work is done. */
async function underLoad(work: () => Promise<void>): Promise<void> {
  let going = true;
  const through = { ...merchant, url: http.url };
  const clients = Array.from({ length: 4 }, async () => {
    while (going) {
      const order = await createOrder(through, { walletType: 'ProviderA' });
      await completeOrder(service, order, member);
    }
  });
  await work().finally(() => {
    going = false;
  });
  await Promise.all(clients);
}

test('promtool finds rules and configuration in order', async () => {
  expect(await promtool(['check', 'rules', 'rules.yml'])).toMatchObject({ status: 0 });
  const copy = path.join(folder, 'deploy');
  await cp(DEPLOY, copy, { recursive: true });
  await writeFile(path.join(copy, 'metrics-token'), 'a-token');
  const configuration = path.join(copy, 'prometheus.yml');
  expect(await promtool(['check', 'config', configuration])).toMatchObject({ status: 0 });
});

test('promtool finds that rules fire when they should, and not before', async () => {
  const { status, said } = await promtool(['test', 'rules', 'rules.test.yml']);
  expect(said).not.toContain('FAILED');
  expect(status).toBe(0);
});

test('promtool finds nothing wrong with names, units and texts of our metrics', async () => {
  const shown = await scrape(worker);
  const own = shown.text
    .split('\n')
    .filter((line) => /^(# \w+ )?munshi_/.test(line))
    .join('\n');
  expect(await promtool(['check', 'metrics'], `${own}\n`)).toEqual({ status: 0, said: '' });
});

test('under load both processes are scraped, their counts grow, and nothing fires', async () => {
  await underLoad(async () => {
    const completed = 'sum(rate(munshi_orders_ended_total{outcome="Completed"}[15s]))';
    const created = 'sum(rate(munshi_orders_created_total[15s]))';
    await expect.poll(() => prometheus.query(created), PATIENCE).toBeGreaterThan(1);
    expect(await prometheus.query('sum(up{job="munshi"})')).toBe(2);
    expect(await prometheus.query('max(munshi_members_able{method="ProviderA"})')).toBe(1);
    expect(await prometheus.query(`${completed} >= 0`)).toBeDefined();
    expect(await prometheus.firing()).toEqual([]);
  });
});

test('MunshiNoMemberAble fires when nobody can take the orders that come, and ceases', async () => {
  await everybodyOffline(service);
  const through = { ...merchant, url: http.url };
  await expect
    .poll(async () => {
      await createOrder(through, { walletType: 'ProviderA' });
      return prometheus.firing();
    }, PATIENCE)
    .toContain('MunshiNoMemberAble');
  await setPresence(service, member.memberId, true);
  await ceases('MunshiNoMemberAble');
});

test('MunshiWebhooksFailing fires when receivers answer with failures', async () => {
  receiver.behave(500);
  await underLoad(() => fires('MunshiWebhooksFailing'));
  receiver.behave(200);
});

test('MunshiDatabaseDown fires when a process does not reach the database, and ceases', async () => {
  proxy.set('silent');
  await fires('MunshiDatabaseDown');
  expect((await fetch(`${http.url}/readyz`)).status).toBe(503);
  proxy.set('open');
  await ceases('MunshiDatabaseDown');
});

test('MunshiBooksBroken fires after the night in which a wallet was found wrong', async () => {
  await service.database.pool.query('update merchant_wallets set balance = balance + 1');
  const minute = Math.floor(service.app.deps.clock.now() / 60_000) % 1_440;
  await advance(service, ((1_440 + 150 - minute) % 1_440 || 1_440) * 60); // 02:30
  await fires('MunshiBooksBroken');
});

interface Board {
  readonly title: string;
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
  }[];
}

/** After all of the above, of which the last ten minutes know. */
test('every panel of the dashboards has series, with the labels that its legend names', async () => {
  const folder = path.join(DEPLOY, '..', 'grafana');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const boards = await Promise.all(
    files.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Board),
  );
  const asked = boards.flatMap(({ title: board, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat = '' }) => ({
        where: `${board}, ${title}`,
        expression: expr.replaceAll('$__rate_interval', '10m'),
        labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label as string),
      })),
    ),
  );
  expect(asked.length).toBeGreaterThan(60);
  const bare = async () => {
    const found = await Promise.all(
      asked.map(async ({ where, expression, labels }) => {
        const series = await prometheus.series(expression);
        const named = series.every((metric) => labels.every((label) => metric[label]));
        return series.length > 0 && named ? [] : [where];
      }),
    );
    return found.flat();
  };
  // Load is completed by the test's own service: these by the process that is scraped.
  const own = memberClient(http.url, await signInMember(service, member, PASSWORD));
  const complete = async () => {
    const order = await createOrder({ ...merchant, url: http.url }, { walletType: 'ProviderA' });
    await payDeposit(service, order);
    await own.data('POST', `/orders/${order.orderId}/confirm`, {});
  };
  const bareAfterOne = () => complete().then(bare);
  await underLoad(() => expect.poll(bareAfterOne, PATIENCE).toEqual([]));
});

test('MunshiNoWorker and MunshiDown fire when the worker has died', async () => {
  await worker.stop('SIGKILL');
  await fires('MunshiDown');
  await fires('MunshiNoWorker');
});
