import type { OutgoingHttpHeaders } from 'node:http';
import { MEMBER_EVENTS } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { sendUnavailable } from '../errors.ts';

/**
 * Keeps proxies from closing a quiet stream, and looks at its session: for an end that nobody told
 * of.
 */
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing is let go; it connects again and reads the lists. */
const UNREAD_BYTES_MAX = 65_536;

/**
 * Open screens of one member: every stream holds a socket, two timers and a place in the notices. A
 * new one ends the oldest, which is told so, and told to stay away: a browser connects again by
 * itself.
 */
const OF_MEMBER_MAX = 8;
const STAY_AWAY_MS = 600_000;
/** In this process, of all members. */
const STREAMS_MAX = 5_000;

/**
 * GET /events: what happens to the member's orders, as server-sent events. They are hints to look
 * again. A stream ends with its session.
 */
export function eventRoute(app: FastifyInstance, { notices, readers, clock, log }: Deps): void {
  const open = new Set<() => void>();
  const ofMember = new Map<string, Set<() => void>>();
  // A server that closes waits for its answers; these would never end by themselves.
  app.addHook('preClose', async () => {
    for (const end of [...open]) end();
  });

  app.get(MEMBER_EVENTS.path, { schema: MEMBER_EVENTS as object }, (request, reply) => {
    const { principal, tokenHash, expiresAt } = request.member;
    if (open.size >= STREAMS_MAX) return sendUnavailable(reply);
    reply.hijack();
    const stream = reply.raw;
    reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    stream.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    if (request.method === 'HEAD') return void stream.end();
    const write = (text: string) => {
      stream.write(text);
      if (stream.writableLength > UNREAD_BYTES_MAX) stream.destroy();
    };
    const end = () => stream.end();
    const checkSession = async () => {
      try {
        const session = await readers.memberSession({ tokenHash, now: clock.now() });
        if (session?.status !== 'active') end();
        else checkAt(session.expiresAt);
      } catch (error) {
        log.warn(
          { err: error },
          'a member’s event stream could not check its session; it tries again',
        );
      }
    };
    let expiry: NodeJS.Timeout | undefined;
    /** An end that is further away is seen by a heartbeat. */
    const checkAt = (at: number) => {
      clearTimeout(expiry);
      if (at - clock.now() <= HEARTBEAT_MS && !stream.writableEnded)
        expiry = setTimeout(checkSession, at - clock.now());
    };
    const heartbeat = setInterval(() => {
      write(':\n\n');
      checkSession();
    }, HEARTBEAT_MS);
    const unsubscribe = notices.subscribe(principal.memberId, {
      notice: ({ event, orderId }) =>
        write(`event: ${event}\ndata: ${JSON.stringify({ orderId })}\n\n`),
      missed: end, // its reader connects again and reads the lists, as after any other end
      checkSession,
    });
    const unfollow = clock.onAdvance(checkSession);
    open.add(end);
    checkAt(expiresAt);
    const replaced = () => {
      stream.end(`retry: ${STAY_AWAY_MS}\nevent: replaced\ndata: {"streams":${OF_MEMBER_MAX}}\n\n`);
    };
    const own = ofMember.get(principal.memberId) ?? new Set();
    const [oldest] = own;
    if (oldest !== undefined && own.size >= OF_MEMBER_MAX) {
      own.delete(oldest);
      oldest();
    }
    ofMember.set(principal.memberId, own.add(replaced));
    stream.on('close', () => {
      open.delete(end);
      own.delete(replaced);
      if (own.size === 0 && ofMember.get(principal.memberId) === own)
        ofMember.delete(principal.memberId);
      unsubscribe();
      unfollow();
      clearInterval(heartbeat);
      clearTimeout(expiry);
    });
    write('retry: 3000\n\n');
  });
}
