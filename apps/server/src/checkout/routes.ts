import {
  PAGE_CHECK,
  PAGE_CLAIM,
  PAGE_FORMS,
  PAGE_PICTURE,
  PAGE_QR,
  PAGE_READ,
  PAGE_RECEIPT,
  PAGE_STATE,
} from '@munshi/api';
import { CUSTOMER_ACTIONS } from '@munshi/core';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { sendRefusal } from '../platform/http/errors.ts';
import { createWaits } from '../platform/http/waits.ts';
import { act } from './act.ts';
import { sendInvalidLink, sendState, wantsJson } from './answers.ts';
import { assetRoutes } from './assets.ts';
import { readBodies } from './bodies.ts';
import { check } from './check.ts';
import type { PageDeps } from './deps.ts';
import { chosenLanguage, rememberLanguage } from './language.ts';
import { claim } from './late-claim.ts';
import { readLink } from './link.ts';
import { logoRoute } from './logo.ts';
import { move } from './move.ts';
import {
  findOrder,
  type PageRequest,
  sendGone,
  sendPage,
  sendToPage,
  stateOf,
} from './order-page.ts';
import { pictureRoute } from './picture.ts';
import { ADDING } from './returned.ts';
import { sendQr } from './send-qr.ts';
import { sendReceipt } from './send-receipt.ts';
import { state } from './state.ts';
import { sendTrouble } from './trouble.ts';

/** A customer's tabs. Another one is answered at once. */
const WAITS_OF_ORDER_MAX = 4;

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/**
 * The hosted page, `/pay/{orderId}?expires=&token=`. The link is checked before anything is read; a
 * GET changes nothing (decision 8); what a POST changes goes through the engine, and a form is
 * answered by the page's own address, so that a reload repeats nothing.
 */
export async function checkoutFace(app: FastifyInstance, deps: PageDeps): Promise<void> {
  readBodies(app);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      ...SECURITY_HEADERS,
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Encoding, Accept-Language, Cookie',
    });
  });
  app.setErrorHandler((error: FastifyError, request: PageRequest, reply) =>
    sendTrouble(deps, error, request, reply),
  );
  const schema = { hide: true } as never;

  assetRoutes(app);
  logoRoute(app, deps);

  app.get(PAGE_READ.path, { schema }, async (request: PageRequest, reply) => {
    const found = await findOrder(deps, request);
    if (!found?.isShown) return sendGone(request, reply, found);
    if (wantsJson(request)) return sendState(reply, stateOf(deps, found, request));
    const chosen = chosenLanguage(request);
    if (chosen !== undefined)
      rememberLanguage(
        reply,
        chosen,
        `${deps.pathPrefix}/pay/${found.link.orderId}`,
        deps.secureCookies,
      );
    const returned = request.query['add'] === undefined ? undefined : ADDING;
    return sendPage(deps, request, reply, 200, found, returned);
  });

  const waits = createWaits(WAITS_OF_ORDER_MAX);
  app.addHook('preClose', async () => waits.stop());
  app.get(PAGE_STATE.path, { schema }, (request: PageRequest, reply) =>
    state(deps, waits, request, reply),
  );

  app.get(PAGE_QR.path, { schema }, (request: PageRequest, reply) => sendQr(deps, request, reply));
  app.get(PAGE_RECEIPT.path, { schema }, (request: PageRequest, reply) =>
    sendReceipt(deps, request, reply),
  );

  for (const action of [...CUSTOMER_ACTIONS, 'add'] as const)
    app.post(PAGE_FORMS[action].path, { schema }, (request: PageRequest, reply) =>
      act(deps, action, request, reply),
    );
  app.register(async (face) => pictureRoute(face, deps));
  app.post(PAGE_CHECK.path, { schema }, (request: PageRequest, reply) =>
    check(deps, request, reply),
  );
  app.post(PAGE_CLAIM.path, { schema }, (request: PageRequest, reply) =>
    claim(deps, request, reply),
  );
  if (deps.sandbox)
    app.post('/:orderId/move', { schema }, (request: PageRequest, reply) =>
      move(deps, request, reply),
    );
  for (const { path } of [...Object.values(PAGE_FORMS), PAGE_PICTURE])
    app.get(path, { schema }, (request: PageRequest, reply) => backToPage(deps, request, reply));
}

/**
 * A form's address, opened again: a tab that the phone has brought back, or Enter in the address
 * bar.
 */
async function backToPage({ vault }: PageDeps, request: PageRequest, reply: FastifyReply) {
  const link = readLink(request.params.orderId, request.query, vault);
  if (link === undefined) return sendInvalidLink(request, reply);
  return wantsJson(request)
    ? sendRefusal(reply, { code: 'not-found', message: 'Not found.' })
    : sendToPage(request, reply, link);
}
