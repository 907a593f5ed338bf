import { formatMoney } from '@munshi/core';
import { html } from 'hono/html';
import { copyButton, fact } from './facts.ts';
import { amountText, isolated, leftToRight } from './format.ts';
import { methodIcon, SHIELD } from './icons.ts';
import { qrSvg } from './qr.ts';
import type { Returned } from './screens.ts';
import { type Addresses, field, form, type Html } from './shell.ts';
import type { MethodKind, Texts } from './texts/texts.ts';
import type { PageState } from './view.ts';

/** Where to send the money, in whose name, and what to do then; the amount stands above. */
export function pay(state: PageState, at: Addresses, returned: Returned): Html {
  return html`${receivingAccount(state, at)}
    ${receiver(state, at)}
    ${sent(state, at, returned)}
    ${steps(state, at)}`;
}

/** The one amount of the page, and its copy. */
export function amountToSend({ amount, currency }: PageState, at: Addresses): Html {
  const { texts } = at.language;
  return html`<h1><span class="label">${texts.sendExactly}</span> <bdi class="amount" dir="ltr">${amountText(amount, currency, at.language)}</bdi></h1>${copyButton(at, { plain: formatMoney(amount), label: texts.amount })}`;
}

function receivingAccount(state: PageState, at: Addresses): Html {
  const { account, orderReference, methodKind, providerName, ownMethodName } = state;
  if (account === null) return html``;
  const { texts } = at.language;
  const svg = account.qrPayload === null ? undefined : qrSvg(account.qrPayload, texts.qrLabel);
  const number = account.tillId ?? account.accountNumber;
  const label = ownMethodName ?? texts.payTo[methodKind](isolated(providerName));
  return html`<section class="card pay">${
    svg === undefined
      ? null
      : html`<div class="qr">${svg}
      <a class="button quiet" href="${at.page}/qr.png?${at.query}" download="${orderReference}.png">${texts.saveImage}</a></div>`
  }${
    account.upiLink === null
      ? null
      : html`<p class="upi"><a class="button quiet" href="${account.upiLink}">${texts.openUpi}</a></p>`
  }<dl>
      ${fact(at, { label, value: number, direction: 'ltr', copied: number, mark: methodIcon(methodKind) })}
      ${svg === undefined ? fact(at, { label: texts.code, value: account.qrPayload, direction: 'ltr', copied: account.qrPayload }) : null}
      ${fact(at, { label: texts.nameShown, value: account.accountTitle })}
    </dl></section>`;
}

/** Who gets the money, and what nobody may ask for. */
function receiver({ account, merchantName }: PageState, { language: { texts } }: Addresses): Html {
  const title = isolated(account?.accountTitle ?? '');
  return html`<p class="safe">${SHIELD}<span>${texts.receiver(title, isolated(merchantName))} <b>${texts.otherName}</b> ${texts.neverPin}</span></p>`;
}

const STEPS: Readonly<Record<MethodKind, (texts: Texts) => Texts['stepsAccount']>> = {
  account: (texts) => texts.stepsAccount,
  bank: (texts) => texts.stepsAccount,
  qr: (texts) => texts.stepsAccount,
  till: (texts) => texts.stepsTill,
  upi: (texts) => texts.stepsUpi,
};

function steps(
  { amount, currency, providerName, transactionDigits, methodKind }: PageState,
  { language }: Addresses,
): Html {
  const { texts } = language;
  const provider = isolated(providerName);
  const exactly = leftToRight(amountText(amount, currency, language));
  const listed =
    transactionDigits === null
      ? texts.stepsQr(provider, exactly)
      : STEPS[methodKind](texts)(provider, exactly, transactionDigits);
  return html`<details class="way"><summary>${texts.stepsHeading}</summary><ol>${listed.map((step) => html`<li>${step}</li>`)}</ol></details>`;
}

/** Digits are asked for once the money is sent: before, there are none. */
function sent(state: PageState, at: Addresses, { entered, wrong }: Returned): Html {
  const { texts } = at.language;
  const { transactionDigits: count } = state;
  if (count === null) return html`<div class="sent">${form(at, 'check', texts.paid)}</div>`;
  const value = entered['transactionDigits'];
  const fields = field({
    name: 'transactionDigits',
    label: texts.digits(count),
    hint: texts.digitsHint,
    mode: 'numeric',
    max: 64,
    lastDigits: { count, said: texts.digitsTaken(count, leftToRight('#')) },
    value: value ?? '',
    wrong: wrong.transactionDigits,
    leftToRight: true,
  });
  return html`<details class="sent" ${value === undefined ? null : html`open`}><summary class="button">${texts.sentIt}</summary>
    ${form(at, 'check', texts.checkFirst, { fields })}
    </details>`;
}
