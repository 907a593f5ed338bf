import type { Order } from '@munshi/core';

/**
 * What the page shows of an order: by it scripts ask for something else, and a form says which
 * account its customer saw.
 */
export const pageVersion = (
  { status, walletType, methodSwitches }: Pick<Order, 'status' | 'walletType' | 'methodSwitches'>,
  view: string,
): string => `${status}-${view}-${walletType}-${methodSwitches}`;

/** How many changes of method a page of this version knew of; undefined where a form has none. */
export const switchesSeen = (version: string | undefined): number | undefined =>
  version === undefined ? undefined : Number(/-(\d+)$/.exec(version)?.[1] ?? Number.NaN);
