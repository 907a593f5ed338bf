import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { sdkFiles } from '../../../apps/server/src/platform/http/sdk-files.ts';
import { createHttpServer } from '../../../apps/server/src/platform/http/server.ts';
import { webApps } from '../../../apps/server/src/platform/http/web.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { serviceTest } from '../../support/service-test.ts';

const log = pino({ level: 'silent' });
const folder = mkdtempSync(path.join(tmpdir(), 'munshi-web-'));
const SCRIPT = 'console.log("a build");'.repeat(50);
const { service, test: withService } = await serviceTest({
  PUBLIC_URL: 'http://127.0.0.1/pay/here',
});

/** What `npm run build:web` leaves. */
function build(script = 'index-AbC_1-23.js') {
  const assets = path.join(folder, 'console', 'dist', 'assets');
  mkdirSync(assets, { recursive: true });
  writeFileSync(path.join(assets, script), SCRIPT);
  writeFileSync(path.join(assets, `${script}.br`), brotliCompressSync(SCRIPT));
  writeFileSync(
    path.join(folder, 'console', 'dist', 'index.html'),
    `<!doctype html><head><script src="./assets/${script}"></script></head>`,
  );
}

async function serve(pathPrefix: string) {
  const app = createHttpServer(log);
  webApps(app, { pathPrefix, log } as never, folder);
  sdkFiles(app, folder);
  return app;
}
const unbuilt = await serve('');
const app = await serve('/pay/here');
afterAll(async () => {
  await Promise.all([app.close(), unbuilt.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test('where nothing is built, the address answers one page that names the command', async () => {
  const answer = await unbuilt.inject('/console/orders');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    503,
    'text/html; charset=utf-8',
  ]);
  expect(answer.body).toContain('npm run build:web');
  expect((await unbuilt.inject('/console/assets/index.js')).statusCode).toBe(404);
});

describe('a build', () => {
  test('is found without a new start, and every address below gives its page', async () => {
    build();
    for (const url of ['/console', '/console/', '/console/orders/1', '/console/a/b?c=d']) {
      const page = await app.inject(url);
      expect(page.statusCode).toBe(200);
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.body).toContain('src="/pay/here/console/assets/index-AbC_1-23.js"');
      expect(page.body).toContain('<meta name="app-base" content="/pay/here/console">');
    }
  });

  test('has a nonce of each answer for styles, and runs nothing from elsewhere', async () => {
    const pages = [await app.inject('/console'), await app.inject('/console')];
    const nonces = pages.map(({ headers, body }) => {
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('unsafe');
      expect(body).toContain(`<meta name="csp-nonce" content="${nonce}">`);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  test('sends its assets as they were stored, for ever', async () => {
    const plain = await app.inject('/console/assets/index-AbC_1-23.js');
    expect([plain.body, plain.headers['content-encoding']]).toEqual([SCRIPT, undefined]);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const small = await app.inject({
      url: '/console/assets/index-AbC_1-23.js',
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(SCRIPT);
  });

  test.each([
    '/console/assets/index-OLD.js',
    '/console/assets/',
    '/console/assets/index-AbC_1-23.js.br',
    '/console/assets/..%2findex.html',
    '/console/assets/..%2f..%2f..%2fpackage.json',
    '/console/assets/.',
  ])('%s is not there', async (url) => {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('of the member app has its worker and its icons under their own names, asked for each time', async () => {
    const dist = path.join(folder, 'member', 'dist');
    mkdirSync(dist, { recursive: true });
    writeFileSync(path.join(dist, 'sw.js'), SCRIPT);
    const worker = await app.inject('/member/sw.js');
    expect([worker.statusCode, worker.body]).toEqual([200, SCRIPT]);
    expect(worker.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(worker.headers['cache-control']).toBe('no-cache');
    expect((await app.inject('/member/icon-512.png')).statusCode).toBe(404);
    expect((await app.inject('/console/sw.js')).headers['content-type']).toContain('text/html');
  });

  test('that replaces another is served at once', async () => {
    build('index-NEW.js');
    expect((await app.inject('/console')).body).toContain('index-NEW.js');
    expect((await app.inject('/console/assets/index-NEW.js')).statusCode).toBe(200);
  });
});

withService(
  'operators, members and pages are sent the service’s time, merchants are not',
  async () => {
    const { data } = await operatorClient(service).post('/clock/advance', { seconds: 3600 });
    expect(data).toBeDefined();
    for (const at of ['/api/operator/session', '/api/member/me', `/pay/${crypto.randomUUID()}`]) {
      const answer = await rawRequest(service.url, { path: at });
      const sent = Date.parse(answer.header('x-server-time') ?? '');
      expect(Math.abs(sent - service.app.deps.clock.now())).toBeLessThan(60_000);
    }
    const merchant = await rawRequest(service.url, { path: '/api/merchant/orders/balance' });
    expect(merchant.header('x-server-time')).toBeUndefined();
  },
);

describe('the SDK', () => {
  test('is served as it was packed, asked for each time', async () => {
    mkdirSync(path.join(folder, 'packed'));
    writeFileSync(path.join(folder, 'packed', 'munshi-sdk.tgz'), 'packed');
    writeFileSync(path.join(folder, 'packed', 'notes.txt'), 'notes');
    const packed = await app.inject('/sdk/munshi-sdk.tgz');
    expect([packed.statusCode, packed.body]).toEqual([200, 'packed']);
    expect(packed.headers['content-type']).toBe('application/gzip');
    expect(packed.headers['cache-control']).toBe('no-cache');
  });

  test.each([
    '/sdk/',
    '/sdk/munshi-sdk-9.9.9.tgz',
    '/sdk/notes.txt',
    '/sdk/..%2fpacked%2fmunshi-sdk.tgz',
    '/sdk/.tgz',
  ])('%s is not there', async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
  });
});

describe('an unknown address', () => {
  /** As browsers ask for a page. */
  const BROWSER: [string, string] = ['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8'];
  const ask = (path: string, headers: [string, string][] = [], method = 'GET') =>
    rawRequest(service.url, { method, path, headers });

  withService('answers a browser with a page of ours that leads home', async () => {
    for (const [path, method] of [
      ['/nowhere', 'GET'],
      ['/nowhere?a=b', 'POST'],
      ['/pay/a/b/c', 'GET'],
      ['/console/assets/index-OLD.js', 'GET'],
      ['/reach', 'GET'],
    ] as const) {
      const answer = await ask(path, [BROWSER], method);
      expect([answer.status, answer.header('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(answer.text).toContain('<h1>There is no page here</h1>');
      expect([...answer.text.matchAll(/ href="(?!data:)([^"]+)"/g)].map(([, to]) => to)).toEqual([
        '/pay/here/',
      ]);
      expect(answer.text).not.toMatch(/src=|url\(|@import|<script|munshi/i);
      const [, nonce] = /<style nonce="([^"]+)">/.exec(answer.text) ?? [];
      expect(answer.header('content-security-policy')).toContain(`style-src 'nonce-${nonce}';`);
    }
    expect((await ask('/nowhere', [BROWSER], 'HEAD')).text).toBe('');
  });

  withService('answers programs as ever, and a browser below an API too', async () => {
    for (const path of ['/nowhere', '/pay/a/b/c', '/reach'])
      for (const accept of ['*/*', 'application/json']) {
        const answer = await ask(path, [['Accept', accept]]);
        expect(answer.status).toBe(404);
        expect(JSON.parse(answer.text)).toMatchObject({ error: 'Not found.' });
      }
    expect((await ask('/nowhere')).text).toBe('{"error":"Not found."}');
    for (const face of ['merchant', 'operator', 'member', 'portal']) {
      const path = `/api/${face}/nowhere`;
      const answer = await ask(path, [BROWSER]);
      expect([answer.status, answer.text]).toEqual([404, (await ask(path)).text]);
      expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
    }
  });
});
