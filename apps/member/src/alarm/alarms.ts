import { signal } from '@preact/signals';
import type { Order } from '../work/orders.ts';

/** Orders that wait to be seen, the first one first. */
export const alarms = signal<readonly Order[]>([]);

export function raise(order: Order): void {
  const others = alarms.value.filter(({ orderId }) => orderId !== order.orderId);
  alarms.value = [...others, order];
}

/** Somebody has seen it. */
export function seen(orderId: string): void {
  alarms.value = alarms.value.filter((alarm) => alarm.orderId !== orderId);
}
