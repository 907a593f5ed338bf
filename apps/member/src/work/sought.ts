import { signal } from '@preact/signals';

/**
 * What was pasted, shared or typed on M3 to find an order. In memory alone, and forgotten when an
 * order opens or the app is hidden.
 */
export const sought = signal('');

export function forgetSought(): void {
  sought.value = '';
}

/** The transaction's ID of the message that led to an order: for that order alone. */
export const idRead = signal<{ readonly orderId: string; readonly id: string } | null>(null);

export const idReadFor = (orderId: string): string | null =>
  idRead.value?.orderId === orderId ? idRead.value.id : null;
