import type { Instant } from '@munshi/core';

/**
 * The first UUIDv7 of a millisecond: ids sort by the time at which they were made (D55), so that a
 * time is a bound of them.
 */
export function firstIdOf(at: Instant): string {
  const hex = Math.min(Math.max(at, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
