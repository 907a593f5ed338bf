import type { Money } from '@munshi/core';
import { html } from 'hono/html';
import { amountText, dateTimeText, isolated, leftToRight } from './format.ts';
import { type Addresses, type Html, scripted } from './html.ts';
import { paymentFacts } from './payment.ts';
import type { PageState } from './view.ts';

/**
 * What a customer keeps of a payment: on the page, on paper, as a file, and to send on. It never
 * holds the link, which would show more than a receipt.
 */
export function receipt(state: PageState, at: Addresses): Html {
  const { texts } = at.language;
  return html`${paymentFacts(state, at, { amount: true })}
    ${
      state.payment === null
        ? null
        : html`<p class="keep">${scripted(html`<button type="button" class="quiet" data-share="${receiptText(state, at)}" hidden>${texts.share}</button><button type="button" class="quiet" data-print>${texts.print}</button>`)}<a class="button quiet" href="${at.page}/receipt.txt?${at.query}" download="${state.orderReference}.txt">${texts.save}</a></p>`
    }`;
}

/** The same as a text of its own. */
export function receiptText(state: PageState, at: Addresses): string {
  const { texts } = at.language;
  const { payment, merchantName, merchantOrderRef, amount, payableAmount, currency } = state;
  const textOf = (money: Money) => leftToRight(amountText(money, currency, at.language));
  const sent = textOf(payableAmount);
  const time = dateTimeText(state.endedAt ?? state.payment?.sentAt ?? 0, currency, at.language);
  const facts: readonly (readonly [label: string, value: string | null | undefined])[] = [
    [texts.amount, sent],
    [texts.orderAmount, amount === payableAmount ? null : textOf(amount)],
    [texts.paidTo, payment?.accountTitle],
    [texts.method, `${state.method.name} ${leftToRight(payment?.account ?? '')}`],
    [texts.digitsEntered, payment?.transactionDigits],
    [texts.time, time],
    [texts.orderNumber, state.orderReference],
    [texts.shopReference, merchantOrderRef],
  ];
  const lines = facts
    .filter(([, value]) => typeof value === 'string')
    .map(([label, value]) => `${label}: ${isolated(String(value))}`);
  return [merchantName, texts.completed(sent).heading, '', ...lines, ''].join('\n');
}
