import { brandShades } from '@munshi/core';
import { html } from 'hono/html';
import type { Html } from './html.ts';

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
