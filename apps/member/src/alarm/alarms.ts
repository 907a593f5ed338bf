import { MEMBER_MARK_SEEN } from '@munshi/api';
import { signal } from '@preact/signals';
import { write } from '../session.ts';
import type { Order } from '../work/orders.ts';

/** Orders that wait to be seen, the first one first. */
export const alarms = signal<readonly Order[]>([]);

export function raise(order: Order): void {
  const others = alarms.value.filter(({ orderId }) => orderId !== order.orderId);
  alarms.value = [...others, order];
}

/** Somebody has seen it: the alarm is over, and the service knows how long that took. */
export function seen(orderId: string): void {
  if (alarms.value.some((alarm) => alarm.orderId === orderId))
    void write(MEMBER_MARK_SEEN, { params: { orderId } });
  alarms.value = alarms.value.filter((alarm) => alarm.orderId !== orderId);
}
