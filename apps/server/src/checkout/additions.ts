import { hasLetteredIds, PAYMENT_TEXT_MAX } from '@munshi/core';
import { html } from 'hono/html';
import { type Addresses, field, form, type Html, scripted } from './html.ts';
import type { Returned } from './returned.ts';
import type { PageState } from './view.ts';

/**
 * What a customer may still say of a payment that is looked for: a small form for each
 * (page.md#something-to-add). Without the script the page loads itself again, which would take away
 * what is written: the fold is then an address that does not.
 */
export function additions(state: PageState, at: Addresses, returned: Returned): Html | null {
  const { texts } = at.language;
  const mayAdd = state.payment?.mayAdd ?? [];
  if (mayAdd.length === 0) return null;
  const isOpen = returned.adding || isAnswered(returned);
  const forms = html`${mayAdd.map((what) => FORMS[what](state, at, returned))}`;
  const folded = html`<details class="way" ${isOpen ? html`open` : null}><summary>${texts.add.heading}</summary>${forms}</details>`;
  if (isOpen) return folded;
  return html`${scripted(folded)}<noscript><p><a class="button quiet" href="${at.page}?${at.query}&amp;add=yes">${texts.add.heading}</a></p></noscript>`;
}

/** Whether a form of these has come back. */
export const isAnswered = ({ entered, wrong }: Returned): boolean =>
  [entered.correctedDigits, entered.amountSent, entered.paidBy, wrong.picture].some(
    (one) => one !== undefined,
  );

type Addition = NonNullable<PageState['payment']>['mayAdd'][number];
type Drawn = (state: PageState, at: Addresses, returned: Returned) => Html;

const FORMS: Readonly<Record<Addition, Drawn>> = {
  correctedDigits({ currency, digitsCount }, at, returned) {
    const { add, digits, zerosHint } = at.language.texts;
    const asked = {
      name: 'correctedDigits',
      label: `${add.digits} ${digits(digitsCount)}`,
      hint: hasLetteredIds(currency) ? `${add.once} ${zerosHint(digitsCount)}` : add.once,
      mode: 'numeric',
      max: PAYMENT_TEXT_MAX,
      lastDigits: digitsCount,
      leftToRight: true,
    } as const;
    return send(at, field(asked, returned));
  },
  amountSent(_state, at, returned) {
    const { add } = at.language.texts;
    const { amount: label, amountHint: hint } = add;
    const asked = {
      name: 'amountSent',
      label,
      hint,
      mode: 'decimal',
      max: 30,
      leftToRight: true,
    } as const;
    return send(at, field(asked, returned));
  },
  paidBy(_state, at, returned) {
    const { add } = at.language.texts;
    const { paidBy: label, paidByHint: hint } = add;
    const asked = {
      name: 'paidBy',
      label,
      hint,
      mode: 'text',
      max: 100,
      leftToRight: false,
    } as const;
    return send(at, field(asked, returned));
  },
  picture(_state, at, { wrong }) {
    const { add } = at.language.texts;
    return html`<form method="post" enctype="multipart/form-data" action="${at.page}/picture?${at.query}">
    <div class="field"><label for="picture">${add.picture}</label>
    <p class="quiet" id="picture-hint">${add.pictureHint}</p>
    ${wrong.picture === undefined ? null : html`<p class="error" id="picture-error">${wrong.picture}</p>`}
    <input id="picture" name="picture" type="file" accept="image/png,image/jpeg,image/webp" required aria-describedby="picture-hint${wrong.picture === undefined ? '' : ' picture-error'}" ${wrong.picture === undefined ? null : html`aria-invalid="true"`}></div>
    <button type="submit" class="quiet">${add.send}</button>
  </form>`;
  },
};

const send = (at: Addresses, fields: Html): Html =>
  form(at, 'add', at.language.texts.add.send, { kind: 'quiet', fields });
