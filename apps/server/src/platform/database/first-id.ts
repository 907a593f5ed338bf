import type { Instant } from '@munshi/core';

/**
 * Ids of orders sort by creation (merchant-api.md#answer), so that a time of creation is a bound of
 * them. An id is never behind its order's time, and ahead of it within a crowded millisecond: an
 * upper bound has this margin, and the time itself decides.
 */
export const ORDER_ID_MARGIN_MS = 60_000;
/** Before and behind every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The first UUIDv7 of a millisecond. */
export function firstIdOf(at: Instant): string {
  const hex = Math.min(Math.max(at, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
