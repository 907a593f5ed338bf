import { piecesOf } from '@munshi/core';
import { html } from 'hono/html';
import { type Addresses, type Html, scripted } from './html.ts';

interface Copied {
  /** What the button puts on the clipboard. */
  readonly plain: string;
  /** What the button copies, for screen readers. */
  readonly label: string;
}

export const copyButton = ({ language: { texts } }: Addresses, { plain, label }: Copied): Html =>
  scripted(
    html`<button type="button" class="copy" data-copy="${plain}" data-copied="${texts.copied}" aria-label="${texts.copy}: ${label}">${texts.copy}</button>`,
  );

interface Fact {
  readonly label: string;
  readonly value: string | null;
  /** `ltr` for numbers; names are written in any script; `page` for words of ours. */
  readonly direction?: 'ltr' | 'auto' | 'page';
  readonly copied?: string | null;
  readonly mark?: Html | null;
}

/** A row of a list of facts; nothing where there is no value. */
export function fact(at: Addresses, asked: Fact): Html | null {
  const { label, value, direction = 'auto', copied = null, mark = null } = asked;
  if (value === null) return null;
  const shown =
    direction === 'page'
      ? html`<span class="value">${value}</span>`
      : html`<bdi class="value" dir="${direction}" translate="no">${direction === 'ltr' ? inPieces(value) : value}</bdi>`;
  return html`<div class="${mark === null ? 'row' : 'row marked'}">${mark}<dt>${label}</dt><dd>${shown}${copied === null ? null : copyButton(at, { plain: copied, label })}</dd></div>`;
}

/** Set apart by the style alone, so that a selection is the value itself. */
const inPieces = (value: string): Html =>
  html`${piecesOf(value).map(
    ({ text, after }) =>
      html`<span class="${after === 'gap' ? 'piece gap' : 'piece'}">${text}</span>${after === 'space' ? ' ' : null}`,
  )}`;
