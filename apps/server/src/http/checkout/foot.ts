import { html } from 'hono/html';
import { copyButton } from './facts.ts';
import { isolated } from './format.ts';
import type { Addresses, Html } from './shell.ts';
import type { PageState } from './view.ts';

/** Below everything: which order this is, for the customer and for whoever helps them. */
export function orderFoot(state: PageState, at: Addresses): Html {
  const { texts } = at.language;
  const { orderReference, merchantOrderRef } = state;
  return html`<footer>
      <p class="which"><span>${texts.order(isolated(shortReference(orderReference)))}</span>${copyButton(at, { plain: orderReference, label: texts.orderNumber })}</p>
      ${merchantOrderRef === null ? null : html`<p class="reference">${texts.shopReference} <bdi>${merchantOrderRef}</bdi></p>`}
    </footer>`;
}

/** Its last part, which tells orders of a day apart: `ORD-20261123033116-2A6XXE` → `2A6XXE`. */
const shortReference = (reference: string) => reference.slice(reference.lastIndexOf('-') + 1);
