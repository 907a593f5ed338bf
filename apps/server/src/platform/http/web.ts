import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { FACES } from '@munshi/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'hono/html';
import type { PlatformDeps } from './deps.ts';
import { encodingFor } from './encode.ts';

/** Apps that browsers load, as `npm run build:web` has left them. */
const APPS = path.join(import.meta.dirname, '..', '..', '..', '..');
export const WEB_APPS = ['console', 'member', 'portal'] as const;
export type WebApp = (typeof WEB_APPS)[number];

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** Files with names of their own: what installs an app on a phone, and keeps it there. */
const BESIDE: Readonly<Record<WebApp, Readonly<Record<string, string>>>> = {
  console: {},
  portal: {},
  member: {
    'sw.js': 'text/javascript; charset=utf-8',
    'manifest.webmanifest': 'application/manifest+json',
    'icon-192.png': 'image/png',
    'icon-512.png': 'image/png',
    'icon-maskable.png': 'image/png',
    'icon-apple.png': 'image/png',
  },
};
const ENDINGS = { br: '.br', gzip: '.gz' } as const;

/** What an app asks first is asked while its code is on the way. The member app asks its phone. */
const SESSIONS = {
  console: `${FACES.operator}/session`,
  portal: `${FACES.portal}/session`,
};
/** Where links lead by which people choose a password: no session is asked for. */
const LINKED = /\/(recover|invitation)$/;
const askFor = (address: string) => `<link rel="preload" as="fetch" crossorigin href="${address}">`;

const HTML = 'text/html; charset=utf-8';
/** The names of the build's assets: nothing else is looked up on the disk. */
const ASSET = /^[\w-]+(\.[\w-]+)+$/;

/**
 * The web apps, each at `/<name>`: its page for every address below, so that the app finds its own
 * screens, and its assets, whose names change with their content. A build that is missing answers
 * a page that names the command; the faces work without it.
 */
export function webApps(
  app: FastifyInstance,
  { pathPrefix, sandbox, log }: PlatformDeps,
  folder = APPS,
): void {
  for (const name of WEB_APPS) {
    const dist = path.join(folder, name, 'dist');
    const base = `${pathPrefix}/${name}`;
    const session = name === 'member' ? '' : askFor(`${pathPrefix}${SESSIONS[name]}`);
    const index = createIndex({ name, dist, base, sandbox });
    if (!index.exists())
      log.warn(`The ${name} is not built, and its address says so: run npm run build:web.`);
    const page = (request: FastifyRequest, reply: FastifyReply) =>
      sendPage(reply, index, LINKED.test(request.url) ? '' : session);
    const hidden = { schema: { hide: true } as never };
    app.get(`/${name}`, hidden, page);
    app.get(`/${name}/*`, hidden, page);
    for (const [file, type] of Object.entries(BESIDE[name]))
      app.get(`/${name}/${file}`, hidden, besideHandler(path.join(dist, file), type));
    app.get(`/${name}/assets/:file`, hidden, assetHandler(path.join(dist, 'assets')));
  }
}

/** When a file or folder was last written; undefined where it is not there. */
const changedAt = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );

/** What a page may ask of the browser: members scan codes and keep their screen on. */
const PERMISSIONS: Readonly<Record<WebApp, string>> = {
  console: 'camera=(), geolocation=(), microphone=()',
  portal: 'camera=(), geolocation=(), microphone=()',
  member: 'camera=(self), screen-wake-lock=(self), geolocation=(), microphone=()',
};

interface Index {
  readonly permissions: string;
  exists(): boolean;
  /** The page under a nonce, with more in its head; undefined where the app is not built. */
  page(nonce: string, more: string): Promise<string | undefined>;
}

/** `index.html` of an app, read again when it was built again. */
function createIndex(at: {
  readonly name: WebApp;
  readonly dist: string;
  readonly base: string;
  readonly sandbox: boolean;
}) {
  const file = path.join(at.dist, 'index.html');
  let read = { mtimeMs: 0, content: '' };
  const index: Index = {
    permissions: PERMISSIONS[at.name],
    exists: () => existsSync(file),
    async page(nonce, more) {
      const mtimeMs = await changedAt(file);
      if (mtimeMs === undefined) return undefined;
      if (mtimeMs !== read.mtimeMs) read = { mtimeMs, content: await readFile(file, 'utf8') };
      const metas = `<meta name="csp-nonce" content="${nonce}"><meta name="app-base" content="${at.base}">`;
      const page = read.content
        .replaceAll('"./', `"${at.base}/`)
        .replace('</head>', `${metas}${more}</head>`);
      return at.sandbox ? page.replace(/<body[^>]*>/, `$&${sandboxMark(nonce)}`) : page;
    },
  };
  return index;
}

/** Above every screen of an app, the sign-in too. */
const sandboxMark = (nonce: string) =>
  `<style nonce="${nonce}">.is-sandbox{margin:0;padding:4px 12px;background:#ffd84d;color:#2b2200;font:600 14px/20px system-ui,sans-serif;text-align:center}</style><p class="is-sandbox" lang="en">Sandbox: no real money</p>`;

async function sendPage(reply: FastifyReply, index: Index, more: string) {
  const nonce = randomBytes(16).toString('base64');
  const page = await index.page(nonce, more);
  reply
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .header('permissions-policy', index.permissions)
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .type(HTML);
  return page === undefined ? sendNotBuilt(reply) : reply.send(page);
}

/** Nothing comes from elsewhere. Styles that the components make carry the nonce. */
const contentSecurityPolicy = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; media-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** Names the command, where a build is missing. */
export const sendNotBuilt = (reply: FastifyReply) =>
  reply.code(503).type(HTML).send(String(NOT_BUILT));

const NOT_BUILT = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not built yet</title>
<h1>This app is not built yet</h1>
<p>The interfaces for programs work. To build the apps for people, run</p>
<pre>npm ci &amp;&amp; npm run build:web</pre>
<p>in the folder of the service, and load this page again.</p>
</html>`;

/** Asked for again each time: their names stay when their content changes. */
const besideHandler =
  (file: string, type: string) => async (_: FastifyRequest, reply: FastifyReply) => {
    const content = await readFile(file).catch(() => undefined);
    if (content === undefined) return reply.callNotFound();
    return reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', WORKER_POLICY)
      .type(type)
      .send(content);
  };
/** A service worker asks by its own policy, not by that of the page. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Files by their name, compressed at build time. What is not there is answered 404. */
export function assetHandler(assets: string) {
  let read = { mtimeMs: 0, names: new Set<string>() };
  /** The folder as it is since it was last written. */
  async function files(): Promise<ReadonlySet<string>> {
    const mtimeMs = (await changedAt(assets)) ?? 0;
    if (mtimeMs !== read.mtimeMs)
      read = { mtimeMs, names: new Set(mtimeMs === 0 ? [] : await readdir(assets)) };
    return read.names;
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { file } = request.params as { readonly file: string };
    const type = TYPES[path.extname(file)];
    const names = await files();
    if (type === undefined || !ASSET.test(file) || !names.has(file)) return reply.callNotFound();
    const encoding = encodingFor(request.headers['accept-encoding']);
    const stored = encoding === undefined ? undefined : `${file}${ENDINGS[encoding]}`;
    const encoded = stored !== undefined && names.has(stored);
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'Accept-Encoding')
      .type(type);
    if (encoded) reply.header('content-encoding', encoding);
    return reply.send(await readFile(path.join(assets, encoded ? stored : file)));
  };
}
