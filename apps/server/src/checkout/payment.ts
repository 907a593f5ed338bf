import type { Money } from '@munshi/core';
import { html } from 'hono/html';
import { fact } from './facts.ts';
import { amountText, dateTimeText, isolated, leftToRight, timeText } from './format.ts';
import type { Addresses, Html } from './html.ts';
import { TICK } from './icons.ts';
import type { PageState } from './view.ts';

/**
 * A payment that its customer has confirmed: how far it is, and what they have in hand of it
 * (page.md#the-link).
 */

/** The steps of a payment until the merchant is notified. */
export function progress(state: PageState, at: Addresses): Html {
  const { texts } = at.language;
  const { payment, view, merchantName, currency } = state;
  if (payment === null) return html``;
  const amount = leftToRight(amountText(state.payableAmount, currency, at.language));
  const now = view === 'review' ? texts.review.heading : texts.looking;
  const until =
    payment.confirmBy === null
      ? null
      : texts.takesOver(leftToRight(timeText(payment.confirmBy, currency, at.language)));
  return html`<ol class="progress">
      <li class="done">${TICK}<b>${texts.youSent(amount)}</b><span>${dateTimeText(payment.sentAt, currency, at.language)}</span></li>
      <li class="now" aria-current="step"><b>${now}</b><span>${until} ${texts.changesByItself}</span></li>
      <li><b>${texts.isTold(isolated(merchantName))}</b></li>
    </ol>`;
}

/** What was sent, and what the order is of it where that is another amount. */
function amountFacts({ amount, payableAmount, currency }: PageState, at: Addresses): Html {
  const { texts } = at.language;
  const of = (label: string, money: Money) =>
    fact(at, { label, value: amountText(money, currency, at.language), direction: 'ltr' });
  return html`${of(texts.amount, payableAmount)}${amount === payableAmount ? null : of(texts.orderAmount, amount)}`;
}

/** What a customer shows when they are asked about their payment. No fee: it is the merchant's. */
export function paymentFacts(
  state: PageState,
  at: Addresses,
  { amount }: { amount: boolean },
): Html {
  const { texts } = at.language;
  const { payment, orderReference, currency } = state;
  if (payment === null) return html``;
  const time = dateTimeText(state.endedAt ?? payment.sentAt, currency, at.language);
  return html`<dl class="facts">
      ${amount ? amountFacts(state, at) : null}
      ${fact(at, { label: texts.paidTo, value: payment.accountTitle })}
      ${fact(at, { label: texts.method, value: `${state.method.name} ${leftToRight(payment.account)}`, direction: 'page' })}
      ${digitsGiven(payment, at)}
      ${payment.amountSent === null ? null : fact(at, { label: texts.add.amount, value: amountText(payment.amountSent, currency, at.language), direction: 'ltr' })}
      ${fact(at, { label: texts.add.paidBy, value: payment.paidBy })}
      ${payment.pictures === 0 ? null : fact(at, { label: texts.add.picture, value: String(payment.pictures), direction: 'ltr' })}
      ${amount ? fact(at, { label: texts.time, value: time, direction: 'page' }) : null}
      ${fact(at, { label: texts.orderNumber, value: orderReference, direction: 'ltr', copied: orderReference })}
      ${fact(at, { label: texts.shopReference, value: state.merchantOrderRef })}
    </dl>`;
}

/** The present ones; while the payment is looked for, with those that they correct. */
function digitsGiven(
  { transactionDigits: digits, formerDigits }: NonNullable<PageState['payment']>,
  at: Addresses,
): Html | null {
  const { texts } = at.language;
  const label = texts.digitsEntered;
  return digits === null || formerDigits === null
    ? fact(at, { label, value: digits, direction: 'ltr' })
    : fact(at, {
        label,
        value: texts.corrected(leftToRight(formerDigits), leftToRight(digits)),
        direction: 'page',
      });
}

/** What a withdrawal is about, from the account on; when, once it has ended. */
export function payoutFacts(state: PageState, at: Addresses): Html {
  const { texts } = at.language;
  const { currency, customerAccount, endedAt, method } = state;
  if (customerAccount === null) return html``;
  return html`<dl class="facts">
      ${amountFacts(state, at)}
      ${fact(at, { label: texts.method, value: `${method.name} ${leftToRight(customerAccount)}`, direction: 'page' })}
      ${endedAt === null ? null : fact(at, { label: texts.time, value: dateTimeText(endedAt, currency, at.language), direction: 'page' })}
    </dl>`;
}
