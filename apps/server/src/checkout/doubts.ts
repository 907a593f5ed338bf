import { html } from 'hono/html';
import type { Addresses, Html } from './html.ts';
import type { PageState, Screen } from './view.ts';

/**
 * For a customer whose payment went another way than the page has in mind: what to do, so that they
 * neither pay twice nor go away (page.md#what-it-shows).
 */
export function doubts(state: PageState, at: Addresses, screen: Screen): Html | null {
  if (state.orderType !== 'Deposit') return null;
  const { heading, otherAmount, noId, pending } = at.language.texts.doubts;
  const answers = {
    pay: [otherAmount, ...(state.transactionDigits === null ? [] : [noId]), pending],
    check: [otherAmount, pending],
  };
  const listed = answers[screen as keyof typeof answers];
  if (listed === undefined) return null;
  return html`<details class="way doubts"><summary>${heading}</summary>${listed.map(({ asked, said }) => html`<p><b>${asked}</b><br>${said}</p>`)}</details>`;
}
