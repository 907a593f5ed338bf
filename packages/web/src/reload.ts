/**
 * Loads the page again without losing it. A browser that asks in vain shows a page of its own, from
 * which nothing comes back by itself: so the page is loaded again only when the service sends it.
 */

/** Of the browser; this package is checked without its types, because Node runs most of it. */
declare const location: { readonly pathname: string; reload(): void };
declare const sessionStorage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};

/** How long after an attempt in vain a page asks again whether the service is back. */
export const LOOK_MS = 2_000;
const ANSWER_MS = 5_000;
const BROKEN_MS = 60_000;
const RELOADED_AT = 'munshi-reloaded';

/** Whether the service sends this page now. */
const isServed = (): Promise<boolean> =>
  fetch(location.pathname, {
    cache: 'no-store',
    headers: { Accept: 'text/html' },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).then(
    ({ ok }) => ok,
    () => false,
  );

interface ReloadOptions {
  /** The service does not send the page. */
  onAway?(): void;
  /**
   * The service sends the page, but loading it again does not help: that was done less than a minute
   * ago, and is done again after it. Without this it is loaded again all the same.
   */
  onBroken?(): void;
}

/**
 * Loads the page again as soon as the service sends it, which is asked every two seconds: at once
 * where code is missing because another build has replaced it. Ends when the answered function is
 * called.
 */
export function reloadWhenServed({ onAway, onBroken }: ReloadOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let wasAway = false;
  const look = async () => {
    const served = await isServed();
    if (stopped) return;
    const isBroken = served && onBroken !== undefined && !wasAway && wasReloaded();
    if (served && !isBroken) {
      sessionStorage.setItem(RELOADED_AT, String(Date.now()));
      location.reload();
      return;
    }
    wasAway ||= !served;
    timer = setTimeout(look, LOOK_MS);
    if (isBroken) onBroken();
    else onAway?.();
  };
  void look();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

const wasReloaded = () => Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < BROKEN_MS;
