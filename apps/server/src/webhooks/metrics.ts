import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { SEND_OUTCOMES } from '../platform/outbound/send.ts';
import type { Outcome } from './attempt.ts';
import type { Attempted } from './run-attempts.ts';

const OUTCOMES: readonly Outcome[] = [...SEND_OUTCOMES, 'unsigned'];
/** Seconds: at once in the process that committed, within about a second in another. */
const FIRST_ATTEMPT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
/** Ten attempts take eight and a half hours. */
const ACKNOWLEDGED_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 36_000];

/** The attempts of this process in `/metrics`. */
export function createWebhookMetrics(inFlight: () => number) {
  const registers: Registry[] = [];
  const attempts = new Counter({
    name: 'munshi_webhook_attempts_total',
    help: 'Webhook attempts by outcome; `stalled`: the process was too busy to wait for the answer',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  const abandoned = new Counter({
    name: 'munshi_webhook_abandoned_total',
    help: 'Deliveries abandoned after their last attempt',
    registers,
  });
  const durations = new Histogram({
    name: 'munshi_webhook_first_attempt_seconds',
    help: 'Time from the outcome to the first attempt to deliver it',
    buckets: FIRST_ATTEMPT_BUCKETS,
    registers,
  });
  const acknowledged = new Histogram({
    name: 'munshi_webhook_acknowledged_seconds',
    help: 'Time from the outcome until its receiver has acknowledged it, retries included',
    buckets: ACKNOWLEDGED_BUCKETS,
    registers,
  });
  return {
    observe({ number, outcome, sinceCreationMs, durationMs, abandoned: givenUp }: Attempted) {
      attempts.inc({ outcome });
      if (givenUp) abandoned.inc();
      if (outcome === 'acknowledged')
        acknowledged.observe(Math.max(0, sinceCreationMs + durationMs) / 1000);
      if (number === 1) durations.observe(Math.max(0, sinceCreationMs) / 1000);
    },
    register(registry: Registry) {
      for (const metric of [attempts, abandoned, durations, acknowledged])
        registry.registerMetric(metric);
      new Gauge({
        name: 'munshi_webhook_attempts_in_flight',
        help: 'Attempts that this process is making',
        registers: [registry],
        collect() {
          this.set(inFlight());
        },
      });
    },
  };
}
