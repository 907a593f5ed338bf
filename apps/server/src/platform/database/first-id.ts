import type { Instant } from '@munshi/core';

/**
 * Ids of orders and deliveries sort by creation (merchant-api.md#answer), so that a time of
 * creation is a bound of them. An id is never behind the time that is stored with it, and ahead of
 * it within a crowded millisecond: an upper bound has this margin, and the time itself decides.
 */
export const ID_MARGIN_MS = 60_000;
/** Before and behind every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The first UUIDv7 of a millisecond. */
export function firstIdOf(at: Instant): string {
  const hex = Math.min(Math.max(at, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

interface Asked {
  readonly from: Instant | null | undefined;
  readonly to: Instant | null | undefined;
  /** The last id of the page before, of a list with the newest first. */
  readonly after: string | null;
}

/** The first id that a page can hold, and the one behind the last. */
export function idsOfPage({ from, to, after }: Asked) {
  const behind = to === null || to === undefined ? LAST_ID : firstIdOf(to + ID_MARGIN_MS);
  return {
    first: from === null || from === undefined ? FIRST_ID : firstIdOf(from),
    behind: after === null || after > behind ? behind : after,
  };
}
