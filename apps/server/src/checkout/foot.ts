import { type Currency, cleaned, shortReference } from '@munshi/core';
import { html } from 'hono/html';
import type { PageOrder } from '../orders/page.store.ts';
import { copyButton } from './facts.ts';
import { isolated, ZONE_MINUTES } from './format.ts';
import { type Addresses, type Html, scripted } from './html.ts';
import type { PageState } from './view.ts';

/** Of an order, what says whose it is. */
export type Whose = Pick<
  PageOrder,
  'merchantName' | 'brandColour' | 'logo' | 'support' | 'orderReference'
>;

/** Below everything: who helps, and which order this is, where the page does not say it above. */
export function pageFoot(state: PageState, at: Addresses): Html {
  return html`<footer>${zone(state, at)}${helpOf(state, at)}${state.payment === null ? order(state, at) : null}</footer>`;
}

/** Whose time it is, which the script shows on a phone that has another one. */
const zone = (
  { currency }: { readonly currency: Currency },
  { language: { texts } }: Addresses,
): Html =>
  scripted(html`<p data-zone="${ZONE_MINUTES[currency]}" hidden>${texts.timesOf[currency]}</p>`);

function order({ orderReference, merchantOrderRef }: PageState, at: Addresses): Html {
  const { texts } = at.language;
  return html`<p class="which"><span>${texts.order(isolated(shortReference(orderReference)))}</span>${copyButton(at, { plain: orderReference, label: texts.orderNumber })}</p>
      ${merchantOrderRef === null ? null : html`<p class="reference">${texts.shopReference} <bdi translate="no">${merchantOrderRef}</bdi></p>`}`;
}

/** The order's number as people say it, by which the merchant finds it. */
export function shortNumber(
  { orderReference }: Pick<Whose, 'orderReference'>,
  at: Addresses,
): Html {
  const { texts } = at.language;
  const short = shortReference(orderReference);
  return html`<p class="which"><span>${texts.order(isolated(short))}</span>${copyButton(at, { plain: short, label: texts.orderNumber })}</p>`;
}

/** The merchant's own people: the customer knows them, and they know the order. */
export function helpOf(
  { support, merchantName }: Pick<Whose, 'support' | 'merchantName'>,
  { language: { texts } }: Addresses,
): Html | null {
  const { phone, email, url } = support;
  const ways = [
    phone === null ? null : ([`tel:${phone.replace(/[^+\d]/g, '')}`, phone] as const),
    email === null ? null : ([`mailto:${email}`, email] as const),
    url === null ? null : ([url, new URL(url).host] as const),
  ].filter((way) => way !== null);
  if (ways.length === 0) return null;
  return html`<p class="which"><span>${texts.help(isolated(cleaned(merchantName)))}</span>${ways.map(
    ([address, shown]) =>
      html`<a href="${address}" rel="noreferrer"><bdi dir="ltr" translate="no">${shown}</bdi></a>`,
  )}</p>`;
}
