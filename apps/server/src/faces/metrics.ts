import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { sendError } from '../platform/http/errors.ts';
import type { FaceDeps } from './deps.ts';

/** Seconds; orders are answered in milliseconds, and a client stops waiting after ten seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Metrics of a part of the service. */
interface Collector {
  register(registry: Registry): void;
  /** Reads what is not known until it is asked for. Never throws. */
  refresh?(): Promise<void>;
}

/**
 * `/metrics` in Prometheus text. With a token set, only for `Authorization: Bearer <token>`; in
 * production without one, not at all.
 */
export function metricsRoute(
  app: FastifyInstance,
  { metricsToken, production }: Pick<FaceDeps, 'metricsToken' | 'production'>,
  collectors: readonly Collector[],
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { register } of collectors) register(registry);
  const durations = new Histogram({
    name: 'munshi_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  app.get('/metrics', { schema: { hide: true } as never }, async (request, reply) => {
    if (production && metricsToken === undefined)
      return sendError(reply, 404, 'Set METRICS_TOKEN to serve metrics in production.');
    if (metricsToken !== undefined && !isBearer(request, metricsToken))
      return sendError(reply, 401, 'Send the METRICS_TOKEN as a bearer token.');
    await Promise.all(collectors.map((collector) => collector.refresh?.()));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function isBearer({ headers }: FastifyRequest, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
