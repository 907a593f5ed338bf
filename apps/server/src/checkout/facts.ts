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
  /** Of the order, where the value may be a mobile number. */
  readonly currency?: string;
}

/** A row of a list of facts; nothing where there is no value. */
export function fact(at: Addresses, asked: Fact): Html | null {
  const { label, value, direction = 'auto', copied = null, mark = null, currency } = asked;
  if (value === null) return null;
  const shown =
    direction === 'page'
      ? html`<span class="value">${value}</span>`
      : html`<bdi class="value" dir="${direction}">${direction === 'ltr' ? grouped(value, currency) : value}</bdi>`;
  return html`<div class="${mark === null ? 'row' : 'row marked'}">${mark}<dt>${label}</dt><dd>${shown}${copied === null ? null : copyButton(at, { plain: copied, label })}</dd></div>`;
}

/**
 * A long number in groups, as people read it aloud: set apart by the style alone, so that a
 * selection is the number itself. Indian mobile numbers have ten digits and go by fives.
 */
function grouped(value: string, currency: string | undefined): Html | string {
  if (!/^(\d{7,}|[A-Z]{2}\d{2}[0-9A-Z]{8,})$/.test(value)) return value;
  const parts =
    currency === 'INR' && value.length === 10
      ? [5, 5]
      : value.length === 11
        ? [4, 3, 4]
        : Array(Math.ceil(value.length / 4)).fill(4);
  let from = 0;
  return html`${parts.map((count) => {
    from += count;
    return html`<span class="group">${value.slice(from - count, from)}</span>`;
  })}`;
}
