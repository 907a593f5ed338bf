import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { countOpenLateClaims } from '../storage/late-claims.ts';
import type { Deps } from './deps.ts';
import { sendError } from './errors.ts';

/** Seconds; orders are answered in milliseconds, and a client gives up after ten seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * `/metrics` in Prometheus text. With a token set, only for `Authorization: Bearer <token>`; in
 * production without one, not at all.
 */
export function metricsRoute(
  app: FastifyInstance,
  { engine, database, metricsToken, production }: Deps,
  collectors: readonly ((registry: Registry) => void)[] = [],
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  for (const collect of collectors) collect(registry);
  const durations = new Histogram({
    name: 'munshi_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  followEngine(registers, { engine, database });
  new Gauge({
    name: 'munshi_late_claims_open',
    help: 'Customers who say after expiry that they paid, and whom nobody has answered yet',
    registers,
    async collect() {
      const open = await countOpenLateClaims(database.pool).catch(() => undefined);
      if (open !== undefined) this.set(open); // without the database the last figure stands
    },
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
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Figures that the engine and the database keep since the start. */
function followEngine(
  registers: Registry[],
  { engine, database }: Pick<Deps, 'engine' | 'database'>,
) {
  const follow = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  follow(
    'munshi_engine_batches_total',
    'Batches decided, each one transaction',
    () => engine.stats.batches,
  );
  follow(
    'munshi_engine_commands_total',
    'Commands decided, retries included',
    () => engine.stats.commands,
  );
  follow(
    'munshi_engine_retries_total',
    'Batches that were decided again after a conflict or a lost connection',
    () => engine.stats.retries,
  );
  follow(
    'munshi_database_failovers_total',
    'Times that the database primary was lost and found, on another host or the same',
    () => database.stats.failovers,
  );
  new Gauge({
    name: 'munshi_engine_unanswered_commands',
    help: 'Commands that wait for their commit',
    registers,
    collect() {
      this.set(engine.stats.unanswered);
    },
  });
}

function isBearer({ headers }: FastifyRequest, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
