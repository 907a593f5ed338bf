import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { isMigrated } from '../storage/migrate.ts';
import type { Deps } from './deps.ts';
import { handleError, sendError, sendUnavailable } from './errors.ts';

/** The HTTP server without its faces: errors in the documented shapes, trace ids, health. */
export function createHttpServer(log: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    // The traceId of errors is the request id of the log lines.
    genReqId: () => randomUUID(),
    logController: new LogController({ requestIdLogLabel: 'traceId', disableRequestLogging: true }),
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A path that cannot be decoded names nothing.
    frameworkErrors: (_error, _request, reply) => sendError(reply as never, 404, 'Not found.'),
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404, 'Not found.'));
  // Answers travel as the handlers wrote them: money as exact numbers.
  app.setReplySerializer((payload) => JSON.stringify(payload));
  // The schemas of replies are documentation: nothing is built from them, nothing is altered by them.
  app.setSerializerCompiler(() => JSON.stringify);
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request;
    request.log.debug({ method, path: url.split('?')[0], status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
  return app;
}

/** `/healthz`: the process runs. `/readyz`: the database answers and has this version's migrations. */
export function healthRoutes(app: FastifyInstance, { database }: Deps): void {
  app.get('/healthz', { schema: { hide: true } as never }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } as never }, async (_request, reply) => {
    const ready = await isMigrated(database.pool).catch(() => false);
    return ready ? { status: 'ready' } : sendUnavailable(reply);
  });
}
