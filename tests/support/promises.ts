import { loadavg } from 'node:os';
import { expect } from 'vitest';
import { SIZE } from './size.ts';

/**
 * Whether promises in real seconds are asserted: in campaigns alone. They are made for a machine
 * that has time for the service, and every other run may have a busy one.
 */
export const TIMED = SIZE === 'full';

/** The load of the last minute: with each figure in seconds stands how busy the machine was. */
export const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;

/** `what` was promised within `limitMs`. */
export function expectWithin(what: string, tookMs: number, limitMs: number): void {
  if (!TIMED) return;
  console.info(`${what}: ${Math.round(tookMs)} ms, load ${load()}`);
  expect(tookMs, `${what}, load ${load()}`).toBeLessThan(limitMs);
}
