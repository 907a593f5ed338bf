import { isOpenToLateClaims, type Refusal } from '@munshi/core';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { claimLate } from '../../services/late-claims.ts';
import { UnavailableError } from '../../storage/errors.ts';
import { listLateClaimsOfOrder } from '../../storage/late-claims.ts';
import { type PageOrder, withChanges } from '../../storage/page-orders.ts';
import type { Deps } from '../deps.ts';
import { codeOf, handleError, sendError, sendRefusal } from '../errors.ts';
import {
  ACTIONS,
  type Action,
  commandFor,
  type Fields,
  isRefusal,
  lastDigits,
  type PageCommand,
  problemsOf,
  readFields,
  warningsOf,
} from './actions.ts';
import {
  addressesFor,
  sendChecked,
  sendHtml,
  sendInvalidLink,
  sendState,
  wantsJson,
} from './answers.ts';
import { assetRoutes } from './assets.ts';
import { claimCard } from './claim.ts';
import { leftToRight } from './format.ts';
import { chosenLanguage, rememberLanguage } from './language.ts';
import { isShown, type Link, readLink } from './link.ts';
import { orderPage } from './page.ts';
import { plainPage } from './plain.ts';
import { qrPng } from './qr.ts';
import { returnedFor, returnedWith } from './refused.ts';
import type { Returned, Screen } from './screens.ts';
import { LANGUAGES } from './texts/languages.ts';
import { pageState, type ShownClaim } from './view.ts';

type PageRequest = FastifyRequest<{
  Params: { orderId: string };
  Querystring: Record<string, unknown>;
}>;

/** The order behind a link, and whether its customer may still see it. */
interface Found {
  readonly link: Link;
  readonly order: PageOrder;
  readonly isShown: boolean;
  /** What its customer has claimed to have paid, where there is something to claim. */
  readonly claims: readonly ShownClaim[];
}

/** What a claim's form gets back. */
interface Returns {
  readonly status?: 400 | 409;
  readonly entered?: string;
  readonly wrong?: string;
  readonly notice?: string;
}

const typed = (fields: Fields | Refusal): Returns =>
  isRefusal(fields) ? {} : { entered: fields['transactionDigits'] ?? '' };

const BODY_BYTES_MAX = 16_384;

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/**
 * The hosted page, `/pay/{orderId}?expires=&token=`. The link is checked before anything is read; a
 * GET changes nothing (D29); what a POST changes goes through the engine, and a form is answered by
 * the page's own address, so that a reload repeats nothing.
 */
export async function checkoutFace(app: FastifyInstance, deps: Deps): Promise<void> {
  readBodies(app);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      ...SECURITY_HEADERS,
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Encoding, Accept-Language, Cookie',
    });
  });
  app.setErrorHandler((error: FastifyError, request: PageRequest, reply) =>
    sendTrouble(error, request, reply),
  );
  const schema = { hide: true } as never;

  assetRoutes(app);

  app.get('/:orderId', { schema }, async (request: PageRequest, reply) => {
    const found = await find(request);
    if (!found?.isShown) return sendGone(request, reply, found);
    if (wantsJson(request)) return sendState(reply, stateOf(found, request));
    const chosen = chosenLanguage(request);
    if (chosen !== undefined)
      rememberLanguage(
        reply,
        chosen,
        `${deps.pathPrefix}/pay/${found.link.orderId}`,
        deps.secureCookies,
      );
    return sendPage(request, reply, 200, found);
  });

  app.get('/:orderId/state', { schema }, async (request: PageRequest, reply) => {
    const found = await find(request);
    return found?.isShown
      ? sendState(reply, stateOf(found, request))
      : sendGone(request, reply, found, true);
  });

  app.get('/:orderId/qr.png', { schema }, async (request: PageRequest, reply) => {
    const found = await find(request);
    if (!found?.isShown) return sendGone(request, reply, found);
    const payload = stateOf(found, request).account?.qrPayload ?? null;
    const picture = payload === null ? undefined : qrPng(payload);
    if (picture === undefined)
      return sendRefusal(reply, {
        code: 'not-found',
        message: 'This order has no QR code to pay with now.',
      });
    // The order may come to another account: its picture is asked for again, and sent again where
    // it is another one.
    reply.header('etag', picture.etag).header('cache-control', 'private, no-cache');
    if (request.headers['if-none-match'] === picture.etag) return reply.code(304).send();
    return reply
      .type('image/png')
      .header('content-disposition', `attachment; filename="${found.order.orderReference}.png"`)
      .send(picture.content);
  });

  for (const action of ACTIONS) {
    app.post(`/:orderId/${action}`, { schema }, (request: PageRequest, reply) =>
      act(action, request, reply),
    );
  }
  app.post('/:orderId/check', { schema }, check);
  app.post('/:orderId/claim', { schema }, claim);
  for (const action of [...ACTIONS, 'check', 'claim'])
    app.get(`/:orderId/${action}`, { schema }, backToPage);

  async function find(request: PageRequest): Promise<Found | undefined> {
    const link = readLink(request.params.orderId, request.query, deps.vault);
    if (link === undefined) return undefined;
    const order = await deps.readers.pageOrder(link.orderId);
    if (order === undefined) return undefined;
    const now = deps.clock.now();
    const claims = isOpenToLateClaims(order, now)
      ? await listLateClaimsOfOrder(deps.database.pool, order)
      : [];
    return { link, order, isShown: isShown(order, now), claims };
  }

  async function act(action: Action, request: PageRequest, reply: FastifyReply) {
    const found = await find(request);
    const fields = readFields(request.body);
    if (!found?.isShown) return sendGone(request, reply, found, undefined, typed(fields));
    const outcome = isRefusal(fields)
      ? fields
      : await carryOut(commandFor(action, found.order, fields), found.order);
    const json = wantsJson(request);
    if (!isRefusal(outcome)) {
      if (!json) return sendToPage(request, reply, found.link);
      // It may have expired meanwhile.
      if (!isShown(outcome, deps.clock.now()))
        return sendGone(request, reply, { ...found, order: outcome, isShown: false });
      return sendState(reply, stateOf({ ...found, order: outcome }, request));
    }
    const entered: Fields = isRefusal(fields) ? {} : fields;
    // What the order has become since, by another command or by time.
    const after = await find(request);
    if (!after?.isShown || outcome.code === 'link-expired')
      return sendGone(request, reply, after, json, typed(fields));
    if (json) return sendRefusal(reply, outcome);
    const { texts } = addressesFor(request, after.link).language;
    return sendPage(
      request,
      reply,
      outcome.code === 'invalid' ? 400 : 409,
      after,
      returnedFor(outcome, after.order, entered, texts),
    );
  }

  /** Answers the order as the command has left it. */
  async function carryOut(
    asked: PageCommand | 'nothing' | Refusal,
    before: PageOrder,
  ): Promise<PageOrder | Refusal> {
    if (asked === 'nothing') return before;
    if (!('kind' in asked)) return asked;
    const decision = await deps.engine.submit(asked);
    if (!decision.ok) return decision.refusal;
    const order = decision.result;
    const account =
      order.accountId === null ? undefined : await deps.readers.account(order.accountId);
    return withChanges(before, order, account);
  }

  /**
   * Reads back what was entered before it counts. Changes nothing; an order that asks for nothing
   * of it shows itself.
   */
  async function check(request: PageRequest, reply: FastifyReply) {
    const found = await find(request);
    const fields = readFields(request.body);
    if (!found?.isShown) return sendGone(request, reply, found, undefined, typed(fields));
    if (isRefusal(fields)) throw Object.assign(new Error(fields.message), { statusCode: 400 });
    const state = stateOf(found, request);
    const asks = state.view === 'pay' || state.view === 'account';
    const problems = asks ? problemsOf(found.order, fields) : [];
    const [problem] = problems;
    const suggestion = lastDigits(fields['transactionDigits'], state.transactionDigits);
    const warnings = warningsOf(found.order, fields);
    if (wantsJson(request))
      return problem === undefined
        ? sendChecked(reply, state, warnings)
        : sendRefusal(reply, { code: 'invalid', message: problem.message });
    if (!asks) return sendToPage(request, reply, found.link);
    const { texts } = addressesFor(request, found.link).language;
    if (fields['edit'] !== undefined)
      return sendPage(request, reply, 200, found, { entered: fields, wrong: {} });
    if (problem !== undefined && suggestion !== undefined)
      return sendPage(request, reply, 400, found, {
        entered: { ...fields, transactionDigits: suggestion },
        wrong: {
          transactionDigits: texts.digitsTaken(suggestion.length, leftToRight(suggestion)),
        },
      });
    if (problem !== undefined)
      return sendPage(
        request,
        reply,
        400,
        found,
        returnedWith(problems, found.order, fields, texts),
      );
    return sendPage(request, reply, 200, found, { entered: fields, wrong: {}, warnings }, 'check');
  }

  /**
   * After expiry: what a customer says they paid, for the operators to look into. Saying it again
   * is saying it once.
   */
  async function claim(request: PageRequest, reply: FastifyReply) {
    const found = await find(request);
    if (found === undefined) return sendInvalidLink(request, reply);
    const fields = readFields(request.body);
    const entered = isRefusal(fields) ? '' : (fields['transactionDigits'] ?? '');
    const outcome = await claimLate(deps.database.pool, found.order, entered, deps.clock.now());
    const json = wantsJson(request);
    const at = addressesFor(request, found.link);
    const { texts } = at.language;
    const english = LANGUAGES.en.texts;
    switch (outcome) {
      case 'recorded':
      case 'already':
        if (json) return reply.send({ data: { claimed: true } });
        return sendHtml(
          request,
          reply,
          200,
          plainPage(at, { view: 'claimed', said: texts.claimed }),
        );
      case 'invalid-digits':
        if (json) return sendRefusal(reply, { code: 'invalid', message: english.wrongClaim });
        return sendClaimBack(request, reply, found, {
          status: 400,
          entered,
          wrong: texts.wrongClaim,
        });
      case 'too-many':
        if (json) return sendRefusal(reply, { code: 'too-many', message: english.claimsFull });
        return sendClaimBack(request, reply, found, {
          status: 409,
          entered,
          notice: texts.claimsFull,
        });
      case 'not-claimable':
        if (json)
          return sendRefusal(reply, {
            code: 'wrong-state',
            message: 'This order takes no digits here.',
          });
        return found.isShown
          ? sendToPage(request, reply, found.link)
          : sendGone(request, reply, found);
    }
  }

  /**
   * A form's address, opened again: a tab that the phone has brought back, or Enter in the address
   * bar.
   */
  async function backToPage(request: PageRequest, reply: FastifyReply) {
    const link = readLink(request.params.orderId, request.query, deps.vault);
    if (link === undefined) return sendInvalidLink(request, reply);
    return wantsJson(request)
      ? sendRefusal(reply, { code: 'not-found', message: 'Not found.' })
      : sendToPage(request, reply, link);
  }

  function stateOf({ order, claims }: Pick<Found, 'order' | 'claims'>, request: PageRequest) {
    const { language } = addressesFor(request, undefined);
    return pageState(order, deps.clock.now(), language, claims);
  }

  function sendPage(
    request: PageRequest,
    reply: FastifyReply,
    status: number,
    found: Found,
    returned?: Returned,
    screen?: Screen,
  ) {
    return sendHtml(
      request,
      reply,
      status,
      orderPage(stateOf(found, request), addressesFor(request, found.link), screen, returned),
    );
  }

  /** A refused claim, where the customer made it: below the outcome, or on the expired link. */
  function sendClaimBack(
    request: PageRequest,
    reply: FastifyReply,
    found: Found,
    returns: Required<Pick<Returns, 'status' | 'entered'>> & Returns,
  ) {
    if (!found.isShown) return sendGone(request, reply, found, false, returns);
    const { status, entered, wrong, notice } = returns;
    return sendPage(request, reply, status, found, {
      entered: { transactionDigits: entered },
      wrong: wrong === undefined ? {} : { transactionDigits: wrong },
      notice,
    });
  }

  function sendToPage(request: PageRequest, reply: FastifyReply, link: Link) {
    const { page, query } = addressesFor(request, link);
    return reply.redirect(`${page}?${query}`, 303);
  }

  function sendGone(
    request: PageRequest,
    reply: FastifyReply,
    found: Found | undefined,
    json = wantsJson(request),
    returned: Returns = {},
  ) {
    if (found === undefined) return sendInvalidLink(request, reply, json);
    if (json)
      return sendRefusal(reply, {
        code: 'link-expired',
        message: LANGUAGES.en.texts.linkExpired.heading,
      });
    const at = addressesFor(request, found.link);
    const { texts } = at.language;
    const said =
      found.order.orderType === 'Deposit' ? texts.linkExpired : texts.withdrawalLinkExpired;
    const { order, claims } = found;
    const more = isOpenToLateClaims(order, deps.clock.now())
      ? claimCard(at, {
          claims,
          currency: order.currency,
          ...returned,
          entered: returned.entered ?? order.transactionDigits ?? '',
        })
      : null;
    return sendHtml(
      request,
      reply,
      returned.status ?? 410,
      plainPage(at, { view: 'link-expired', said, more }),
    );
  }

  /**
   * A person gets a page that says what to do; a script what every face answers. Input that cannot
   * be read is a refused action.
   */
  function sendTrouble(error: FastifyError, request: PageRequest, reply: FastifyReply) {
    const status = error.statusCode ?? 500;
    const unreadable = status >= 400 && status < 500 && !(error instanceof UnavailableError);
    if (wantsJson(request))
      return unreadable
        ? sendError(reply, status, error.message, codeOf(status))
        : handleError(error, request, reply);
    const at = addressesFor(
      request,
      readLink(request.params.orderId ?? '', request.query, deps.vault),
    );
    const { texts } = at.language;
    if (unreadable)
      return sendHtml(
        request,
        reply,
        status,
        plainPage(at, { view: 'unreadable', said: texts.unreadable }),
      );
    logTrouble(error, request, reply);
    const page = plainPage(at, {
      view: 'unavailable',
      said: texts.unavailable,
      reference: request.id,
      retries: true,
    });
    return sendHtml(request, reply, error instanceof UnavailableError ? 503 : 500, page);
  }
}

function logTrouble(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof UnavailableError) {
    request.log.warn({ err: error }, 'unavailable');
    reply.header('retry-after', '2');
  } else request.log.error({ err: error }, 'unexpected error');
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
    for (const [name, value] of new URLSearchParams(String(body)))
      fields[name] = Object.hasOwn(fields, name) ? [fields[name], value] : value;
    done(null, fields);
  });
}
