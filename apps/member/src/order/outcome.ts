import { texts } from '../language.ts';
import type { Order } from '../work/orders.ts';

/** What has become of an order that is over. */
export function outcomeText({
  status,
  completedAt,
}: Pick<Order, 'status' | 'completedAt'>): string {
  const { order, outcomes } = texts.value;
  const named: Readonly<Partial<Record<Order['status'], string>>> = outcomes;
  return named[status] ?? (completedAt === null ? order.failed : order.completed);
}
