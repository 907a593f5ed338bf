import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askedText, type Reached } from '../../apps/server/src/platform/http/reach.ts';
import { createVault } from '../../apps/server/src/platform/vault.ts';
import { openEventStream } from '../support/event-stream.ts';
import { createMember, createMerchant, createOrder } from '../support/fixtures.ts';
import { get, postOrder } from '../support/merchant-client.ts';
import { pace } from '../support/pace.ts';
import { createPortalUser } from '../support/portal.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { MASTER_KEY, OPERATOR_TOKEN, type Service, startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';
import { ROOT, read } from '../tidy/sources.ts';

/** Debian installs servers where only root looks. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;
const TLS = path.join(ROOT, 'tests/support/tls');
/** A network of examples: what a stranger says their address is. */
const CLAIMED = '203.0.113.77';

interface Proxy {
  readonly name: string;
  readonly version: readonly string[];
  /** The configuration as it is shipped, with this machine's ports and certificate. */
  readonly configure: (rig: { port: number; plain: number; servers: readonly number[] }) => string;
  readonly start: (file: string) => readonly string[];
  readonly secure: boolean;
  /** How often a client has to repeat a POST that meets a restart. */
  readonly repeats: number;
  /** Whether anything of a request that fails is logged. */
  readonly logs: boolean;
}

const replaced = (text: string, ...changes: readonly (readonly [string | RegExp, string])[]) =>
  changes.reduce((before, [from, to]) => {
    const after = before.replace(from, () => to);
    if (after === before) throw new Error(`${from} is not in the configuration`);
    return after;
  }, text);

/** As docs/operate/install.md, "TLS", has it for nginx before 1.25.1. */
const OLD_HTTP2 = [
  [' ssl;', ' ssl http2;'],
  ['http2 on;', ''],
] as const;
const [NGINX, ...NGINX_VERSION] = ['nginx', '-v'] as const;
function knowsHttp2On(): boolean {
  const { stderr } = spawnSync(NGINX, NGINX_VERSION, { env: { PATH }, encoding: 'utf8' });
  const [, major, minor] = /nginx\/(\d+)\.(\d+)/.exec(stderr) ?? [];
  return Number(major) > 1 || Number(minor) > 24;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    version: [NGINX, ...NGINX_VERSION],
    secure: true,
    repeats: 0,
    logs: true,
    configure: ({ port, plain, servers: [one, other] }) => `
      daemon off; user root; pid nginx.pid; error_log stderr warn;
      events {}
      http {
        client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f;
        uwsgi_temp_path u; scgi_temp_path s;
        ${replaced(
          read('deploy/nginx/munshi.conf'),
          ['server 127.0.0.1:3000', `server 127.0.0.1:${one}`],
          ['server 127.0.0.1:3010', `server 127.0.0.1:${other}`],
          [/listen 80;\s+listen \[::\]:80;/, `listen 127.0.0.1:${plain};`],
          [/listen 443 ssl;\s+listen \[::\]:443 ssl;/, `listen 127.0.0.1:${port} ssl;`],
          ...(knowsHttp2On() ? [] : OLD_HTTP2),
          [/\/var\/log\/nginx\//g, ''],
          ['/etc/ssl/munshi/fullchain.pem', path.join(TLS, 'receiver-certificate.pem')],
          ['/etc/ssl/munshi/privkey.pem', path.join(TLS, 'receiver-key.pem')],
        )}
      }`,
    start: (file) => ['nginx', '-e', 'stderr', '-p', path.dirname(file), '-c', file],
  },
  {
    name: 'Caddy',
    version: ['caddy', 'version'],
    secure: true,
    repeats: 20, // that of Debian 12 abandons a POST whose body it has to send again
    logs: true,
    configure: ({ port, plain, servers: [one, other] }) =>
      replaced(
        read('deploy/caddy/Caddyfile'),
        [
          '\n{\n',
          `\n{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${plain}\n\thttps_port ${port}\n`,
        ],
        ['pay.example.com {', `localhost:${port} {`],
        [
          'reverse_proxy 127.0.0.1:3000 127.0.0.1:3010 {',
          `reverse_proxy 127.0.0.1:${one} 127.0.0.1:${other} {`,
        ],
      ),
    start: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'HAProxy',
    version: ['haproxy', '-v'],
    secure: false,
    repeats: 0,
    logs: false,
    configure: ({ port, servers: [one, other] }) =>
      replaced(
        read('deploy/haproxy/haproxy.cfg'),
        ['bind :3000', `bind 127.0.0.1:${port}`],
        [/http1:3000/g, `127.0.0.1:${one}`],
        [/http2:3000/g, `127.0.0.1:${other}`],
      ),
    start: (file) => ['haproxy', '-db', '-f', file],
  },
];

let service: Service;
let servers: ServerProcess[];
let ports: readonly number[];
const startServer = (port: number) =>
  startProcess(service, { PORT: String(port), TRUSTED_PROXIES: '127.0.0.1', OPERATOR_TOKEN });

beforeAll(async () => {
  for (const { version, name } of PROXIES)
    if (spawnSync(version[0] as string, version.slice(1), { env: { PATH } }).error)
      throw new Error(`${name} is missing: apt-get install nginx-light caddy haproxy`);
  // The certificates are of this test: that browsers trust the real one is for `munshi doctor`.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  service = await startService({ ROLES: 'http' });
  ports = await freePorts(2);
  servers = await Promise.all(ports.map(startServer));
});
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.stop()));
  await service?.close();
});

async function freePorts(count: number): Promise<readonly number[]> {
  const taken = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const found = taken.map((server) => (server.address() as { port: number }).port);
  for (const server of taken) {
    server.close();
    await once(server, 'close');
  }
  return found;
}

/** Resolves when `/readyz` has such an answer. `stop` answers all that it has written. */
async function startProxy(
  { configure, start, secure }: Proxy,
  servers: readonly number[],
  isReady: (answer: Response) => boolean,
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-proxy-'));
  const [port = 0, plain = 0] = await freePorts(2);
  const file = path.join(folder, 'configuration');
  await writeFile(file, configure({ port, plain, servers }));
  const [program = '', ...args] = start(file);
  const child = spawn(program, args, { env: { PATH, HOME: folder, XDG_DATA_HOME: folder } });
  const gone = once(child, 'close');
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (process.env['TEST_LOG'] !== undefined) process.stderr.write(chunk);
    });
  const url = secure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  for (let tries = 300; !(await fetch(`${url}/readyz`).then(isReady, () => false)); tries -= 1) {
    if (tries === 0 || child.exitCode !== null) throw new Error(`${program} is not ready: ${said}`);
    await pace(100);
  }
  return {
    url,
    plainUrl: `http://localhost:${plain}/`,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await gone;
      const files = await readdir(folder);
      for (const name of files.filter((one) => one.endsWith('.log')))
        said += await readFile(path.join(folder, name), 'utf8');
      await rm(folder, { recursive: true, force: true });
      return said;
    },
  };
}

describe.each(PROXIES)('behind $name as deploy/ configures it', (proxy) => {
  const { secure, repeats, logs } = proxy;
  let running: Awaited<ReturnType<typeof startProxy>>;
  let url: string;
  let plainUrl: string;

  beforeAll(async () => {
    running = await startProxy(proxy, ports, ({ ok }) => ok);
    ({ url, plainUrl } = running);
  });
  afterAll(() => running.stop());

  test('the service knows the caller, and believes no stranger who names another address', async () => {
    const [at, nonce] = [String(Date.now()), randomBytes(16).toString('hex')];
    const [proof = ''] = createVault(MASTER_KEY).proofs(askedText(at, nonce));
    const answer = await fetch(`${url}/reach?${new URLSearchParams({ at, nonce, proof })}`, {
      headers: { 'X-Forwarded-For': CLAIMED },
    });
    const { peer, forwardedFor } = (await answer.json()) as Reached;
    expect(peer).toBe('127.0.0.1');
    expect(forwardedFor).not.toBe(CLAIMED);
    expect(forwardedFor?.split(', ').at(-1)).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  test('a body as large as the service takes gets through, and answers are the service’s own', async () => {
    const send = async (bytes: number) => {
      const answer = await fetch(`${url}/api/operator/merchants`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${OPERATOR_TOKEN}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ name: 'Shop', logo: 'x'.repeat(bytes) }),
      });
      return [answer.status, answer.headers.get('x-content-type-options')];
    };
    expect(await send(1_000)).toEqual([400, 'nosniff']);
    // The service answers while the body comes, and that answer gets through each time.
    for (let count = 0; count < 5; count += 1)
      expect(await send(1_900 * 1024)).toEqual([413, 'nosniff']);
  });

  test('an event stream is passed on as it comes, and lives longer than any timeout', async () => {
    const stream = await openEventStream(`${url}/api/operator/events`, {
      Authorization: `Bearer ${OPERATOR_TOKEN}`,
    });
    expect(stream.status).toBe(200);
    const beats = () => stream.text().split('event: heartbeat').length - 1;
    await expect.poll(beats, { timeout: 100_000 }).toBeGreaterThan(6);
    expect(stream.ended()).toBe(false);
    stream.close();
  });

  test('the portal comes as the service sends it: page, assets and events', async () => {
    const page = await fetch(`${url}/portal/orders`);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';[^,]*$/,
    );
    const [, script = ''] = /src="(\/portal\/assets\/[^"]+)"/.exec(await page.text()) ?? [];
    const asset = await fetch(url + script, { headers: { 'Accept-Encoding': 'br' } });
    expect([asset.status, asset.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(asset.headers.get('cache-control')).toContain('immutable');

    const merchant = { ...(await createMerchant(service)), url };
    const { token } = await createPortalUser(service, merchant, 'admin');
    const stream = await openEventStream(`${url}/api/portal/events`, {
      Authorization: `Bearer ${token}`,
    });
    // The event of an order is sent at once, and not when a buffer is full. A process begins to
    // listen to others with its first stream.
    await expect
      .poll(async () => {
        await createOrder(merchant);
        return stream.data().map(({ kind }) => kind);
      })
      .toContain('order');
    expect(stream.ended()).toBe(false);
    stream.close();
  });

  test('a page’s long wait is answered by the service', async () => {
    const merchant = { ...(await createMerchant(service)), url };
    const order = await createOrder(merchant);
    const { search } = new URL(order.paymentPageUrl);
    const state = async (wait: string) => {
      const answer = await fetch(`${url}/pay/${order.orderId}/state${search}${wait}`);
      expect(answer.status).toBe(200);
      return (await answer.json()) as { readonly data: { readonly version: string } };
    };
    const { version } = (await state('')).data;
    expect((await state(`&wait=25&since=${version}`)).data.version).toBe(version);
  });

  test('while orders cannot be read, every answer is the service’s 503', async () => {
    const merchant = { ...(await createMerchant(service)), url };
    const { orderId } = await createOrder(merchant);
    const state = async () => (await get(merchant, `/orders/${orderId}/status`)).status;
    const holder = await service.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table orders in access exclusive mode');
      // Those of the second round come when both processes have answered 503.
      for (let round = 0; round < 2; round += 1)
        expect(await Promise.all(Array.from({ length: 4 }, state))).toEqual([503, 503, 503, 503]);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await expect.poll(state).toBe(200);
  });

  test('processes are restarted one after the other, and no order of a load fails', async () => {
    const merchant = { ...(await createMerchant(service)), url };
    await createMember(service);
    const statuses: number[] = [];
    const load = { on: true };
    const clients = Array.from({ length: 4 }, async () => {
      while (load.on) {
        const body = {
          orderType: 'Deposit',
          amount: 100,
          walletType: 'ProviderA',
          merchantOrderRef: randomUUID(),
        };
        const idempotencyKey = randomUUID();
        const send = () => postOrder(merchant, body, { idempotencyKey });
        let { status } = await send();
        // As clients do: the same again, under the same key.
        for (let tries = repeats; status === 502 && tries > 0; tries -= 1) {
          await pace(200);
          ({ status } = await send());
        }
        statuses.push(status);
        await pace(10);
      }
    });
    for (const [at, port] of ports.entries()) {
      await pace(3_000); // until a proxy has seen that the other one is back
      const { length } = statuses;
      expect(await (servers[at] as ServerProcess).stop()).toBe(0);
      await expect.poll(() => statuses.length).toBeGreaterThan(length + 20);
      servers[at] = await startServer(port);
    }
    await pace(3_000);
    load.on = false;
    await Promise.all(clients);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(200);
    await expectSound(service);
  });

  test('no log has a link’s query or a caller’s headers, also of what fails', async () => {
    const deaf = await startProxy(proxy, await freePorts(2), () => true);
    const [token, key] = [randomUUID(), randomUUID()];
    const headers = { 'SVC-API-Key': key, Referer: `https://shop.example/?token=${token}` };
    const ask = (at: string) => fetch(at, { headers, redirect: 'manual' });
    const link = `pay/${randomUUID()}?expires=1&token=${token}`;
    await ask(`${deaf.url}/${link}`);
    if (secure) await ask(deaf.plainUrl + link);
    const said = await deaf.stop();
    expect(said).not.toContain(token);
    expect(said).not.toContain(key);
    expect(said.includes('/pay/')).toBe(logs);
  });

  test.runIf(secure)('plain HTTP leads to https, and /metrics is not for everybody', async () => {
    const answer = await fetch(plainUrl, { redirect: 'manual' });
    expect([301, 308]).toContain(answer.status);
    expect(answer.headers.get('location')).toMatch(/^https:/);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});
