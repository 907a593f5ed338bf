import {
  ACCOUNT_NAME_MAX,
  ACCOUNT_NUMBER_MAX,
  type AccountWarning,
  type Currency,
  hasLetteredIds,
} from '@munshi/core';
import { html } from 'hono/html';
import { fact } from './facts.ts';
import { amountText, isolated, leftToRight } from './format.ts';
import { type Addresses, field, form, type Html, hidden, scripted, shownAccount } from './html.ts';
import { methodList } from './method-list.ts';
import { pay } from './pay-screen.ts';
import { mobileExample, payer, payerFact } from './payer.ts';
import { payoutFacts, progress } from './payment.ts';
import { receipt } from './receipt.ts';
import type { Returned } from './returned.ts';
import { seenOf } from './seen.ts';
import type { MethodKind, Said, Texts } from './texts/en.ts';
import type { PageState, Screen } from './view.ts';

export function saidOf(screen: Screen, state: PageState, { language }: Addresses): Said {
  const { texts } = language;
  const amount = leftToRight(amountText(state.payableAmount, state.currency, language));
  const merchant = isolated(state.merchantName);
  const provider = isolated(state.providerName);
  const own = state.ownMethodName === null ? null : isolated(state.ownMethodName);
  const kind = state.methodKind;
  const account = leftToRight(state.customerAccount ?? '');
  switch (screen) {
    case 'methods':
      return texts.methods(amount);
    case 'waiting':
      if (state.orderType === 'Withdrawal') return texts.queued(merchant);
      return state.status === 'Queued' ? texts.ready : texts.waiting;
    case 'payer':
      return texts.payer;
    case 'pay':
      return { heading: texts.pay(amount), text: '' };
    case 'check':
      return state.orderType === 'Deposit'
        ? texts.checkPayment(amount)
        : texts.checkAccount(amount);
    case 'verifying':
      return state.usualSeconds === null
        ? texts.verifying
        : texts.verifyingIn(texts.minutes(Math.max(1, Math.ceil(state.usualSeconds / 60))));
    case 'review':
      return { heading: texts.review.heading, text: reviewText(state, texts) };
    case 'completed':
      return texts.completed(amount);
    case 'rejected': {
      const { heading, text } = texts.late(merchant).notConfirmed;
      const because = state.reasonCode ?? 'other';
      const seen = seenOf(state);
      const next = seen === null ? text : texts.whenSeen(merchant)[seen];
      return { heading, text: `${texts.rejectedBecause[because]} ${next}` };
    }
    case 'expired':
      return expiredSaid(state, texts);
    case 'cancelled':
      return {
        heading: texts.late(merchant).cancelled.heading,
        text: cancelledText(state, texts),
      };
    case 'account':
      return {
        heading: texts.account,
        text: own === null ? texts.accountFor[kind](provider) : texts.accountForNamed(own),
      };
    case 'on-its-way':
      return texts.onItsWay(amount, account, merchant);
    case 'paid':
      return texts.paidOut(amount, account, merchant);
    case 'failed':
      return texts.failed(merchant);
  }
}

/** Of a payment whose time is over, also while its page is still open. */
export const expiredSaid = ({ merchantName }: PageState, texts: Texts): Said => ({
  heading: texts.expired,
  text: texts.late(isolated(merchantName)).unpaid.text,
});

/** A customer who has paid must not be asked to start again. */
function cancelledText({ merchantName, payment, lateClaims }: PageState, texts: Texts): string {
  const { cancelled, notConfirmed } = texts.late(isolated(merchantName));
  if (payment !== null) return notConfirmed.text;
  return lateClaims === null || lateClaims.length === 0 ? cancelled.text : texts.doNotPayAgain;
}

function reviewText({ orderType, payment }: PageState, texts: Texts): string {
  if (orderType === 'Withdrawal') return texts.reviewPayout;
  return payment === null ? texts.reviewUnpaid : texts.review.text;
}

type Drawn = (state: PageState, at: Addresses, returned: Returned) => Html;

/** The part below a screen's text, if any. */
export const SCREENS: Readonly<Partial<Record<Screen, Drawn>>> = {
  methods: (state, at) => methodList(state, at),
  waiting: (state, at) =>
    state.orderType === 'Withdrawal' ? payoutFacts(state, at) : waiting(state, at),
  payer,
  pay,
  account,
  verifying: (state, at) => progress(state, at),
  review: (state, at) =>
    state.orderType === 'Withdrawal' ? payoutFacts(state, at) : progress(state, at),
  'on-its-way': payoutFacts,
  paid: payoutFacts,
  failed: payoutFacts,
  completed: receipt,
  check: (state, at, returned) =>
    state.orderType === 'Deposit'
      ? checkPayment(state, at, returned)
      : checkAccount(state, at, returned),
};

function waiting({ status }: PageState, at: Addresses): Html {
  const { texts } = at.language;
  if (status === 'Queued') return form(at, 'open', texts.open);
  return html`${scripted(html`<p class="quiet">${texts.keepOpen}</p>`)}${form(at, 'open', texts.checkAgain)}`;
}

const tillLabel = (kind: MethodKind, texts: Texts) => (kind === 'upi' ? texts.upiId : texts.tillId);
/** What a withdrawal's customer gives: a number, or what stands for it. */
const accountLabel = (kind: MethodKind, texts: Texts) =>
  kind === 'upi' || kind === 'till' ? tillLabel(kind, texts) : texts.accountNumber;

function checkPayment(state: PageState, at: Addresses, { entered, taken }: Returned): Html {
  const { texts } = at.language;
  const { account } = state;
  const digits = entered.transactionDigits;
  const kept = html`${digits === undefined ? null : hidden('transactionDigits', digits)}${shownAccount(state)}`;
  return html`<dl>
      ${fact(at, { label: tillLabel(state.methodKind, texts), value: account?.tillId ?? null, direction: 'ltr' })}
      ${fact(at, { label: texts.accountNumber, value: account?.accountNumber ?? null, direction: 'ltr' })}
      ${fact(at, { label: texts.accountTitle, value: account?.accountTitle ?? null })}
      ${fact(at, { label: texts.digitsEntered, value: state.transactionDigits === null ? null : (digits ?? ''), direction: 'ltr' })}
      ${payerFact(state, at)}
    </dl>
    ${taken === undefined ? null : html`<p class="quiet"><bdi dir="ltr" translate="no">${taken.id}</bdi><br>${texts.digitsTaken(taken.digits.length, leftToRight(taken.digits))}${hasLetteredIds(state.currency) ? html` ${texts.zerosHint(taken.digits.length)}` : null}</p>`}
    ${form(at, 'confirm', texts.confirmPayment, { fields: kept })}
    ${form(at, 'check', texts.change, { kind: 'quiet', fields: html`${kept}${hidden('edit', 'yes')}` })}`;
}

/** How an account of this method is written where this currency is paid. */
function accountHint(
  { methodKind, currency }: PageState,
  { accountHints, mobileHint }: Texts,
): string | null {
  if (methodKind === 'upi') return accountHints.upi;
  if (methodKind === 'bank')
    return currency === 'PKR'
      ? accountHints.iban
      : currency === 'INR'
        ? accountHints.ifsc
        : accountHints.bank;
  return methodKind === 'account' ? mobileHint(mobileExample(currency)) : null;
}

/** What is said of a warning; the customer may send the account all the same. */
const WARNED: Readonly<Record<AccountWarning, (currency: Currency, texts: Texts) => string>> = {
  'mobile-number': (currency, { lookAgainAtMobile }) => lookAgainAtMobile(mobileExample(currency)),
  'iban-checksum': (_currency, { lookAgain }) => lookAgain.iban,
  'bank-missing': (_currency, { lookAgain }) => lookAgain.bank,
  'ifsc-missing': (_currency, { lookAgain }) => lookAgain.ifsc,
  'upi-id': (_currency, { lookAgain }) => lookAgain.upi,
};

function account(state: PageState, at: Addresses, returned: Returned): Html {
  const { texts } = at.language;
  const isNumber = state.methodKind === 'account' || state.methodKind === 'till';
  const number = {
    name: 'accountNumber',
    label: accountLabel(state.methodKind, texts),
    hint: accountHint(state, texts),
    mode: isNumber ? 'numeric' : 'text',
    max: ACCOUNT_NUMBER_MAX,
    leftToRight: true,
  } as const;
  const name = {
    name: 'accountName',
    label: texts.holderName,
    hint: texts.holderNameHint,
    mode: 'text',
    max: ACCOUNT_NAME_MAX,
    leftToRight: false,
  } as const;
  return form(at, 'check', texts.checkFirst, {
    fields: html`${field(number, returned)}
    ${field(name, returned)}`,
  });
}

/** What looks wrong is changed first, and may be sent all the same. */
function checkAccount(state: PageState, at: Addresses, { entered, warnings }: Returned): Html {
  const { texts } = at.language;
  const { accountNumber = '', accountName = '' } = entered;
  const kept = html`${hidden('accountNumber', accountNumber)}${hidden('accountName', accountName)}`;
  const warned = warnings ?? [];
  const send = (kind: 'primary' | 'quiet') =>
    form(at, 'account', texts.confirmAccount, { kind, fields: kept });
  const change = (kind: 'primary' | 'quiet', button: string) =>
    form(at, 'check', button, { kind, fields: html`${kept}${hidden('edit', 'yes')}` });
  return html`${
    warned.length === 0
      ? null
      : html`<div class="warning" role="alert"><b>${texts.lookAgain.heading}</b>${warned.map((warning) => html`<p>${WARNED[warning](state.currency, texts)}</p>`)}</div>`
  }<dl class="large">
      <div class="row"><dt>${texts.method}</dt><dd><span class="value">${state.method.name}</span></dd></div>
      ${fact(at, { label: accountLabel(state.methodKind, texts), value: accountNumber, direction: 'ltr' })}
      ${fact(at, { label: texts.holderName, value: accountName })}
    </dl>
    ${warned.length === 0 ? [send('primary'), change('quiet', texts.change)] : [change('primary', texts.changeAccount), send('quiet')]}`;
}
