import type { Order } from '@munshi/core';
import type { Texts } from './texts/en.ts';

type Seen = keyof ReturnType<Texts['whenSeen']>;

/** Why a payment that arrived was rejected all the same; null: the receiver saw none. */
export function seenOf({ status, reasonCode }: Pick<Order, 'status' | 'reasonCode'>): Seen | null {
  if (status !== 'Rejected' || reasonCode === 'notReceived' || reasonCode === 'other') return null;
  return reasonCode;
}
