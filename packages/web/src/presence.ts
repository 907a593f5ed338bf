/**
 * Whether somebody is there. A page that reads by itself does not use the session: it ends when
 * nobody has touched the page for as long as its kind allows.
 */

/** Of the browser; this package is checked without its types, because Node runs most of it. */
declare function addEventListener(
  kind: string,
  listener: () => void,
  options: { readonly passive: boolean; readonly capture: boolean },
): void;

const AWAY_MS = 60_000;

/** The headers of a request that nobody has asked for. */
export const UNATTENDED: Readonly<Record<string, string>> = { 'X-Unattended': '1' };

/** The headers of a page's requests, asked before each. */
export function watchPresence(): () => Readonly<Record<string, string>> {
  let touchedAt = Date.now();
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    addEventListener(
      kind,
      () => {
        touchedAt = Date.now();
      },
      { passive: true, capture: true },
    );
  return () => (Date.now() - touchedAt > AWAY_MS ? UNATTENDED : {});
}
