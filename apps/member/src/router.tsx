import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { BASE } from './service.ts';

/** Addresses of the app's screens. A screen is a path below `/member`; there is nothing else. */

const read = () => location.pathname.slice(BASE.length).replace(/\/$/, '') || '/';

/** The path below the app's own: `/`, `/orders/…`. */
export const path = signal(read());
addEventListener('popstate', () => {
  path.value = read();
});

/** Shows another screen; `replace`: the one that is left is not come back to. */
export function go(to: string, { replace = false } = {}): void {
  const address = `${BASE}${to}`;
  if (replace) history.replaceState(history.state, '', address);
  else history.pushState({ within: true }, '', address);
  path.value = read();
  scrollTo(0, 0);
}

/** Where the person came from, if that was in the app; else to this screen. */
export function goBack(to: string): void {
  if (history.state?.within) history.back();
  else go(to, { replace: true });
}

interface LinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly current?: boolean;
}

/** A link to a screen of the app. It opens in a new tab like any other. */
export const Link = ({ to, children, current = false, ...rest }: LinkProps) => (
  <a
    href={`${BASE}${to}`}
    {...(current && { 'aria-current': 'page' as const })}
    {...rest}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(to);
    }}
  >
    {children}
  </a>
);
