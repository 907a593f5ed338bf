import { html } from 'hono/html';
import { claimQuestion } from './claim-card.ts';
import { amountText, leftToRight, timeText } from './format.ts';
import { merchantMark, outcomeIcon } from './marks.ts';
import {
  methodList,
  NOTHING_RETURNED,
  type Returned,
  SCREENS,
  type Screen,
  saidOf,
} from './screens.ts';
import { type Addresses, form, type Html, shell } from './shell.ts';
import type { PageState, View } from './view.ts';
import { WAIT_SECONDS_MAX } from './waits.ts';

/** Seconds without a touch, where the page asks first whether money was sent. */
const RETURN_AFTER_ASKING = 60;
/** Milliseconds before the end in which no transfer should be started. */
const LAST_MS = 120_000;
/** Seconds in which a finished page is read before the customer is taken back to the merchant. */
const RETURN_AFTER = 5;
/** How often a waiting page looks again (D56). */
const RECHECK_SECONDS = 10;
/** Time left, in minutes, that a screen reader is told of. */
const MILESTONES = [5, 1];

const FINAL_VIEWS: ReadonlySet<View> = new Set<View>([
  'completed',
  'rejected',
  'expired',
  'cancelled',
  'paid',
  'failed',
]);

/** The next step is somebody else's: what they do is shown as soon as it is there. */
const waitsForOthers = (screen: Screen, { orderType }: PageState): boolean =>
  screen === 'verifying' ||
  screen === 'review' ||
  screen === 'on-its-way' ||
  (screen === 'waiting' && orderType === 'Withdrawal');

/**
 * An order's page. It works without JavaScript; the script opens, looks again, counts down and
 * copies.
 */
export function orderPage(
  state: PageState,
  at: Addresses,
  screen: Screen = state.view,
  returned: Returned = NOTHING_RETURNED,
): Html {
  const said = saidOf(screen, state, at);
  const asksFirst = state.lateClaims !== null && FINAL_VIEWS.has(state.view);
  const returnsTo = returned === NOTHING_RETURNED && !asksFirst ? state.redirectUrl : null;
  return shell({
    at,
    title: `${said.heading} · ${state.merchantName}`,
    description: said.heading,
    head: unscripted(state, screen, returnsTo),
    main: html`<main data-view="${screen}" data-page="${at.page}" data-query="${at.query}" data-state="${state.version}"
        data-every="${RECHECK_SECONDS * 1000}" data-waits="${waitsForOthers(screen, state) ? WAIT_SECONDS_MAX : ''}" data-ask="${asks(state) ?? ''}" data-remaining="${state.remainingMs ?? ''}" data-expired-url="${state.expiredRedirectUrl ?? ''}">
      ${header(state, at)}
      <section class="card ${screen}">
        ${outcomeIcon(screen)}
        <h1>${said.heading}</h1>
        ${returned.notice === undefined ? null : html`<p class="error" role="alert" id="error">${returned.notice}</p>`}
        ${deadline(state, at)}
        <p>${said.text}</p>
        ${SCREENS[screen]?.(state, at, returned) ?? null}
        ${asksFirst ? askAboutPayment(state, at, returned) : returning(state, at, returnsTo)}
      </section>
      ${screen === 'check' ? null : otherWays(state, at)}
      ${timeIsUp(state, at)}
      ${announcements(at)}
    </main>`,
  });
}

function header(state: PageState, at: Addresses): Html {
  const { texts } = at.language;
  return html`<header>
        ${merchantMark(state.merchantName, state.brandColour)}
        <p class="merchant"><bdi>${state.merchantName}</bdi></p>
        <p class="amount"><bdi dir="ltr">${amountText(state.amount, state.currency, at.language)}</bdi></p>
        <p class="quiet reference">${texts.order(leftToRight(state.orderReference))}</p>
      </header>`;
}

/**
 * The end of the time by the clock on the wall; the script adds what is left, by the server's
 * clock.
 */
function deadline(
  { payBefore, remainingMs, currency, orderType }: PageState,
  { language }: Addresses,
): Html | null {
  if (payBefore === null) return null;
  const { texts } = language;
  const last = orderType === 'Deposit' && (remainingMs ?? 0) <= LAST_MS;
  return html`${orderType === 'Deposit' ? html`<p class="warning" aria-live="polite" data-last="${LAST_MS / 1000}" ${last ? null : html`hidden`}>${texts.lastMinutes}</p>` : null}<p class="deadline"><span>${texts.timeLeft} <b dir="ltr" data-countdown aria-hidden="true" hidden></b></span> <time datetime="${new Date(payBefore).toISOString()}">${texts.until(leftToRight(timeText(payBefore, currency, language)))}</time></p>`;
}

/** Below an outcome without money, for a customer who was shown an account (D62). */
function askAboutPayment(
  state: PageState,
  at: Addresses,
  { entered, wrong, notice }: Returned,
): Html {
  const { redirectUrl, merchantName, currency, lateClaims, digitsGiven } = state;
  const claim = {
    claims: lateClaims ?? [],
    currency,
    entered: entered['transactionDigits'] ?? digitsGiven ?? '',
    ...(wrong.transactionDigits === undefined ? {} : { wrong: wrong.transactionDigits }),
  };
  return html`${claimQuestion(at, claim, { url: redirectUrl, merchantName })}
    ${
      redirectUrl === null || notice !== undefined
        ? null
        : html`<p class="quiet" data-returning="${RETURN_AFTER_ASKING}" data-patient>${at.language.texts.returningLater}</p>`
    }`;
}

/**
 * What an open page shows when its time is up: it asks before it leaves. The script shows it, with
 * the digits that were typed; without a script the expired link asks the same.
 */
function timeIsUp(state: PageState, at: Addresses): Html | null {
  const { view, orderType, currency, expiredRedirectUrl: url, merchantName } = state;
  if (orderType !== 'Deposit' || (view !== 'pay' && view !== 'payer')) return null;
  const { texts } = at.language;
  return html`<template data-time-is-up><section class="card expired">
        ${outcomeIcon('expired')}
        <h1 tabindex="-1">${texts.expired.heading}</h1>
        <p>${texts.expired.text}</p>
        ${claimQuestion(at, { claims: [], currency }, { url, merchantName })}
        ${url === null ? null : html`<p class="quiet" data-returning="${RETURN_AFTER_ASKING}" data-patient>${texts.returningLater}</p>`}
      </section></template>`;
}

function returning(
  { redirectUrl, merchantName }: PageState,
  { language: { texts } }: Addresses,
  returnsTo: string | null,
): Html | null {
  if (redirectUrl === null) return null;
  return html`${
    returnsTo === null
      ? null
      : html`<p class="quiet" data-returning="${RETURN_AFTER}">${texts.returning} <button type="button" class="link" data-stay hidden>${texts.stay}</button></p>`
  }
        <p><a class="button" href="${redirectUrl}" rel="noreferrer" data-return>${texts.returnTo(merchantName)}</a></p>`;
}

/** Switching and cancelling, out of the way of what most people came to do. */
function otherWays(state: PageState, at: Addresses): Html {
  const { texts } = at.language;
  const deposit = state.orderType === 'Deposit';
  const switching = state.view !== 'methods' && state.methods.length > 0;
  return html`${
    switching
      ? html`<details><summary>${texts.switchMethod}</summary>
        ${state.view === 'pay' ? html`<p class="quiet">${texts.switchMethodHint}</p>` : null}
        ${methodList(state.methods, at)}
      </details>`
      : null
  }${
    state.canCancel
      ? html`<details><summary>${deposit ? texts.cancelPayment : texts.cancelWithdrawal}</summary>
        <p class="quiet">${deposit ? texts.cancelPaymentHint : texts.cancelWithdrawalHint}</p>
        ${form(at, 'cancel', deposit ? texts.cancelPaymentYes : texts.cancelWithdrawalYes, { kind: 'quiet' })}
      </details>`
      : null
  }`;
}

/** One place for all that is said without being asked: it is read aloud, so it changes seldom. */
function announcements({ language: { texts } }: Addresses): Html {
  const left = JSON.stringify(
    MILESTONES.map((minutes) => [minutes * 60, texts.minutesLeft(minutes)]),
  );
  return html`<p role="status" data-announce data-lost="${texts.connectionLost}" data-left="${left}" data-up="${texts.timeIsUp}"></p>`;
}

/**
 * Without a script, a page that waits for others loads itself again, and a finished one goes back
 * to the merchant.
 */
function unscripted(state: PageState, screen: Screen, returnsTo: string | null): Html | null {
  if (returnsTo !== null)
    return html`<noscript><meta http-equiv="refresh" content="${RETURN_AFTER};url=${returnsTo}"></noscript>`;
  return waitsForOthers(screen, state)
    ? html`<noscript><meta http-equiv="refresh" content="${RECHECK_SECONDS}"></noscript>`
    : null;
}

/**
 * What the script does while the page is open: POST /open for a deposit that waits, GET /state for
 * the rest (D56).
 */
function asks({ view, orderType }: PageState): 'open' | 'state' | null {
  if (view === 'waiting' && orderType === 'Deposit') return 'open';
  return FINAL_VIEWS.has(view) ? null : 'state';
}
