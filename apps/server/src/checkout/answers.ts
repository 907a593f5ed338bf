import { type AnswerOf, type Given, PAGE_CHECK, PAGE_READ, type PageStateView } from '@munshi/api';
import type { AccountWarning, Currency } from '@munshi/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerWriter } from '../platform/http/answer.ts';
import { encode, encodingFor } from '../platform/http/encode.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { sendJson } from '../platform/http/json.ts';
import { ASSETS_VERSION } from './assets.ts';
import { isolatedByElements } from './format.ts';
import type { Addresses, Html } from './html.ts';
import { chosenLanguage, languageOfRequest, offeredLanguage } from './language.ts';
import type { Link } from './link.ts';
import { plainPage } from './plain.ts';
import { LANGUAGES } from './texts/languages.ts';
import type { PageState } from './view.ts';

/** JSON for clients that accept it, and for those that send it and accept anything. */
export function wantsJson({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? '';
  if (accept.includes('text/html')) return false;
  return (
    accept.includes('application/json') ||
    (headers['content-type'] ?? '').startsWith('application/json')
  );
}

/** A form's address is one step below the page's own. */
export function addressesFor(
  request: FastifyRequest,
  link: Link | undefined,
  currency?: Currency,
): Addresses {
  const up = /^\/[^/]+\/[^/]+\/./.test(request.url.split('?')[0] ?? '') ? '../' : '';
  const chosen = chosenLanguage(request);
  return {
    page: link === undefined ? '' : `${up}${link.orderId}`,
    query:
      link === undefined
        ? ''
        : `${link.query}${chosen === undefined ? '' : `&lang=${chosen.code}`}`,
    assets: `${up}assets/`,
    logoOf: (hash) => `${up}logo/${hash}.webp`,
    version: ASSETS_VERSION,
    language: languageOfRequest(request),
    offered: offeredLanguage(request, currency),
  };
}

export function sendHtml(request: FastifyRequest, reply: FastifyReply, status: number, page: Html) {
  const content = Buffer.from(isolatedByElements(String(page)));
  const encoding = encodingFor(request.headers['accept-encoding']);
  reply.code(status).type('text/html; charset=utf-8');
  // Back to an answer that is not kept, a browser asks whether to send the form again, which
  // frightens people who pay.
  if (request.method === 'POST') reply.header('cache-control', 'private, no-cache');
  return encoding === undefined
    ? reply.send(content)
    : reply.header('content-encoding', encoding).send(encode(content, encoding));
}

export function sendInvalidLink(
  request: FastifyRequest,
  reply: FastifyReply,
  json = wantsJson(request),
) {
  if (json)
    return sendRefusal(reply, {
      code: 'link-invalid',
      message: LANGUAGES.en.texts.linkInvalid.heading,
    });
  const at = addressesFor(request, undefined);
  return sendHtml(
    request,
    reply,
    403,
    plainPage(at, { view: 'link-invalid', said: at.language.texts.linkInvalid }),
  );
}

/** The order, and what looks wrong with what was entered. */
export const sendChecked = (
  reply: FastifyReply,
  state: PageState,
  {
    warnings,
    digits,
  }: { readonly warnings: readonly AccountWarning[]; readonly digits: readonly string[] },
) => {
  const data: Given<AnswerOf<typeof PAGE_CHECK>>['data'] = {
    ...state,
    warnings: warnings.map((code) => ({ code })),
    digits: [...digits],
  };
  return sendJson(reply, writeChecked({ data }));
};
const writeChecked = answerWriter(PAGE_CHECK.answer);

export function sendState(reply: FastifyReply, state: PageState) {
  const data: Given<PageStateView> = state;
  return sendJson(reply, writeState({ data }));
}
const writeState = answerWriter(PAGE_READ.answer);
