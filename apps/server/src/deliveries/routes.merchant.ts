import { BODY_BYTES_MAX, UTC } from '@munshi/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../api-keys/authenticate.merchant.ts';
import type { MerchantFace } from '../merchants/access.merchant.ts';
import { FEED, RESEND } from '../merchants/schemas.merchant.ts';
import type { Deps } from '../people/deps.ts';
import { sendError, sendUnauthenticated } from '../platform/http/errors.ts';
import { readJson, sendData, sendJson } from '../platform/http/json.ts';
import { readTime } from '../platform/http/values.ts';
import { createWaits, readWait, WAIT_SECONDS_MAX } from '../platform/http/waits.ts';
import { FieldErrors } from '../platform/refusals.ts';
import { createFeedView, type FeedQuestion, readCursor, readFeed } from './feed.service.ts';
import { refuseReplay, replayOutcomes } from './service.ts';

const LIMIT_MAX = 100;
/** What was sent within this time is not sent again: a request has no key by which it is repeated. */
const RESENT_MS = 60_000;
/** Of one API key at once, in this process. */
const WAITS_OF_KEY_MAX = 10;
/** A notice may be lost. */
const READ_AGAIN_MS = 5_000;
/** What is recorded is settled once the transactions of its moment have ended. */
const READ_SOON_MS = 250;

/**
 * GET /api/merchant/events and POST /api/merchant/events/resend: what a receiver has missed
 * (webhooks.md#after-an-outage). No signature.
 */
export function feedRoutes(
  { app, callerOf }: MerchantFace,
  deps: Deps,
  authenticator: Authenticator,
): void {
  const show = createFeedView(deps);
  const waits = createWaits(WAITS_OF_KEY_MAX);
  app.addHook('preClose', async () => waits.stop());

  app.get<{ Querystring: Query }>(
    '/events',
    { schema: FEED, validatorCompiler: () => () => true },
    async (request, reply) => {
      const apiKeyHash = callerOf(request);
      const asked = readQuery(request.query);
      if (typeof asked === 'string')
        return (await authenticator.isActive(apiKeyHash))
          ? sendError(reply, 400, asked)
          : sendUnauthenticated(reply);
      const question = { ...asked, apiKeyHash };
      const read = () => readFeed(deps, question);
      let page = await read();
      if (page === 'key-not-active') return sendUnauthenticated(reply);
      if (asked.wait > 0 && page.outcomes.length === 0) {
        if (waits.isFull(apiKeyHash)) return sendTooMany(reply);
        const { merchantId } = page;
        page = await waits.until(request, reply, {
          key: apiKeyHash,
          seconds: asked.wait,
          read,
          isNews: (now) => now === 'key-not-active' || now.outcomes.length > 0,
          subscribe: (changed) => deps.notices.subscribeToDeliveries(merchantId, changed),
          againMs: (now) =>
            now !== 'key-not-active' && now.hasMoreSoon ? READ_SOON_MS : READ_AGAIN_MS,
        });
        if (page === 'key-not-active') return sendUnauthenticated(reply);
      }
      return sendJson(reply, JSON.stringify({ data: await show(page), next: page.next }));
    },
  );

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scope.post(
      '/events/resend',
      {
        schema: RESEND,
        validatorCompiler: () => () => true,
        onRequest: (request, _reply, done) => {
          delete request.raw.headers['content-type']; // it is ignored, and some would be a 415
          done();
        },
      },
      async (request, reply) => {
        const credential = await authenticator.find(callerOf(request));
        if (credential === undefined) return sendUnauthenticated(reply);
        const since = readSince(request);
        if (typeof since === 'string') return sendError(reply, 400, since);
        const now = deps.clock.now();
        const refused = refuseReplay(since, now);
        if (refused !== undefined) return sendError(reply, 400, `since ${refused}`);
        const { merchantId } = credential;
        const once = { commandId: deps.ids.uuid(now), mayBeDone: false };
        const caller = { actor: { kind: 'merchant', id: null }, once, boundKey: null } as const;
        return sendData(reply, {
          orders: await replayOutcomes(deps, caller, {
            since,
            merchantId,
            before: now - RESENT_MS,
          }),
        });
      },
    );
  });
}

const sendTooMany = (reply: FastifyReply) =>
  sendError(
    reply.header('retry-after', '1'),
    429,
    `${WAITS_OF_KEY_MAX} requests wait with this API key already.`,
  );

type Query = Readonly<Record<'after' | 'limit' | 'wait', string | string[] | undefined>>;

/** What is asked for, or what is wrong with it. An empty parameter counts as not sent. */
function readQuery(
  query: Query,
): (Omit<FeedQuestion, 'apiKeyHash'> & { readonly wait: number }) | string {
  for (const name of ['after', 'limit', 'wait'] as const)
    if (Array.isArray(query[name])) return `${name} must be sent once.`;
  const { after, limit, wait } = query as Readonly<Record<keyof Query, string | undefined>>;
  const place = !after || after === 'now' ? after || undefined : readCursor(after);
  if (after && place === undefined)
    return 'after must be the `next` of an earlier answer, or `now`.';
  const count = /^\d{1,3}$/.test(limit || String(LIMIT_MAX)) ? Number(limit || LIMIT_MAX) : 0;
  if (count < 1 || count > LIMIT_MAX) return `limit must be a whole number from 1 to ${LIMIT_MAX}.`;
  const seconds = readWait(wait || undefined);
  if (seconds === undefined)
    return `wait must be a whole number of seconds, at most ${WAIT_SECONDS_MAX}.`;
  return { after: place as FeedQuestion['after'], limit: count, wait: seconds };
}

/** The time in a body, or what is wrong with it. */
function readSince({ body }: FastifyRequest): number | string {
  try {
    const { since } = (readJson(String(body ?? '')).body ?? {}) as { since?: unknown };
    const at = readTime('since', typeof since === 'string' ? since : '-', UTC);
    return at ?? 'since is required.';
  } catch (error) {
    if (!(error instanceof FieldErrors)) throw error;
    return Object.entries(error.errors)
      .map(([field, [message]]) => (field === '$' ? message : `${field} ${message}`))
      .join('; ');
  }
}
