import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from '../platform/http/errors.ts';
import { ownPagePolicy } from '../platform/http/own-page.ts';
import { Refused } from '../platform/refusals.ts';
import type { FaceDeps } from './deps.ts';
import { startPageHtml } from './start-page-html.ts';

/**
 * `/`: the start page for people. On the machine where somebody tries the service it says what runs
 * here and lets them in as somebody of the demo; everybody else sees where to sign in, and nothing
 * of what runs here.
 */
export function startPage(app: FastifyInstance, http: FastifyInstance, deps: FaceDeps): void {
  const { demoSignIns, pathPrefix, secureCookies } = deps;
  /** Whether this request comes from the machine itself, by a page of this service. */
  const isHere = (request: FastifyRequest) => !secureCookies && isFromThisMachine(request);
  const hidden = { schema: { hide: true } as never };

  app.get('/', hidden, (request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    const here = isHere(request) && demoSignIns !== undefined;
    const demo = here ? demoSignIns() : undefined;
    const page = startPageHtml({ prefix: pathPrefix, nonce, here, demo });
    return reply
      .header('content-security-policy', ownPagePolicy(nonce))
      .header('referrer-policy', 'same-origin') // the form shows its origin
      .type('text/html; charset=utf-8')
      .send(String(page));
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1024 },
    (_request, _body, done) => done(null),
  );
  for (const { who, at, app: name } of ENTRANCES)
    app.post(at, hidden, async (request, reply) => {
      const signIn = isHere(request) && isFromOwnPage(request) ? demoSignIns?.()?.[who] : undefined;
      if (signIn === undefined)
        return sendRefusal(reply, new Refused('not-found', 'Not found.').refusal);
      const { username, password } = signIn;
      // By the face's own sign-in, with all that it counts and writes down.
      const signedIn = await http.inject({
        method: 'POST',
        url: `/api/${who}/session`,
        headers: { accept: 'application/json' },
        payload: { username, password },
      });
      return enter(
        reply.header('referrer-policy', 'same-origin'),
        signedIn,
        `${pathPrefix}/${name}/`,
      );
    });
}

/** Where a press of the demo's buttons goes, and which app it opens. */
const ENTRANCES = [
  { who: 'operator', at: '/demo', app: 'console' },
  { who: 'member', at: '/demo/member', app: 'member' },
  { who: 'portal', at: '/demo/portal', app: 'portal' },
] as const;

/** To the app, with the cookies of a sign-in that succeeded; else it asks who is there. */
function enter(
  reply: FastifyReply,
  { statusCode, headers }: { statusCode: number; headers: Record<string, unknown> },
  to: string,
) {
  const cookies = statusCode === 200 ? headers['set-cookie'] : undefined;
  if (cookies !== undefined) reply.header('set-cookie', cookies as string[]);
  return reply.redirect(to, 303);
}

const LOOPBACK = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
/** Headers that proxies add: behind a proxy, every request comes from its machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * From loopback, without a proxy, and by a name of this machine: another name that leads here is
 * somebody's who would act in the visitor's browser (DNS rebinding).
 */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  return (
    LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}

/** Browsers say with every POST which page sent it. */
const isFromOwnPage = ({ headers }: FastifyRequest): boolean =>
  headers.origin === `http://${headers.host}`;
