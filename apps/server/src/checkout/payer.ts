import { type Currency, METHODS, MOBILE_EXAMPLES } from '@munshi/core';
import { html } from 'hono/html';
import { fact } from './facts.ts';
import { isolated, leftToRight } from './format.ts';
import { type Addresses, type Field, field, form, type Html, shownAccount } from './html.ts';
import type { Returned } from './returned.ts';
import type { Texts } from './texts/en.ts';
import type { PageState } from './view.ts';

/**
 * Which account a QR payment comes from: asked for before the code is shown, read back, and
 * corrected until the customer confirms.
 */

export function payer(state: PageState, at: Addresses, returned: Returned): Html {
  const { texts } = at.language;
  return form(at, 'payer', texts.showCode, {
    fields: html`${field(payerField(state, texts), returned)}${shownAccount(state)}`,
  });
}

/** What was given; nothing by another method. */
export const payerFact = (state: PageState, at: Addresses): Html | null =>
  fact(at, {
    label: payerField(state, at.language.texts).label,
    value: state.payerAccount,
    direction: 'ltr',
  });

/** Folded below the code: most people have given the right one. */
export function payerToCorrect(
  state: PageState,
  at: Addresses,
  { entered, wrong }: Returned,
): Html | null {
  const { texts } = at.language;
  const { payerAccount } = state;
  if (payerAccount === null) return null;
  const asked = { ...payerField(state, texts), hint: null };
  const shown = { wrong, entered: { [asked.name]: payerAccount, ...entered } };
  return html`<details class="way" ${wrong[asked.name] === undefined ? null : html`open`}><summary>${asked.label}: <bdi dir="ltr" translate="no">${payerAccount}</bdi></summary>
      ${form(at, 'payer', texts.changeAccount, { kind: 'quiet', fields: html`${field(asked, shown)}${shownAccount(state)}` })}
    </details>`;
}

function payerField({ method, providerName, currency }: PageState, texts: Texts): Field {
  const provider = isolated(providerName);
  const number = { mode: 'numeric', leftToRight: true } as const;
  return METHODS[method.walletType].submission === 'payerAccount'
    ? {
        ...number,
        name: 'accountNumber',
        label: texts.payerNumber(provider),
        hint: texts.payerNumberHint(mobileExample(currency)),
        max: 40,
      }
    : { ...number, name: 'ibanLast4', ...lastFour(currency, provider, texts), max: 8 };
}

export const mobileExample = (currency: Currency) => leftToRight(MOBILE_EXAMPLES[currency]);

/** Pakistan's accounts have an IBAN; those of India and Bangladesh have a number alone. */
const lastFour = (currency: Currency, provider: string, texts: Texts) =>
  currency === 'PKR'
    ? { label: texts.payerIban(provider), hint: texts.payerIbanHint }
    : { label: texts.payerLast4(provider), hint: texts.payerLast4Hint };
