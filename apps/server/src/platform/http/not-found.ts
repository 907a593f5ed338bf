import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'hono/html';
import { sendRefusal } from './errors.ts';
import { ownPage, ownPagePolicy } from './own-page.ts';

const NOT_FOUND = { code: 'not-found', message: 'Not found.' } as const;

/**
 * Answers an address that does not exist: a page for browsers, and JSON for programs, which is all
 * that the APIs answer. `home` is the path of the start page, where this process has one.
 */
export function sendNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  home: string | undefined,
): FastifyReply {
  const { url, headers } = request;
  if (url.startsWith('/api/') || !headers.accept?.includes('text/html'))
    return sendRefusal(reply, NOT_FOUND);
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(404)
    .header('content-security-policy', ownPagePolicy(nonce))
    .header('referrer-policy', 'no-referrer') // the address may be a mistyped link with a secret
    .type('text/html; charset=utf-8')
    .send(String(notFoundPage(nonce, home)));
}

/** Like the start page that strangers see, it does not name what runs here. */
const notFoundPage = (nonce: string, home: string | undefined) =>
  ownPage(
    { title: 'Not found', nonce },
    html`<div class="narrow">
<h1>There is no page here</h1>
<p>The address may be mistyped, or the page may have moved.</p>
${home === undefined ? '' : html`<p class="buttons"><a class="button" href="${home}">Go to the start page</a></p>`}
</div>`,
  );
