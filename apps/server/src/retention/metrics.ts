import { RETENTION_KINDS, type RetentionKind, type RetentionPolicy } from '@munshi/core';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What this process is to remove, and has removed; processes without the role worker have none. */
export function createRetentionMetrics({
  retention,
  roles,
}: {
  readonly retention: RetentionPolicy;
  readonly roles: ReadonlySet<string>;
}) {
  const labelNames = ['kind'];
  const kept = new Gauge({
    name: 'munshi_retention_kept_days',
    help: 'For how many days this is kept after its order is over; none where it is kept for ever',
    labelNames,
    registers: [],
  });
  const removed = new Counter({
    name: 'munshi_retention_removed_rows_total',
    help: 'Rows that this process has deleted or masked after their time',
    labelNames,
    registers: [],
  });
  for (const kind of RETENTION_KINDS) {
    const days = retention[kind];
    if (days === undefined || !roles.has('worker')) continue;
    kept.set({ kind }, days);
    removed.inc({ kind }, 0);
  }
  return {
    removed: (kind: RetentionKind, rows: number) => removed.inc({ kind }, rows),
    register(registry: Registry) {
      registry.registerMetric(kept);
      registry.registerMetric(removed);
    },
  };
}
