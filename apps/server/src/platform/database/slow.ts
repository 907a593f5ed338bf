import { Refused } from '../refusals.ts';
import { CrowdedError, TooSlowError } from './limited.ts';

/** For what reads a month of the ledger, or a whole list: answers come within 9 seconds. */
export const LONG_MS = 8_000;

/**
 * Runs a search that is cut off after its time, and then throws `too-slow` with what to narrow, or
 * that others must end first.
 */
export async function refusingSlow<T>(narrow: () => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CrowdedError)
      throw new Refused('too-slow', 'Too many searches run at the moment. Try again in a while.');
    if (error instanceof TooSlowError)
      throw new Refused('too-slow', `This search takes too long. ${narrow()}`);
    throw error;
  }
}
