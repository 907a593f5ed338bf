import { MEMBER_READ_ORDER } from '@munshi/api';
import type { LiveState } from '@munshi/web';
import { computed, signal } from '@preact/signals';
import { api } from '../service.ts';
import { readOwn } from '../session.ts';
import { isUrgent, type Me, type Order } from './orders.ts';

/** What the app knows of its member and their orders, and how old that is. */

export interface Known {
  readonly me: Me;
  readonly orders: readonly Order[];
  /** When it was read, by the service's clock. */
  readonly at: number;
}
/** Null until something has been read, now or before on this phone. */
export const known = signal<Known | null>(null);
export const me = computed<Me | null>(() => known.value?.me ?? null);
/** What is in hand. */
export const orders = computed<readonly Order[]>(() => known.value?.orders ?? []);
/** How many orders want the member now. */
export const toDo = computed(() => orders.value.filter(isUrgent).length);

/** The last look has failed. */
export const failed = signal(false);
/** `tried`: the stream has been asked for, and should be there. */
export const live = signal<LiveState & { readonly tried: boolean }>({
  live: false,
  lastSeenAt: null,
  tried: false,
});
export const online = signal(navigator.onLine);

/** Orders that left by no action of this phone; they stay until somebody has read why. */
export const gone = signal<readonly Order[]>([]);

/** Orders as they were answered one by one, those that are over too. */
export const answered = signal<ReadonlyMap<string, Order>>(new Map());
export const orderOf = (orderId: string): Order | undefined =>
  answered.value.get(orderId) ?? orders.value.find((order) => order.orderId === orderId);

/** An answer of the service shows an order as it is now. */
export function learnOrder(order: Order): void {
  answered.value = new Map(answered.value).set(order.orderId, order);
}

/** Undefined: it could not be read. Null: it is not theirs. */
export async function readOrder(orderId: string): Promise<Order | null | undefined> {
  const outcome = await api.call(MEMBER_READ_ORDER, { params: { orderId } }).catch(() => undefined);
  if (outcome === undefined) return undefined;
  if (!outcome.ok) return outcome.refusal.status === 404 ? null : undefined;
  learnOrder(outcome.answer.data);
  return outcome.answer.data;
}

/** One that is over, as this phone has kept it for when there is no network. */
export async function learnKept(orderId: string): Promise<void> {
  const kept = await readOwn<readonly Order[]>('closed');
  const order = kept?.find((each) => each.orderId === orderId);
  if (order !== undefined && orderOf(orderId) === undefined) learnOrder(order);
}

/** The member as a write has answered them. */
export function learnMe(mine: Me): void {
  if (known.value !== null) known.value = { ...known.value, me: mine };
}
