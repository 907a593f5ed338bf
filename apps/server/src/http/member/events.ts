import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { MEMBER_EVENTS } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import type { Session } from '../../services/sessions.ts';
import type { MemberPrincipal } from '../../storage/sessions.ts';
import type { Deps } from '../deps.ts';
import { sendUnavailable } from '../errors.ts';

/** Keeps proxies from closing a quiet stream, and finds a session's end that was not announced. */
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing is cut off; it reconnects and reads the lists. */
const UNREAD_BYTES_MAX = 65_536;

/** Of one member at once: each holds a socket and timers. One more ends the oldest. */
const OF_MEMBER_MAX = 8;
/** Browsers reconnect by themselves; the replaced one is told to wait this long. */
const REPLACED_RETRY_MS = 600_000;
/** In this process, of all members. */
const STREAMS_MAX = 5_000;

/** GET /events: hints to look again, as server-sent events. A stream ends with its session. */
export function eventRoute(app: FastifyInstance, deps: Deps): void {
  const streams = createStreams();
  // A closing server waits for its answers, and streams do not end by themselves.
  app.addHook('preClose', async () => streams.endAll());

  app.get(MEMBER_EVENTS.path, { schema: MEMBER_EVENTS as object }, (request, reply) => {
    if (streams.isFull()) return sendUnavailable(reply);
    reply.hijack();
    const stream = reply.raw;
    reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    stream.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    if (request.method === 'HEAD') return void stream.end();
    streams.add(request.member.principal.memberId, stream);
    follow(deps, request.member, stream);
  });
}

/** The open streams of this process. */
function createStreams() {
  const open = new Set<ServerResponse>();
  const ofMember = new Map<string, Set<ServerResponse>>();
  return {
    isFull: () => open.size >= STREAMS_MAX,
    endAll: () => {
      for (const stream of open) stream.end();
    },
    add(memberId: string, stream: ServerResponse): void {
      const own = ofMember.get(memberId) ?? new Set();
      const [oldest] = own;
      if (oldest !== undefined && own.size >= OF_MEMBER_MAX) {
        own.delete(oldest);
        oldest.end(
          `retry: ${REPLACED_RETRY_MS}\nevent: replaced\ndata: {"streams":${OF_MEMBER_MAX}}\n\n`,
        );
      }
      open.add(stream);
      ofMember.set(memberId, own.add(stream));
      stream.on('close', () => {
        open.delete(stream);
        own.delete(stream);
        if (own.size === 0 && ofMember.get(memberId) === own) ofMember.delete(memberId);
      });
    },
  };
}

/** Writes a member's notices to the stream until it closes or the session ends. */
function follow(
  { notices, readers, clock, log }: Deps,
  { principal, tokenHash, expiresAt }: Session<MemberPrincipal>,
  stream: ServerResponse,
): void {
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
  /** The heartbeat finds an end that is further away. */
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
    missed: end, // the reader reconnects and reads the lists
    checkSession,
  });
  const unfollow = clock.onAdvance(checkSession);
  checkAt(expiresAt);
  stream.on('close', () => {
    unsubscribe();
    unfollow();
    clearInterval(heartbeat);
    clearTimeout(expiry);
  });
  write('retry: 3000\n\n');
}
