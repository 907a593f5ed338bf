import type { Currency } from '@munshi/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  LANGUAGES,
  type Language,
  type LanguageCode,
  languageFor,
  languageOf,
} from './texts/languages.ts';

/** As long as the outcome of an order can be read by its link. */
const REMEMBERED_SECONDS = 2 * 86_400;

type Asked = Pick<FastifyRequest, 'headers' | 'query'>;

/**
 * What the customer has picked here, or picked on this link before, or what the browser asks for.
 */
export function languageOfRequest(request: Asked): Language {
  return pickedLanguage(request) ?? languageFor(request.headers['accept-language']);
}

function pickedLanguage(request: Asked): Language | undefined {
  const remembered = /(?:^|;\s*)language=([a-z]+)/.exec(request.headers.cookie ?? '')?.[1];
  return chosenLanguage(request) ?? languageOf(remembered);
}

/** What most customers read where a currency is paid. */
const COUNTRIES = {
  PK: 'ur',
  IN: 'hi',
  BD: 'bn',
  PKR: 'ur',
  INR: 'hi',
  BDT: 'bn',
} as const satisfies Record<string, LanguageCode>;

/**
 * The language of the customer's country, where the page is in English only because the browser
 * is: many phones there are sold with an English one. The browser's own country counts before
 * that of the order's money. Null where English was picked, or the page is not in English.
 */
export function offeredLanguage(request: Asked, currency: Currency | undefined): Language | null {
  if (languageOfRequest(request) !== LANGUAGES.en || pickedLanguage(request) !== undefined)
    return null;
  const country = /\ben-(PK|IN|BD)\b/i.exec(request.headers['accept-language'] ?? '')?.[1];
  const code = (country?.toUpperCase() as 'PK' | 'IN' | 'BD' | undefined) ?? currency;
  return code === undefined ? null : LANGUAGES[COUNTRIES[code]];
}

/**
 * The language in the address: it stays in the page's own addresses, for browsers that keep no
 * cookies.
 */
export function chosenLanguage({ query }: Pick<Asked, 'query'>): Language | undefined {
  return languageOf((query as { readonly lang?: unknown } | undefined)?.lang);
}

/** Remembers the language for this one link, and for nothing else. */
export function rememberLanguage(
  reply: FastifyReply,
  { code }: Language,
  pagePath: string,
  secure: boolean,
) {
  reply.header(
    'set-cookie',
    `language=${code}; Path=${pagePath}; Max-Age=${REMEMBERED_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  );
}
