import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Kept, keep, sendKept } from '../platform/http/kept.ts';
import { assetHandler, sendNotBuilt } from '../platform/http/web.ts';
import type { FaceDeps } from './deps.ts';

const DIST = path.join(import.meta.dirname, '../../../docs/dist');

/** `/docs`: what merchants read, on one page that `npm run build:web` has made. */
export function docsPage(
  app: FastifyInstance,
  { pageOrigin, demoKeys }: Pick<FaceDeps, 'pageOrigin' | 'demoKeys'>,
): void {
  const hidden = { schema: { hide: true } as never };
  let page: { readonly kept: Kept; readonly policy: string } | undefined;

  app.get('/docs', hidden, (_request, reply) => reply.redirect('docs/', 301));
  app.get('/docs/', hidden, async (request, reply) => {
    page ??= await readPage({
      'https://pay.example.com': pageOrigin(),
      'mk_live_…': demoKeys?.()?.apiKey,
      'sksec_…': demoKeys?.()?.signingSecret,
    });
    if (page === undefined) return sendNotBuilt(reply);
    reply
      .header('content-security-policy', page.policy)
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8');
    return sendKept(request, reply, page.kept);
  });
  app.get('/docs/assets/:file', hidden, assetHandler(path.join(DIST, 'assets')));
}

/** The page with what is so here in place of its placeholders; undefined where it is not built. */
async function readPage(here: Readonly<Record<string, string | undefined>>) {
  const html = await readFile(path.join(DIST, 'index.html'), 'utf8').catch(() => undefined);
  if (html === undefined) return undefined;
  const filled = Object.entries(here).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value ?? placeholder),
    html,
  );
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  return {
    kept: keep(Buffer.from(filled)),
    policy: `default-src 'none'; script-src 'self'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
