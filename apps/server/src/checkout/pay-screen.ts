import {
  type Currency,
  codeAmount,
  formatMoney,
  hasLetteredIds,
  lastDigits,
  PAYMENT_TEXT_MAX,
  readQrContent,
} from '@munshi/core';
import { html } from 'hono/html';
import { copyButton, fact } from './facts.ts';
import { amountText, isolated, leftToRight } from './format.ts';
import { type Addresses, choiceOf, field, form, type Html, shownAccount } from './html.ts';
import { SHIELD } from './icons.ts';
import { payerToCorrect } from './payer.ts';
import { qrSvg } from './qr.ts';
import type { Returned } from './returned.ts';
import type { Texts } from './texts/en.ts';
import type { PageState } from './view.ts';
import { appOf, methodMark } from './wallets.ts';

/** Where to send the money, in whose name, and what to do then; the amount is shown above. */
export function pay(state: PageState, at: Addresses, returned: Returned): Html {
  const code = codeToScan(state, at);
  const number =
    code === null
      ? null
      : html`<section class="card pay"><dl>${accountNumber(state, at)}</dl></section>`;
  return html`${receivingAccount(state, at, code)}
    ${receiver(state, at)}
    ${sent(state, at, returned)}
    ${number}
    ${steps(state, at)}
    ${payerToCorrect(state, at, returned)}`;
}

/**
 * How far a customer is who sends money and then enters digits. Without digits the code takes the
 * room (page.md#what-it-shows).
 */
export function stepMark(
  { transactionDigits }: PageState,
  { language: { texts } }: Addresses,
  step: 1 | 2,
): Html | null {
  if (transactionDigits === null) return null;
  return html`<ol class="steps">${texts.payingSteps.map((words, at) => {
    const state =
      at + 1 === step ? html` aria-current="step"` : at + 1 < step ? html` class="done"` : null;
    return html`<li${state}>${at + 1} ${words}</li>`;
  })}</ol>`;
}

/** The one amount of the page, and its copy. */
export function amountToSend({ payableAmount, currency }: PageState, at: Addresses): Html {
  const { texts } = at.language;
  return html`<h1><span class="label">${texts.sendExactly}</span> <bdi class="amount" dir="ltr" translate="no">${amountText(payableAmount, currency, at.language)}</bdi></h1>${copyButton(at, { plain: formatMoney(payableAmount), label: texts.amount })}`;
}

/**
 * A customer who scans a code needs the account's name with it; the number comes after all that.
 */
function receivingAccount(state: PageState, at: Addresses, code: Html | null): Html {
  const { account } = state;
  if (account === null) return html``;
  const { texts } = at.language;
  const upi = code === null ? upiButton(state, at) : null;
  return html`<section class="card pay">${code}${upi}<dl>
      ${code === null ? accountNumber(state, at) : null}
      ${code === null ? fact(at, { label: texts.code, value: account.qrPayload, direction: 'ltr', copied: account.qrPayload }) : null}
      ${fact(at, { label: texts.nameShown, value: account.accountTitle })}
    </dl></section>`;
}

/** The code with the app that reads it, and what phones do that cannot scan their own screen. */
function codeToScan(state: PageState, at: Addresses): Html | null {
  const { account, orderReference, ownMethodName, providerName } = state;
  const { texts } = at.language;
  const svg = account?.qrPayload ? qrSvg(account.qrPayload, texts.qrLabel) : undefined;
  if (svg === undefined) return null;
  return html`<div class="qr">${svg}<div>${markOf(state)}<b><bdi>${ownMethodName ?? providerName}</bdi></b>
      <a class="button quiet" href="${at.page}/qr.png?${at.query}" download="${orderReference}.png">${texts.saveImage}</a>${upiButton(state, at)}</div></div>${amountToEnter(state, at)}`;
}

/** For a payment code without the amount: its bank signed it, or takes none. */
function amountToEnter(
  { account, payableAmount, currency }: PageState,
  at: Addresses,
): Html | null {
  const { form, amount } = readQrContent(account?.qrPayload ?? '');
  if (form === 'other' || amount === codeAmount(payableAmount)) return null;
  const exactly = leftToRight(amountText(payableAmount, currency, at.language));
  return html`<p>${at.language.texts.enterAmount(exactly)}</p>`;
}

const upiButton = ({ account }: PageState, { language: { texts } }: Addresses): Html | null =>
  account?.upiLink
    ? html`<a class="button quiet upi" href="${account.upiLink}">${texts.openUpi}</a>`
    : null;

function accountNumber(state: PageState, at: Addresses): Html | null {
  const { account, methodKind, ownMethodName, providerName } = state;
  const value = account?.tillId ?? account?.accountNumber ?? null;
  const label = ownMethodName ?? at.language.texts.payTo[methodKind](isolated(providerName));
  return fact(at, { label, value, direction: 'ltr', copied: value, mark: markOf(state) });
}

const markOf = ({ methodKind, ownMethodName, providerName, besideName }: PageState): Html =>
  methodMark({ kind: methodKind, ownName: ownMethodName, providerName, besideName });

/** Who gets the money, and a warning never to share PIN or OTP. */
function receiver({ account, merchantName }: PageState, { language: { texts } }: Addresses): Html {
  const title = isolated(account?.accountTitle ?? '');
  return html`<p class="safe">${SHIELD}<span>${texts.receiver(title, isolated(merchantName))} <b>${texts.otherName}</b> ${texts.neverPin}</span></p>`;
}

/** What to do in which app: opened at what its menu is known to say. */
function steps(state: PageState, { language }: Addresses): Html {
  const { payableAmount, currency, providerName, ownMethodName, methodKind } = state;
  const { transactionDigits } = state;
  const { texts } = language;
  const app = appOf({ ownName: ownMethodName, providerName });
  const exactly = leftToRight(amountText(payableAmount, currency, language));
  const kind = methodKind === 'till' || methodKind === 'upi' ? methodKind : 'account';
  const opened = kind === 'account' && app.sendMoney ? 'sendMoney' : kind;
  const listed =
    transactionDigits === null
      ? [texts.stepsOpen.qr(isolated(app.name)), ...texts.stepsQr(exactly)]
      : [
          texts.stepsOpen[opened](isolated(app.name)),
          ...texts.stepsPay[kind](exactly, transactionDigits),
        ];
  return html`<details class="way"><summary>${texts.stepsHeading}</summary><ol>${listed.map((step) => html`<li>${step}</li>`)}</ol></details>`;
}

/** Digits are asked for once the money is sent: before, there are none. */
function sent(state: PageState, at: Addresses, returned: Returned): Html {
  const { texts } = at.language;
  const { transactionDigits: count, currency } = state;
  if (count === null)
    return html`<div class="sent">${form(at, 'check', texts.paid, { fields: shownAccount(state) })}</div>`;
  const fields = field(
    {
      name: 'transactionDigits',
      label: texts.digits(count),
      hint: digitsHint(currency, count, texts),
      mode: 'numeric',
      max: PAYMENT_TEXT_MAX,
      lastDigits: count,
      leftToRight: true,
    },
    returned,
  );
  return html`<details class="sent" ${returned.entered.transactionDigits === undefined ? null : html`open`}><summary class="button">${texts.sentIt}</summary>
    ${choiceOf(at, 'check', returned, shownAccount(state))}
    ${form(at, 'check', texts.checkFirst, { fields: html`${fields}${shownAccount(state)}` })}
    </details>`;
}

/** bKash and Nagad write letters between the digits. */
const LETTERED_ID = '5C8300HJ6V';

/** What the receipt calls the ID, and how one with letters is read where those are usual. */
function digitsHint(currency: Currency, count: number, texts: Texts): string {
  const hint = texts.digitsHint[currency];
  if (!hasLetteredIds(currency)) return `${hint} ${texts.pasteHint}`;
  const digits = leftToRight(lastDigits(LETTERED_ID, count) ?? '');
  return `${hint} ${texts.lettersHint(leftToRight(LETTERED_ID), digits)} ${texts.zerosHint(count)} ${texts.pasteHint}`;
}
