import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languageFor, languageOf } from './texts/languages.ts';

/** As long as the outcome of an order can be read by its link. */
const REMEMBERED_SECONDS = 2 * 86_400;

type Asked = Pick<FastifyRequest, 'headers' | 'query'>;

/**
 * What the customer has picked here, or picked on this link before, or what the browser asks for.
 */
export function languageOfRequest(request: Asked): Language {
  const remembered = /(?:^|;\s*)language=([a-z]+)/.exec(request.headers.cookie ?? '')?.[1];
  return (
    chosenLanguage(request) ??
    languageOf(remembered) ??
    languageFor(request.headers['accept-language'])
  );
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
