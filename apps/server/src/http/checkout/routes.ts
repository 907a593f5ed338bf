import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Refusal } from '@munshi/core';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PageOrder, readPageOrder } from '../../storage/checkout-read.ts';
import type { Deps } from '../deps.ts';
import { handleError, isUnavailable, sendError, sendRefusal } from '../errors.ts';
import { ACTIONS, type Action, commandFor, isRefusal, type PageCommand, readFields } from './actions.ts';
import { isShown, type Link, readLink } from './link.ts';
import { type Addresses, type Html, orderPage, plainPage, type Refused } from './page.ts';
import { pageState, stateJson } from './view.ts';

type PageRequest = FastifyRequest<{ Params: { orderId: string }; Querystring: Record<string, unknown> }>;

const BODY_BYTES_MAX = 16_384;

/** First-party style and script, read once. Their address changes with their content. */
const ASSETS = ['checkout.css', 'checkout.js'].map((name) => ({ name, content: readFileSync(path.join(import.meta.dirname, 'assets', name)) }));
const VERSION = createHash('sha256')
  .update(Buffer.concat(ASSETS.map(({ content }) => content)))
  .digest('hex')
  .slice(0, 12);

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/** Two pages that hold no order data (faces: a changed link, an expired one). */
const PLAIN = {
  changed: { status: 403, heading: 'This link is not valid', text: 'Open the link exactly as you received it, or go back to the merchant for a new one.' },
  expired: { status: 410, heading: 'This link has expired', text: 'Do not send money for it any more. Go back to the merchant to start again.' },
} as const;

/**
 * The hosted page, `/pay/{orderId}?expires=&token=`. The link is checked before anything is read; a GET changes nothing
 * (D29); what a POST changes goes through the engine, and a form is answered by the page's own address, so that a reload
 * repeats nothing.
 */
export async function checkoutFace(app: FastifyInstance, deps: Deps): Promise<void> {
  readBodies(app);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, 'cache-control': 'no-store', vary: 'Accept' });
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendTrouble(error, request, reply));
  const schema = { hide: true } as never;

  for (const { name, content } of ASSETS) {
    app.get(`/assets/${name}`, { schema }, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type(name.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8')
        .send(content),
    );
  }

  app.get('/:orderId', { schema }, async (request: PageRequest, reply) => {
    const shown = await find(request);
    if (typeof shown === 'string') return sendPlain(request, reply, shown, '');
    return wantsJson(request) ? sendState(reply, shown.order) : sendPage(reply, shown, `${shown.link.orderId}`, 200);
  });

  app.get('/:orderId/state', { schema }, async (request: PageRequest, reply) => {
    const shown = await find(request);
    return typeof shown === 'string' ? sendError(reply, PLAIN[shown].status, PLAIN[shown].heading) : sendState(reply, shown.order);
  });

  for (const action of ACTIONS) {
    app.post(`/:orderId/${action}`, { schema }, (request: PageRequest, reply) => act(action, request, reply));
  }

  /** The order behind a link, as its customer may see it now; or which plain page they get. */
  async function find(request: PageRequest): Promise<{ readonly link: Link; readonly order: PageOrder } | keyof typeof PLAIN> {
    const link = readLink(request.params.orderId, request.query, deps.vault);
    if (link === undefined) return 'changed';
    const order = await readPageOrder(deps.database.pool, link.orderId);
    if (order === undefined) return 'changed';
    return isShown(order, deps.clock.now()) ? { link, order } : 'expired';
  }

  async function act(action: Action, request: PageRequest, reply: FastifyReply) {
    const shown = await find(request);
    if (typeof shown === 'string') return sendPlain(request, reply, shown, '../');
    const fields = readFields(request.body);
    const refusal = isRefusal(fields) ? fields : await submit(commandFor(action, shown.order, fields));
    const json = wantsJson(request);
    if (refusal?.code === 'link-expired') return sendPlain(request, reply, 'expired', '../');
    if (refusal !== undefined && json) return sendRefusal(reply, refusal);

    const { link } = shown;
    if (refusal === undefined && !json) return reply.redirect(`../${link.orderId}?${link.query}`, 303);
    // What the order has become since, by this command or by another.
    const after = await find(request);
    if (typeof after === 'string') return sendPlain(request, reply, after, '../');
    if (refusal === undefined) return sendState(reply, after.order);
    const entered = isRefusal(fields) ? {} : fields;
    return sendPage(reply, after, `../${link.orderId}`, refusal.code === 'invalid' ? 400 : 409, { message: refusal.message, entered });
  }

  async function submit(asked: PageCommand | 'nothing' | Refusal): Promise<Refusal | undefined> {
    if (asked === 'nothing') return undefined;
    if (!('kind' in asked)) return asked;
    const decision = await deps.engine.submit(asked);
    return decision.ok ? undefined : decision.refusal;
  }

  function sendState(reply: FastifyReply, order: PageOrder) {
    return reply.type('application/json; charset=utf-8').send({ data: stateJson(pageState(order, deps.clock.now())) });
  }

  function sendPage(reply: FastifyReply, { link, order }: { link: Link; order: PageOrder }, page: string, status: number, refused?: Refused) {
    const at: Addresses = { page, assets: page.startsWith('../') ? '../assets/' : 'assets/', query: link.query, version: VERSION };
    const now = deps.clock.now();
    return sendHtml(reply, status, orderPage(pageState(order, now), at, now, refused));
  }
}

function sendHtml(reply: FastifyReply, status: number, page: Html) {
  return reply.code(status).type('text/html; charset=utf-8').send(String(page));
}

function sendPlain(request: FastifyRequest, reply: FastifyReply, kind: keyof typeof PLAIN, up: '' | '../') {
  const { status, heading, text } = PLAIN[kind];
  return wantsJson(request)
    ? sendError(reply, status, heading)
    : sendHtml(reply, status, plainPage({ assets: `${up}assets/`, version: VERSION }, heading, text));
}

/** A person gets a page that says what to do; a script what every face answers. Input that cannot be read is a refused action. */
function sendTrouble(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const status = error.statusCode ?? 500;
  const unreadable = status >= 400 && status < 500 && !isUnavailable(error);
  if (wantsJson(request)) return unreadable ? sendError(reply, status, error.message) : handleError(error, request, reply);
  const up = request.method === 'POST' ? '../' : '';
  const at = { assets: `${up}assets/`, version: VERSION };
  if (unreadable) return sendHtml(reply, status, plainPage(at, 'That did not work', 'Your input could not be read. Go back and try again.'));
  handleLogged(error, request, reply);
  return sendHtml(
    reply,
    isUnavailable(error) ? 503 : 500,
    plainPage(at, 'One moment, please', `We could not answer just now. Nothing was lost: reload this page in a few seconds. (${request.id})`),
  );
}

function handleLogged(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (isUnavailable(error)) {
    request.log.warn({ err: error }, 'unavailable');
    reply.header('retry-after', '2');
  } else request.log.error({ err: error }, 'unexpected error');
}

/** JSON for whoever asks for it, and for scripts that send it and ask for nothing else. */
function wantsJson({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? '';
  if (accept.includes('text/html')) return false;
  return accept.includes('application/json') || (headers['content-type'] ?? '').startsWith('application/json');
}

/** Forms and JSON. An empty body is no body, whatever its type says. */
function readBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: BODY_BYTES_MAX } as const;
  app.addContentTypeParser('application/json', options, (_request, body, done) => {
    if (String(body).trim() === '') return done(null, undefined);
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('The body is not JSON.'), { statusCode: 400 }), undefined);
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) => {
    const fields: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(String(body))) fields[name] = Object.hasOwn(fields, name) ? [fields[name], value] : value;
    done(null, fields);
  });
}
