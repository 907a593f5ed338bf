import { isFinal, ORDER_TYPES, type OrderType, STATUSES, WALLET_TYPES } from '@munshi/core';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { EngineOptions } from './engine.ts';

/** Seconds: paid at once, within the customer's fifteen minutes, or after a payout's hours. */
const COMPLETION_BUCKETS = [15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400];

type Written = Parameters<NonNullable<EngineOptions['onWritten']>>[0];

interface Count {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
}

/**
 * What this process has decided of orders. It is updated after a commit whose callers have been
 * answered, and adds to counters of its own: those of the library make a key from the labels each
 * time.
 */
export function createOrderMetrics() {
  const created = new Map<string, Count>();
  const ended = new Map<string, Count>();
  for (const type of ORDER_TYPES)
    for (const method of WALLET_TYPES) {
      created.set(type + method, { labels: { type, method }, count: 0 });
      for (const outcome of STATUSES.filter(isFinal))
        ended.set(type + method + outcome, { labels: { type, method, outcome }, count: 0 });
    }
  const completion = new Histogram({
    name: 'munshi_order_completion_seconds',
    help: 'Time from the creation of an order to its completion',
    labelNames: ['type'],
    buckets: COMPLETION_BUCKETS,
    registers: [],
  });
  for (const type of ORDER_TYPES) completion.zero({ type });

  function add(counts: Map<string, Count>, key: string) {
    const count = counts.get(key);
    if (count !== undefined) count.count += 1;
  }

  function noteEnd(type: OrderType, method: string, outcome: string, sinceCreationMs: number) {
    add(ended, type + method + outcome);
    if (outcome === 'Completed') completion.observe({ type }, Math.max(0, sinceCreationMs) / 1_000);
  }

  return {
    written(writes: Written) {
      for (const { orderType, walletType } of writes.created) add(created, orderType + walletType);
      const ends = new Map(
        writes.moves.flatMap(({ orderId, to, at }) => (isFinal(to) ? [[orderId, { to, at }]] : [])),
      );
      if (ends.size === 0) return;
      for (const { orderId, orderType, walletType, createdAt } of writes.orders) {
        const end = ends.get(orderId);
        if (end !== undefined) noteEnd(orderType, walletType, end.to, end.at - createdAt);
      }
    },
    register(registry: Registry) {
      registry.registerMetric(completion);
      follow(registry, created, {
        name: 'munshi_orders_created_total',
        help: 'Orders that this process has accepted',
        labelNames: ['type', 'method'],
      });
      follow(registry, ended, {
        name: 'munshi_orders_ended_total',
        help: 'Orders that this process has brought to an end; one confirmed late ends twice',
        labelNames: ['type', 'method', 'outcome'],
      });
    },
  };
}

function follow(
  registry: Registry,
  counts: ReadonlyMap<string, Count>,
  named: { readonly name: string; readonly help: string; readonly labelNames: string[] },
) {
  new Counter({
    ...named,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of counts.values()) this.inc(labels, count);
    },
  });
}
