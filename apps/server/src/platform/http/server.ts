import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, {
  type ConnectionError,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { UnavailableError } from '../database/errors.ts';
import { isMigrated } from '../database/migrate.ts';
import { readingTime } from '../observe/event-loop.ts';
import {
  allowHalfClosed,
  endWhenAnswered,
  isAnswered,
  isWhole,
  noteAnswer,
  readRest,
} from './connections.ts';
import type { PlatformDeps } from './deps.ts';
import {
  handleError,
  noteRefusals,
  PROBLEM_TYPE,
  problemBody,
  sendProblem,
  sendUnavailable,
} from './errors.ts';
import { sendNotFound } from './not-found.ts';
import { RequestLog } from './request-log.ts';

/** Clients wait ten seconds: a request that still waits for something is answered before that. */
const ANSWER_MS = 9_000;
/** How often requests whose bodies are late are looked for. */
const BODY_CHECK_MS = 500;
/** A whole request arrives in this time, from its first byte to its last. */
const REQUEST_MS = 30_000;
/** Requests that take longer are looked for so often in that time. Node does it every 30 s. */
const REQUEST_CHECKS = 30;

const UNREADABLE = 'The request could not be read.';

/** Default headers: an answer is data that is not cached, framed or run. */
const PROTECTIONS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
/** If the service is reached by HTTPS, browsers use nothing else for a year. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' };

interface Options {
  /** Its public address is. */
  readonly overHttps?: boolean;
  /** The path of its start page. */
  readonly home?: string;
  readonly requestMs?: number;
  readonly answerMs?: number;
  /** Every answer says so. */
  readonly sandbox?: boolean;
}

/** The HTTP server without its faces: errors in the documented shapes, trace ids, health. */
export function createHttpServer(
  log: FastifyBaseLogger,
  {
    overHttps = false,
    home,
    requestMs = REQUEST_MS,
    answerMs = ANSWER_MS,
    sandbox = false,
  }: Options = {},
): FastifyInstance {
  const protections = {
    ...PROTECTIONS,
    ...(overHttps && HTTPS_ONLY),
    ...(sandbox && { 'svc-sandbox': '1' }),
  };
  const refuseBytes = createRefusal(log, protections);
  const app = Fastify({
    loggerInstance: log,
    // The traceId of errors is the request id of the log lines.
    genReqId: () => randomUUID(),
    logController: new LogController({ requestIdLogLabel: 'traceId', disableRequestLogging: true }),
    childLoggerFactory: (parent, bindings, options) => new RequestLog(parent, bindings, options),
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    requestTimeout: requestMs,
    http: {
      requireHostHeader: false, // Node would answer without a word: looked at below
      headersTimeout: requestMs,
      connectionsCheckingInterval: requestMs / REQUEST_CHECKS,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: refuseBytes,
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    // Longer paths are not found.
    frameworkErrors: (_error, request, reply) => {
      noteAnswer(reply.raw); // hooks are not run
      reply.raw.once('finish', () => readRest(request.raw));
      sendNotFound(request as never, reply.headers(protections) as never, home);
    },
  });
  allowHalfClosed(app.server);
  // Node would drop the connection, with the answers that are due on it.
  app.server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => {}); // Node has left it to us
    refuseBytes({ code: 'CONNECT', message: 'This is no proxy.' }, socket);
  });
  app.setErrorHandler(handleError);
  app.decorateRequest('deadline', undefined);
  noteRefusals(app);
  // Unknown paths are answered without reading the body.
  app.addHook('onRequest', (request, reply, done) => {
    noteAnswer(reply.raw);
    reply.headers(protections);
    const unclear = whatIsUnclear(request.raw);
    if (unclear !== undefined)
      sendProblem(reply.header('connection', 'close'), 400, UNREADABLE, { $: [unclear] });
    else if (request.is404) sendNotFound(request, reply, home);
    else done();
  });
  // Unknown expectations are ignored, which the RFC allows; Node would answer 417.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  app.addHook('onRequest', (request, reply, done) => {
    const asked = setTimeout(answerUnavailable, answerMs, request, reply, answerMs);
    (request as Timed).deadline = asked.unref();
    done();
  });
  // What is too large is read no further before that is answered.
  app.addHook('onError', (request, _reply, _error, done) => {
    if (!isWhole(request.raw)) request.raw.pause();
    done();
  });
  app.addHook('preClose', () => drainConnections(app.server));
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, home));
  // Handlers write the JSON themselves: money as exact numbers.
  app.setReplySerializer((payload) => JSON.stringify(payload));
  // Schemas of answers are documentation: they do not serialize or alter anything.
  app.setSerializerCompiler(() => JSON.stringify);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    clearDeadline(request);
    readRest(request.raw);
    if (log.level === 'debug' || log.level === 'trace') {
      request.log.debug(
        {
          method,
          path: url.split('?')[0],
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'answered',
      );
    }
    done();
  });
  return app;
}

interface Timed extends FastifyRequest {
  deadline: NodeJS.Timeout | undefined;
}
/** For what is answered, or will be within a time of its own. */
export const clearDeadline = (request: FastifyRequest): void =>
  clearTimeout((request as Timed).deadline);

/**
 * Answers 503 in the form of its face if a request has no answer by its deadline. The work goes on,
 * and a repeat under the same key finds its outcome. Streams have begun by then; `unhurried` routes
 * have no deadline.
 */
function answerUnavailable(
  request: FastifyRequest,
  reply: FastifyReply,
  answerMs: number,
  bodyWasLate = false,
): void {
  if (
    reply.sent ||
    reply.raw.headersSent ||
    reply.raw.destroyed ||
    (request.routeOptions.config as { unhurried?: true }).unhurried
  )
    return;
  const again = (ms: number, late: boolean) => {
    const asked = [request, reply, answerMs, late] as const;
    (request as Timed).deadline = setTimeout(answerUnavailable, ms, ...asked).unref();
  };
  if (!request.raw.complete) again(BODY_CHECK_MS, true);
  else if (bodyWasLate) again(answerMs, false);
  else {
    reply.send(new UnavailableError('the request was not answered in time'));
    // The handler will send its own answer in the end, which is then ignored.
    reply.log = request.log.child({}, { level: 'silent' });
  }
}

/** A name or address, and a port (RFC 3986, 3.2.2); nobody, a path or a query has a meaning here. */
const HOST = /^(?:\[[\w:.~!$&'()*+,;=-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/** Why others may read this request in another way, where Node has no doubt; else undefined. */
function whatIsUnclear(request: IncomingMessage): string | undefined {
  const { headers, method, url = '' } = request;
  // Node takes the first of two (RFC 9112, 3.2).
  if (!hasOneHost(request)) return 'A request has one Host.';
  if (headers.host !== undefined && !HOST.test(headers.host))
    return 'Host is a name or an address, and a port.';
  // Node undoes chunks and leaves what is inside as it is (RFC 9112, 6.1).
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    return 'The only Transfer-Encoding is chunked.';
  if (url.startsWith('*') && (url !== '*' || method !== 'OPTIONS'))
    return 'A request is for a path.';
  return undefined;
}

/** One Host, or none in HTTP/1.0. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1 || (count === 0 && httpVersion === '1.0');
}

/**
 * While closing, kept connections are answered for this long, with `Connection: close`, by a clock
 * that stops while this process reads nothing.
 */
const GRACE_MS = 500;
/** Every accepted request is answered by then; connections left never sent a whole one. */
const ANSWERED_MS = 10_000;

/**
 * Node's `close` ends idle connections, which a client may be about to use, and waits for ever for
 * those that become idle later. Instead no new ones are accepted, each gets `Connection: close`
 * with its next answer, and after a while the rest is closed.
 */
async function drainConnections(server: Server): Promise<void> {
  const started = performance.now();
  const graceEnd = readingTime() + GRACE_MS;
  NetServer.prototype.close.call(server); // stops listening, and nothing else
  while (readingTime() < graceEnd && (await countConnections(server)) > 0) await delay(20);
  const sweep = setInterval(
    () =>
      performance.now() - started < ANSWERED_MS
        ? server.closeIdleConnections()
        : server.closeAllConnections(),
    50,
  );
  server.once('close', () => clearInterval(sweep));
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));

/**
 * Invalid HTTP or an incomplete request: 400, and the connection is closed. If a whole request on
 * it was or is to be answered, it is closed after that answer, without a 400, which would be taken
 * for the answer.
 */
const createRefusal =
  (log: FastifyBaseLogger, protections: Readonly<Record<string, string>>) =>
  (error: Pick<ConnectionError, 'code' | 'message'>, socket: Socket): void => {
    if (error.code !== 'ECONNRESET' && socket.writable && !isAnswered(socket)) {
      const traceId = randomUUID();
      // Not the error itself: it holds the bytes received, with keys.
      log.debug({ code: error.code, message: error.message, traceId }, 'not HTTP');
      const reason =
        error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? 'The request did not arrive in time.'
          : 'This is not a well-formed HTTP request.';
      const body = problemBody(400, UNREADABLE, { $: [reason] }, { traceId });
      const headers = {
        ...protections,
        'content-type': PROBLEM_TYPE,
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
    }
    endWhenAnswered(socket);
  };

/** A path that cannot be decoded (`%`, `%ff`) is taken as written, and so is not found. */
function decodableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** A load balancer asks about every second, and takes silence as a failure. */
const READY_MS = 2_000;

/**
 * `/healthz`: the process runs. `/readyz`: the database answers, has this version's migrations, and
 * the engine can decide over it. A clock in doubt is named: requests are answered all the same
 * (decision 32).
 */
export function healthRoutes(
  app: FastifyInstance,
  {
    database,
    engine,
    clockCheck,
  }: Pick<PlatformDeps, 'database' | 'clockCheck'> & {
    readonly engine: { ready(): Promise<boolean> };
  },
): void {
  app.get('/healthz', { schema: { hide: true } as never }, async () => ({ status: 'ok' }));
  // Simultaneous requests share one check: anybody may ask, and each check takes a connection.
  let checking: Promise<object | undefined> | undefined;
  async function check() {
    const [migrated, ready, clock] = await Promise.all([
      isMigrated(database.pool).catch(() => false),
      engine.ready(),
      clockCheck.doubt().catch(() => undefined),
    ]);
    return migrated && ready ? { status: 'ready', clock } : undefined;
  }
  app.get('/readyz', { schema: { hide: true } as never }, async (_request, reply) => {
    const late = new AbortController();
    checking ??= check();
    const own = checking;
    const ready = await Promise.race([own, delay(READY_MS, undefined, { signal: late.signal })]);
    late.abort();
    if (checking === own) checking = undefined;
    return ready ?? sendUnavailable(reply);
  });
}
