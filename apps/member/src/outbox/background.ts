import { registrationOf } from '../alerts/notices.ts';
import { SYNC } from './decisions.ts';

/** Where browsers have it; not in the library of types. */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> };
}

/**
 * Has the worker send what waits when the network is back and no window is open any more. Browsers
 * that have no background sync send when the app is next opened.
 */
export function askForSync(): void {
  void registrationOf()
    .then((registration) => (registration as WithSync | undefined)?.sync?.register(SYNC))
    .catch(() => {});
}
