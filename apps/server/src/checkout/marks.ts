import { brandShades } from '@munshi/core';
import { html, raw } from 'hono/html';
import type { PlainView } from './plain.ts';
import type { Screen } from './screens.ts';
import type { Html } from './shell.ts';

const NEUTRAL = '#4a5568';

/**
 * The merchant's initial on their colour. Attributes of SVG are no inline style, which the page's
 * policy forbids.
 */
export function merchantMark(name: string, brandColour: string | null): Html {
  const colour = brandColour ?? NEUTRAL;
  return html`<svg class="mark" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true"><rect width="40" height="40" rx="10" fill="${colour}"/><text x="20" y="27" text-anchor="middle" font-size="20" font-weight="700" fill="${brandShades(colour, []).onFill}">${initialOf(name)}</text></svg>`;
}

/** A name's first letter with the marks that belong to it, as a capital; '' of no name. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return (first?.segment ?? '').toLocaleUpperCase();
}

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
  claimed: 'done',
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
