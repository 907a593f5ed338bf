import { formatMoney, type Money } from '@munshi/core';
import { html } from 'hono/html';
import { qrSvg } from './qr.ts';
import type { NamedMethod, PageState, View } from './view.ts';

/** Escaped HTML: every value put into one of these templates is text. */
export type Html = ReturnType<typeof html>;

/** Where the page's own addresses are, seen from the address that answers. */
export interface Addresses {
  /** The page itself and what it posts to start with this, relative to the request. */
  readonly page: string;
  readonly assets: string;
  readonly query: string;
  readonly version: string;
}

/** What a refused form gets back: the message and what was entered. */
export interface Refused {
  readonly message: string;
  readonly entered: Readonly<Record<string, string>>;
}

/** Seconds in which a finished page is read before the customer is sent back to the merchant. */
const RETURN_AFTER = 4;
/** A page that waits looks again this often (spec: Limits). */
const RECHECK_MS = 10_000;

/** An order's page. It works without JavaScript; the script opens, re-checks and counts down. */
export function orderPage(state: PageState, at: Addresses, now: number, refused?: Refused): Html {
  const { heading, text } = textOf(state);
  const screen = SCREENS[state.view];
  const remaining = state.payBefore === null ? null : state.payBefore - now;
  return layout({
    title: heading,
    at,
    head: state.redirectUrl === null || refused !== undefined ? null : html`<meta http-equiv="refresh" content="${RETURN_AFTER};url=${state.redirectUrl}">`,
    main: html`<main data-page="${at.page}" data-query="${at.query}" data-state="${stateKey(state)}" data-every="${RECHECK_MS}"
        data-ask="${asks(state)}" data-remaining="${remaining}" data-expired-url="${state.expiredRedirectUrl}">
      <header>
        <p class="merchant">${state.merchantName}</p>
        <p class="amount">${grouped(state.amount)} <span class="currency">${state.currency}</span></p>
        <p class="reference">Order ${state.orderReference}</p>
      </header>
      <section class="card ${state.view}">
        <h1>${heading}</h1>
        ${refused === undefined ? null : html`<p class="error" role="alert" id="error">${refused.message}</p>`}
        <p>${text}</p>
        ${screen === undefined ? null : screen(state, at, refused)}
        ${state.payBefore === null ? null : html`<p class="deadline">Time left: <time datetime="${iso(state.payBefore)}" data-countdown>until ${clock(state.payBefore)} UTC</time></p>`}
        ${state.redirectUrl === null ? null : html`<p><a class="button" href="${state.redirectUrl}" rel="noreferrer">Return to ${state.merchantName}</a></p>`}
      </section>
      ${switching(state, at)}
      ${cancelling(state, at)}
      <p class="quiet" data-connection role="status"></p>
    </main>`,
  });
}

/** A page that tells nothing of any order: a changed or an expired link, or trouble. */
export function plainPage(at: Pick<Addresses, 'assets' | 'version'>, heading: string, text: string): Html {
  return layout({ title: heading, at, head: null, main: html`<main><section class="card"><h1>${heading}</h1><p>${text}</p></section></main>` });
}

function layout({ title, at, head, main }: { title: string; at: Pick<Addresses, 'assets' | 'version'>; head: Html | null; main: Html }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at.assets}checkout.css?v=${at.version}">
<script src="${at.assets}checkout.js?v=${at.version}" defer></script>
${head}
</head>
<body>
${main}
</body>
</html>`;
}

/** Changes whenever the page has something else to show. The script makes it from the JSON and compares. */
const stateKey = ({ status, view, method }: PageState) => `${status} ${view} ${method.walletType}`;

/** What the script does while the page is open: POST /open for a deposit that waits, GET /state for the rest (D56). */
function asks({ view, orderType, redirectUrl }: PageState): 'open' | 'state' | null {
  if (view === 'waiting' && orderType === 'Deposit') return 'open';
  return redirectUrl !== null || FINAL_VIEWS.has(view) ? null : 'state';
}

const FINAL_VIEWS: ReadonlySet<View> = new Set<View>(['completed', 'rejected', 'expired', 'cancelled', 'paid', 'failed']);

function textOf(state: PageState): { readonly heading: string; readonly text: string } {
  const amount = `${grouped(state.amount)} ${state.currency}`;
  const back = state.redirectUrl === null ? '' : ` You are being taken back to ${state.merchantName}.`;
  switch (state.view) {
    case 'methods':
      return { heading: 'Choose how to pay', text: `Pick a payment method for ${amount}.` };
    case 'waiting':
      if (state.orderType === 'Withdrawal') {
        return { heading: 'We have your account', text: 'Your withdrawal is waiting for somebody to send it. You may close this page; your money is safe.' };
      }
      return state.status === 'Queued'
        ? { heading: 'Your payment is ready', text: 'Continue to see where to pay.' }
        : {
            heading: 'One moment, please',
            text: 'We are looking for an account that can receive your payment. Keep this page open: it checks again every 10 seconds.',
          };
    case 'payer':
      return { heading: 'Which account do you pay from?', text: 'We need it to recognise your payment. The QR code is shown next.' };
    case 'pay':
      return { heading: `Send exactly ${amount}`, text: `Pay by ${state.method.name}, in one payment, to the account below. Then confirm here.` };
    case 'verifying':
      return { heading: 'We are checking your payment', text: 'Thank you. This usually takes a few minutes. You may close this page and come back to it.' };
    case 'review':
      return { heading: 'Our team is looking into it', text: 'This takes a little longer than usual. Nothing is lost; you need not do anything.' };
    case 'completed':
      return { heading: 'Payment received', text: `Your payment of ${amount} has arrived.${back}` };
    case 'rejected':
      return {
        heading: 'Payment not found',
        text: `We could not find a payment that matches this order.${back} If you have paid, contact ${state.merchantName} with the order number above.`,
      };
    case 'expired':
      return { heading: 'This payment has expired', text: `It was not paid in time. Do not send money for it any more.${back}` };
    case 'cancelled':
      return { heading: 'This payment was cancelled', text: `Do not send money for it any more.${back}` };
    case 'account':
      return { heading: 'Where should we send your money?', text: `Enter your ${state.method.name}. Check it well: it cannot be changed afterwards.` };
    case 'on-its-way':
      return { heading: 'Your money is on its way', text: `${amount} is being sent to your account ${state.customerAccount ?? ''}. You may close this page.` };
    case 'paid':
      return { heading: 'Your money was sent', text: `${amount} was sent to your account ${state.customerAccount ?? ''}.${back}` };
    case 'failed':
      return { heading: 'This withdrawal was not paid out', text: `No money was sent.${back} Contact ${state.merchantName} if you have questions.` };
  }
}

type Screen = (state: PageState, at: Addresses, refused?: Refused) => Html;

/** What stands on the page besides its text, by view. */
const SCREENS: Readonly<Partial<Record<View, Screen>>> = {
  waiting: (state, at) => (state.orderType === 'Withdrawal' ? html`` : form(at, 'open', state.status === 'Queued' ? 'Continue' : 'Check again')),
  methods: (state, at) => methodList(state.methods, at),
  payer: (state, at, refused) =>
    state.payer === 'accountNumber'
      ? form(
          at,
          'payer',
          'Show the QR code',
          field({ name: 'accountNumber', label: 'Your account number', hint: 'Digits only, for example 03001234567.', mode: 'numeric', max: 40 }, refused),
        )
      : form(at, 'payer', 'Show the QR code', field({ name: 'ibanLast4', label: 'Last 4 digits of your IBAN', mode: 'numeric', max: 8 }, refused)),
  pay: (state, at, refused) => html`${receivingAccount(state)}
    ${
      state.transactionDigits === null
        ? form(at, 'confirm', 'I have paid')
        : form(
            at,
            'confirm',
            'I have paid',
            field(
              {
                name: 'transactionDigits',
                label: `Last ${state.transactionDigits} digits of the transaction ID`,
                hint: 'You find the transaction ID in the receipt of your payment.',
                mode: 'numeric',
                max: 20,
              },
              refused,
            ),
          )
    }`,
  account: (_state, at, refused) =>
    form(
      at,
      'account',
      'Send my money',
      html`${field({ name: 'accountNumber', label: 'Account number', mode: 'text', max: 50 }, refused)}
      ${field({ name: 'accountName', label: 'Account holder’s name', mode: 'text', max: 200 }, refused)}`,
    ),
};

function receivingAccount({ account, amount, currency }: PageState): Html {
  if (account === null) return html``;
  const row = (label: string, value: string | null, copy: boolean) =>
    value === null
      ? null
      : html`<div><dt>${label}</dt><dd><span class="value">${value}</span>${copy ? html` <button type="button" class="copy" data-copy="${value}" hidden>Copy</button>` : null}</dd></div>`;
  const code = account.qrPayload === null ? undefined : qrSvg(account.qrPayload);
  return html`${code === undefined ? null : html`<div class="qr">${code}</div><p class="quiet">Scan it, or save a picture of it, in your wallet app.</p>`}
    <dl>
      ${row('Method', account.name, false)}
      ${row('Till ID', account.tillId, true)}
      ${row('Account number', account.accountNumber, true)}
      ${row('Code', code === undefined ? account.qrPayload : null, true)}
      ${row('Account title', account.accountTitle, false)}
      ${row('Amount', `${formatMoney(amount)} ${currency}`, false)}
    </dl>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly mode: 'numeric' | 'text';
  readonly max: number;
}

/** An input with its label, hint and, after a refusal, what was entered. */
function field({ name, label, hint, mode, max }: Field, refused?: Refused): Html {
  const described = [hint === undefined ? '' : `${name}-hint`, refused === undefined ? '' : 'error'].filter(Boolean).join(' ');
  return html`<label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="text" inputmode="${mode}" maxlength="${max}" value="${refused?.entered[name] ?? ''}" autocomplete="off" required
      ${refused === undefined ? null : html`aria-invalid="true"`} ${described === '' ? null : html`aria-describedby="${described}"`}>
    ${hint === undefined ? null : html`<p class="quiet" id="${name}-hint">${hint}</p>`}`;
}

function form(at: Addresses, action: string, button: string, fields?: Html): Html {
  return html`<form method="post" action="${at.page}/${action}?${at.query}">
    ${fields ?? null}
    <button type="submit">${button}</button>
  </form>`;
}

const methodList = (methods: readonly NamedMethod[], at: Addresses): Html =>
  methods.length === 0
    ? html`<p>No payment method is available for this order. Please go back to the merchant.</p>`
    : html`<form method="post" action="${at.page}/method?${at.query}" class="methods">
      ${methods.map(({ walletType, name }) => html`<button type="submit" name="walletType" value="${walletType}">${name}</button>`)}
    </form>`;

function switching(state: PageState, at: Addresses): Html | null {
  if (state.view === 'methods' || state.methods.length === 0) return null;
  return html`<details><summary>Pay another way</summary>
    ${state.view === 'pay' ? html`<p class="quiet">Only if you have not sent the money yet.</p>` : null}
    ${methodList(state.methods, at)}
  </details>`;
}

function cancelling(state: PageState, at: Addresses): Html | null {
  if (!state.canCancel) return null;
  const what = state.orderType === 'Deposit' ? 'payment' : 'withdrawal';
  return html`<details><summary>Cancel this ${what}</summary>
    <p class="quiet">${state.orderType === 'Deposit' ? 'Do not cancel if you have sent the money already.' : 'The money stays with the merchant.'}</p>
    ${form(at, 'cancel', `Yes, cancel the ${what}`)}
  </details>`;
}

/** 1500.5 → `1,500.50`: people read two decimals; further ones stay. */
function grouped(amount: Money): string {
  const [whole = '', decimals = ''] = formatMoney(amount).split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === '' ? groups : `${groups}.${decimals.padEnd(2, '0')}`;
}

const iso = (at: number) => new Date(at).toISOString();
const clock = (at: number) => iso(at).slice(11, 16);
