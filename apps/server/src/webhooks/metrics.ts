import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Database } from '../storage/db.ts';
import { findNextAttempt } from '../storage/delivery-queue.ts';
import type { Outcome } from './attempt.ts';
import type { Attempted } from './run-attempts.ts';

const OUTCOMES: readonly Outcome[] = [
  'acknowledged',
  'answered',
  'timeout',
  'refused',
  'failed',
  'unsigned',
];
/** Seconds: at once in the process that committed, within about a second in another. */
const FIRST_ATTEMPT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Webhooks in `/metrics`: this process's attempts, and the backlog of all processes. */
export function createWebhookMetrics({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}) {
  const registers: Registry[] = [];
  const attempts = new Counter({
    name: 'munshi_webhook_attempts_total',
    help: 'Webhook attempts by outcome',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  const abandoned = new Counter({
    name: 'munshi_webhook_abandoned_total',
    help: 'Deliveries given up after their last attempt',
    registers,
  });
  const durations = new Histogram({
    name: 'munshi_webhook_first_attempt_seconds',
    help: 'Time from the outcome to the first attempt to tell it',
    buckets: FIRST_ATTEMPT_BUCKETS,
    registers,
  });
  return {
    observe({ number, outcome, sinceCreationMs, abandoned: givenUp }: Attempted) {
      attempts.inc({ outcome });
      if (givenUp) abandoned.inc();
      if (number === 1) durations.observe(Math.max(0, sinceCreationMs) / 1000);
    },
    register(registry: Registry, inFlight: () => number) {
      for (const metric of [attempts, abandoned, durations]) registry.registerMetric(metric);
      new Gauge({
        name: 'munshi_webhook_attempts_in_flight',
        help: 'Attempts that this process is making',
        registers: [registry],
        collect() {
          this.set(inFlight());
        },
      });
      new Gauge({
        name: 'munshi_webhook_oldest_due_seconds',
        help: 'Age of the oldest delivery that is due; retries wait up to a minute',
        registers: [registry],
        async collect() {
          const next = await findNextAttempt(database.pool).catch(() => undefined);
          if (next === undefined) return; // without the database the last figure stands
          this.set(next === null ? 0 : Math.max(0, clock.now() - next) / 1000);
        },
      });
    },
  };
}
