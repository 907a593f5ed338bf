import type { Instant, Money } from '@munshi/core';

/** A row as the driver gives it: numeric as text, timestamps as milliseconds, bytea as a Buffer. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A timestamp as a statement's parameter. A batch has few different ones, each many times: the
 * newest are remembered.
 */
export function time(at: Instant | null): string | null {
  if (at === null) return null;
  let text = times.get(at);
  if (text === undefined) {
    text = new Date(at).toISOString();
    if (times.size >= TIMES_MAX) times.clear();
    times.set(at, text);
  }
  return text;
}
const times = new Map<Instant, string>();
const TIMES_MAX = 64;

/** Money as a statement's parameter: `15005000e-4`, which numeric reads as 1500.5000. */
export const numeric = (value: Money): string => `${value}e-4`;
