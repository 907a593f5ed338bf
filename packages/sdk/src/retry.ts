/**
 * Answers after which the same request may succeed: too many requests, an unexpected error, a proxy
 * without a service behind it, a service that is briefly away.
 */
const RETRIED: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;

/** A failed attempt: what was answered, or only its number where nothing came back. */
export interface FailedAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly status?: number;
  readonly retryAfter?: string | null;
  /** Waits for as long as is asked. */
  readonly patient?: boolean;
}

/**
 * How many milliseconds to wait before the next attempt: what `Retry-After` says, otherwise twice
 * as long each time; with up to half of it more, so that clients do not come back together.
 * Undefined where trying again is of no use, or wanted in more than half a minute. `random` is in
 * 0..1, `now` in milliseconds since 1970.
 */
export function pauseBeforeRetry(
  { attempt, status, retryAfter, patient = false }: FailedAttempt,
  random = Math.random(),
  now = Date.now(),
): number | undefined {
  if (status !== undefined && !RETRIED.has(status)) return undefined;
  const asked = retryAfter ? readRetryAfter(retryAfter, now) : undefined;
  if (asked !== undefined && asked > PAUSE_MAX_MS && !patient) return undefined;
  const pause = asked ?? Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return pause * (1 + random / 2);
}

/** Seconds, or a date. Undefined when it is neither. */
function readRetryAfter(text: string, now: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
