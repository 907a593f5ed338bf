import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Endpoint } from '@munshi/api';
import type { Instant } from '@munshi/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../people/deps.ts';
import type { Session } from '../people/sessions.service.ts';
import type { FoundSession } from '../people/sessions.store.ts';
import { type Face, routeOf } from '../platform/http/bind.ts';
import { noteEndless } from '../platform/http/connections.ts';
import { sendUnavailable } from '../platform/http/errors.ts';

/** Keeps proxies from closing a quiet stream, and finds a session's end that was not announced. */
const HEARTBEAT_MS = 10_000;
/** A reader that takes nothing is cut off; it reconnects and reads the lists. */
const UNREAD_BYTES_MAX = 65_536;

/** Of one reader at once: each holds a socket and timers. One more ends the oldest. */
const OF_READER_MAX = 8;
/** Browsers reconnect by themselves; a replaced stream asks them to wait this long. */
const REPLACED_RETRY_MS = 600_000;
/** In this process, of a face. Each holds a socket: the process may open as many files. */
const STREAMS_MAX = 20_000;

/** The reader of a stream. */
interface Reader {
  /** The member, operator or portal user. */
  readonly id: string;
  /** Undefined: by a token of the environment, which does not end. */
  readonly session: Pick<Session<unknown>, 'tokenHash' | 'expiresAt'> | undefined;
}

/** What a stream can send. */
interface Stream {
  send(event: string, data: object): void;
  /** The reader connects again and reads the lists. */
  end(): void;
  /** Ends the stream if its session has ended. */
  checkSession(): void;
}

interface StreamRules<Caller> {
  readonly endpoint: Endpoint;
  /** Sent again and again while nothing else is. */
  readonly heartbeat: string;
  readerOf(caller: Caller): Reader;
  findSession(
    tokenHash: string,
    now: Instant,
  ): Promise<Pick<FoundSession<unknown>, 'status' | 'expiresAt'> | undefined>;
  /** Sends the stream what concerns its reader until the answered function is called. */
  subscribe(readerId: string, stream: Stream, caller: Caller): () => void;
}

/** Serves hints to look again, as server-sent events. A stream ends with its session. */
export function eventStreamRoute<Caller>(
  { app, callerOf }: Face<Caller>,
  deps: Deps,
  rules: StreamRules<Caller>,
): void {
  const streams = createStreams();
  // A closing server waits for its answers, and streams do not end by themselves.
  app.addHook('preClose', async () => streams.endAll());

  app.route({ ...routeOf(rules.endpoint), handler: serve });

  function serve(request: FastifyRequest, reply: FastifyReply) {
    if (streams.isFull()) return sendUnavailable(reply);
    const caller = callerOf(request);
    const reader = rules.readerOf(caller);
    reply.hijack();
    const stream = reply.raw;
    reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    stream.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    if (request.method === 'HEAD') return void stream.end();
    streams.add(reader.id, stream);
    const subscribe = (to: Stream) => rules.subscribe(reader.id, to, caller);
    follow(deps, { ...rules, subscribe }, reader, stream);
    noteEndless(stream);
  }
}

/** The open streams of this process. */
function createStreams() {
  const open = new Set<ServerResponse>();
  const ofReader = new Map<string, Set<ServerResponse>>();
  return {
    isFull: () => open.size >= STREAMS_MAX,
    endAll: () => {
      for (const stream of open) stream.end();
    },
    add(readerId: string, stream: ServerResponse): void {
      const own = ofReader.get(readerId) ?? new Set();
      const [oldest] = own;
      if (oldest !== undefined && own.size >= OF_READER_MAX) {
        own.delete(oldest);
        oldest.end(
          `retry: ${REPLACED_RETRY_MS}\nevent: replaced\ndata: {"streams":${OF_READER_MAX}}\n\n`,
        );
      }
      open.add(stream);
      ofReader.set(readerId, own.add(stream));
      stream.on('close', () => {
        open.delete(stream);
        own.delete(stream);
        if (own.size === 0 && ofReader.get(readerId) === own) ofReader.delete(readerId);
      });
    },
  };
}

/** Writes a reader's events to the stream until it closes or the session ends. */
function follow(
  { clock, log }: Deps,
  {
    heartbeat,
    findSession,
    subscribe,
  }: Pick<StreamRules<unknown>, 'heartbeat' | 'findSession'> & {
    subscribe(stream: Stream): () => void;
  },
  { session }: Reader,
  stream: ServerResponse,
): void {
  const write = (text: string) => {
    stream.write(text);
    if (stream.writableLength > UNREAD_BYTES_MAX) stream.destroy();
  };
  const end = () => stream.end();
  const checkSession = async () => {
    if (session === undefined) return;
    try {
      const found = await findSession(session.tokenHash, clock.now());
      if (found?.status !== 'active') end();
      else checkAt(found.expiresAt);
    } catch (error) {
      log.warn({ err: error }, 'an event stream could not check its session; it tries again');
    }
  };
  let expiry: NodeJS.Timeout | undefined;
  /** The heartbeat finds an end that is further away. */
  const checkAt = (at: number) => {
    clearTimeout(expiry);
    if (at - clock.now() <= HEARTBEAT_MS && !stream.writableEnded)
      expiry = setTimeout(checkSession, at - clock.now());
  };
  const beat = setInterval(() => {
    write(heartbeat);
    checkSession();
  }, HEARTBEAT_MS);
  const unsubscribe = subscribe({
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end,
    checkSession,
  });
  const unfollow = clock.onAdvance(checkSession);
  if (session !== undefined) checkAt(session.expiresAt);
  stream.on('close', () => {
    unsubscribe();
    unfollow();
    clearInterval(beat);
    clearTimeout(expiry);
  });
  write('retry: 3000\n\n');
}
