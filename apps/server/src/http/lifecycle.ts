import type { OrderDetailView } from '@munshi/api';
import { isoTime, lifecycleOf, type Order } from '@munshi/core';

/** When an order reached each of its stages. */
export function showLifecycle(order: Order): OrderDetailView['lifecycle'] {
  const { stage, ...stamps } = lifecycleOf(order);
  const times = Object.entries(stamps).map(([name, at]) => [name, isoTime(at)]);
  return { stage, ...(Object.fromEntries(times) as Omit<OrderDetailView['lifecycle'], 'stage'>) };
}
