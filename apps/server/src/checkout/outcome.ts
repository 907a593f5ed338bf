import { html, raw } from 'hono/html';
import type { Html } from './html.ts';
import type { PlainView, Screen } from './view.ts';

type Kind = 'done' | 'ended' | 'stopped';

const DRAWN: Readonly<Record<Kind, string>> = {
  done: '<path d="M11 19l5 5 10-10" fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/>',
  ended:
    '<path d="M18 9v11m0 5.5v.5" fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round"/>',
  stopped:
    '<path d="M11 18h14" fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round"/>',
};

const KINDS: Readonly<Partial<Record<Screen | PlainView, Kind>>> = {
  completed: 'done',
  paid: 'done',
  rejected: 'ended',
  expired: 'stopped',
  cancelled: 'stopped',
  failed: 'ended',
  'link-expired': 'stopped',
  'link-invalid': 'ended',
  unreadable: 'ended',
};

/** How it ended, at a glance; the heading says it in words. */
export function outcomeIcon(screen: Screen | PlainView): Html | null {
  const kind = KINDS[screen];
  if (kind === undefined) return null;
  return html`<svg class="icon ${kind}" viewBox="0 0 36 36" width="36" height="36" aria-hidden="true">${raw(DRAWN[kind])}</svg>`;
}
