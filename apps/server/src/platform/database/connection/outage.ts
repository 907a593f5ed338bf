import { UnavailableError } from '../errors.ts';
import { nameOf, type PrimaryWatch } from './primary.ts';

interface OutageLog {
  warn(detail: object, message: string): void;
}

/**
 * From the moment the primary is missed until it is found, what fails for want of it is counted and
 * not logged line by line.
 */
export interface Outage {
  /** Whether a line about this error is left out. */
  covers(error: unknown): boolean;
  /** Logs the beginning and the end, one line each. */
  watch(log: OutageLog): PrimaryWatch;
}

export function createOutage(): Outage {
  let on = false;
  let errors = 0;
  return {
    covers(error) {
      if (!on || !(error instanceof UnavailableError)) return false;
      errors += 1;
      return true;
    },
    watch: (log) => ({
      suspected() {
        on = true;
        errors = 0;
      },
      lost: (host, reason) =>
        log.warn({ host: nameOf(host), reason }, 'the database primary is lost; looking for it'),
      found(host, lostMs, reason) {
        on = false;
        if (lostMs === undefined)
          log.warn(
            { host: nameOf(host), reason, errors },
            'a database connection was lost; the primary is still there',
          );
        else
          log.warn(
            { host: nameOf(host), lostMs: Math.round(lostMs), errors },
            'the database primary is found',
          );
      },
    }),
  };
}
