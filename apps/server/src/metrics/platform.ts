import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../platform/clock.ts';
import { type Database, inSnapshot } from '../platform/database/db.ts';
import { paced } from '../platform/lasting.ts';
import { FIGURES, type Figure } from './figures.ts';
import { readPlatform } from './platform-figures.store.ts';

/** Several scrapes at once share a reading. */
const READ_EVERY_MS = 200;
/** A scrape waits no longer: it is given the figures of before. */
const READ_MS = 2_000;

/**
 * What the database knows of the whole platform, the same in every process: read in one transaction
 * when somebody scrapes, five times a second at most. While the database is away the last figures
 * stand; `munshi_platform_read_timestamp_seconds` shows when they were read.
 */
export function createPlatformMetrics({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}) {
  const gauges = FIGURES.map(({ name, help, labels = [] }) => {
    const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [] });
    if (labels.length === 0) gauge.remove(); // it is not 0 before it was read
    return gauge;
  });
  const read = paced(READ_EVERY_MS, async () => {
    const now = clock.now();
    const platform = await inSnapshot(database.pool, (client) => readPlatform(client, now));
    for (const [at, figure] of FIGURES.entries())
      show(gauges[at] as Gauge, figure, figure.read(platform, now));
  });
  return {
    register(registry: Registry) {
      for (const gauge of gauges) registry.registerMetric(gauge);
    },
    /** Resolves when the figures are as new as a scrape can wait for. */
    async refresh() {
      const late = new AbortController();
      const tooLong = delay(READ_MS, undefined, { signal: late.signal }).catch(() => {});
      await Promise.race([read().catch(() => {}), tooLong]);
      late.abort();
    },
  };
}

function show(gauge: Gauge, { labels = [] }: Figure, read: ReturnType<Figure['read']>): void {
  if (labels.length > 0) gauge.reset();
  else gauge.remove();
  if (typeof read === 'number') gauge.set(read);
  else
    for (const [values, value] of read)
      gauge.set(Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])), value);
}
