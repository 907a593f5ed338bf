import { hasSucceeded, type Money } from '@munshi/core';
import { html } from 'hono/html';
import { WAIT_SECONDS_MAX } from '../platform/http/waits.ts';
import { additions, isAnswered } from './additions.ts';
import { claimQuestion } from './claim-card.ts';
import { doubts } from './doubts.ts';
import { pageFoot } from './foot.ts';
import { amountText, isolated, leftToRight, timeText } from './format.ts';
import { merchantHead } from './header.ts';
import { type Addresses, form, type Html, scripted } from './html.ts';
import { methodList } from './method-list.ts';
import { outcomeIcon } from './outcome.ts';
import { amountToSend, stepMark } from './pay-screen.ts';
import { paymentFacts } from './payment.ts';
import { NOTHING_RETURNED, type Returned } from './returned.ts';
import { sandboxMoves } from './sandbox-moves.ts';
import { expiredSaid, SCREENS, saidOf } from './screens.ts';
import { seenOf } from './seen.ts';
import { shell } from './shell.ts';
import type { PageState, Screen, View } from './view.ts';

/** Seconds without a touch, where the page asks first whether money was sent. */
const RETURN_AFTER_ASKING = 60;
/** Milliseconds before the end in which no transfer should be started. */
const LAST_MS = 120_000;
/**
 * Seconds in which a finished page is read before the customer is taken back to the merchant, or
 * says that they stay: as many as WCAG 2.2.1 asks for.
 */
const RETURN_AFTER = 20;
/** How often a waiting page looks again (page.md#the-link). */
const RECHECK_SECONDS = 10;
/** Minutes left at which screen readers announce the time. */
const MILESTONES = [5, 1];

const FINAL_VIEWS: ReadonlySet<View> = new Set<View>([
  'completed',
  'rejected',
  'expired',
  'cancelled',
  'paid',
  'failed',
]);

/** The next step is another person's: the page shows its result as soon as it is there. */
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
  const notice =
    returned.notice === undefined
      ? null
      : html`<p class="error" role="alert" id="error">${returned.notice}</p>`;
  const drawn = SCREENS[screen]?.(state, at, returned) ?? null;
  const content =
    screen === 'pay'
      ? html`${notice}${drawn}`
      : html`<section class="card ${screen}">
        ${outcomeIcon(screen)}
        <h1>${said.heading}</h1>
        ${notice}
        <p>${said.text}</p>
        ${drawn}
        ${asksFirst ? askAboutPayment(state, at, returned) : returning(state, at, returnsTo)}
      </section>
      ${handedIn(state, at, screen)}
      ${additions(state, at, returned)}`;
  return shell({
    at,
    title: `${said.heading} · ${state.merchantName}`,
    description: said.heading,
    head: unscripted(state, screen, returned),
    merchant: merchantHead(state, at),
    brandColour: state.brandColour,
    main: html`<main data-view="${screen}" data-page="${at.page}" data-query="${at.query}" data-state="${state.version}"
        data-every="${RECHECK_SECONDS * 1000}" data-waits="${waitsForOthers(screen, state) ? WAIT_SECONDS_MAX : ''}" data-ask="${asks(state) ?? ''}" data-remaining="${state.remainingMs ?? ''}" data-expired-url="${state.expiredRedirectUrl ?? ''}">
      <div data-content>
        ${sandboxMoves(state, at)}
        ${steps(state, at, screen, returned)}
        ${sum(state, at, screen)}
        ${lastMinutes(state, at)}
        ${content}
        ${doubts(state, at, screen)}
        ${screen === 'check' ? null : otherWays(state, at)}
      </div>
      ${pageFoot(state, at)}
      ${timeIsUp(state, at)}
      ${announcements(at)}
    </main>`,
  });
}

/** Digits are entered once the field is open, which it is where they are returned. */
function steps(
  state: PageState,
  at: Addresses,
  screen: Screen,
  { entered }: Returned,
): Html | null {
  if (screen !== 'pay' && screen !== 'check') return null;
  return stepMark(state, at, entered.transactionDigits === undefined ? 1 : 2);
}

/** What is to be paid or paid out, and until when, while there is time for it. */
function sum(state: PageState, at: Addresses, screen: Screen): Html | null {
  if (state.payBefore === null) return null;
  const { texts } = at.language;
  const { amount, payableAmount, currency } = state;
  const textOf = (money: Money) => amountText(money, currency, at.language);
  return html`<div class="sum">${deadline(state.payBefore, state.currency, at)}<div class="due">${
    screen === 'pay'
      ? amountToSend(state, at)
      : html`<p><span class="label">${texts.amount}</span> <bdi class="amount" dir="ltr" translate="no">${textOf(payableAmount)}</bdi></p>`
  }</div>${amount === payableAmount ? null : html`<p class="quiet">${texts.rounded(leftToRight(textOf(amount)))}</p>`}</div>`;
}

/**
 * The end of the time by the clock on the wall; the script shows what is left instead, by the
 * server's clock.
 */
function deadline(payBefore: number, currency: string, { language }: Addresses): Html {
  const { texts } = language;
  return html`<p class="deadline">${scripted(html`<span class="label" hidden>${texts.timeLeft}</span> <b dir="ltr" data-countdown aria-hidden="true" hidden></b>`)}<time datetime="${new Date(payBefore).toISOString()}">${texts.until(leftToRight(timeText(payBefore, currency, language)))}</time></p>`;
}

function lastMinutes({ orderType, remainingMs }: PageState, { language }: Addresses): Html | null {
  if (orderType !== 'Deposit' || remainingMs === null) return null;
  const { lastMinutes: said } = language.texts;
  return remainingMs <= LAST_MS
    ? html`<p class="warning">${said}</p>`
    : scripted(
        html`<p class="warning" aria-live="polite" data-last="${LAST_MS / 1000}" hidden>${said}</p>`,
      );
}

/** Below a payment that is looked for, or was not found: what the customer has sent. */
function handedIn(state: PageState, at: Addresses, screen: Screen): Html | null {
  if (state.payment === null || screen === 'completed') return null;
  return html`<section class="card">${paymentFacts(state, at, { amount: screen === 'rejected' })}${screen === 'rejected' ? null : comeBack(at)}</section>`;
}

/** The link itself; the script copies it. */
const comeBack = (at: Addresses): Html =>
  html`<p><a class="button quiet" href="${at.page}?${at.query}" data-copy-link data-copied="${at.language.texts.copied}">${at.language.texts.keepLink}</a></p>`;

/** Below an outcome without money, for a customer who was shown an account. */
function askAboutPayment(state: PageState, at: Addresses, returned: Returned): Html {
  const { redirectUrl, merchantName, currency, lateClaims, digitsGiven, payerAccount } = state;
  const claims = lateClaims ?? [];
  const notFound = foundNothing(state) ? digitsGiven : null;
  const { transactionDigits = (state.view !== 'rejected' && digitsGiven) || '' } = returned.entered;
  const { notice } = returned;
  return html`${claimQuestion(
    at,
    { claims, currency, byPayer: payerAccount !== null, notFound, wasSeen: seenOf(state) !== null },
    { url: redirectUrl, merchantName },
    { ...returned, entered: { transactionDigits } },
  )}
    ${
      redirectUrl === null || notice !== undefined || claims.length > 0
        ? null
        : scripted(returningLater(at))
    }`;
}

/** The receiver has looked for the digits, and no payment of any kind was there. */
const foundNothing = (state: PageState): boolean =>
  state.view === 'rejected' && seenOf(state) === null;

/**
 * What an open page shows when its time is up: it asks before it leaves. The script shows it, with
 * the digits that were typed; without a script the expired link asks the same.
 */
function timeIsUp(state: PageState, at: Addresses): Html | null {
  const { view, currency, expiredRedirectUrl: url, merchantName, payerAccount } = state;
  if (view !== 'pay' && !state.wasShown) return null;
  const { texts } = at.language;
  const { heading, text } = expiredSaid(state, texts);
  return html`<script type="text/html" data-time-is-up><section class="card expired">
        ${outcomeIcon('expired')}
        <h1 tabindex="-1">${heading}</h1>
        <p>${text}</p>
        ${claimQuestion(at, { claims: [], currency, byPayer: payerAccount !== null }, { url, merchantName })}
        ${url === null ? null : returningLater(at)}
      </section></script>`;
}

const returningLater = ({ language: { texts } }: Addresses): Html =>
  html`<p class="quiet" data-returning="${RETURN_AFTER_ASKING}" data-patient>${texts.returningLater}</p>`;

function returning(
  { redirectUrl, merchantName, status }: PageState,
  { language: { texts } }: Addresses,
  returnsTo: string | null,
): Html | null {
  if (redirectUrl === null) return hasSucceeded(status) ? html`<p>${texts.mayClose}</p>` : null;
  return html`${
    returnsTo === null
      ? null
      : scripted(
          html`<p class="quiet" data-returning="${RETURN_AFTER}" data-staying="${texts.staying}">${texts.returning(RETURN_AFTER)} <button type="button" class="link">${texts.stay}</button></p>`,
        )
  }
        <p><a class="button" href="${redirectUrl}" rel="noreferrer" data-return>${texts.returnTo(isolated(merchantName))}</a></p>`;
}

/**
 * Switching and cancelling, below what most people came to do. Ways that work are seen without a
 * tap.
 */
function otherWays(state: PageState, at: Addresses): Html {
  const { texts } = at.language;
  const deposit = state.orderType === 'Deposit';
  const switching = state.view !== 'methods' && state.methods.length > 0;
  return html`${
    switching
      ? html`<details class="way" ${state.methods.some(({ served }) => served) ? html`open` : null}><summary>${texts.switchMethod}</summary>
        ${state.view === 'pay' ? html`<p class="quiet">${texts.switchMethodHint}</p>` : null}
        ${methodList(state, at)}
      </details>`
      : null
  }${
    state.canCancel
      ? html`<details class="way"><summary>${deposit ? texts.cancelPayment : texts.cancelWithdrawal}</summary>
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
  return html`<p role="status" data-announce data-lost="${texts.connectionLost}" data-held="${texts.held}" data-left="${left}" data-up="${texts.timeIsUp}"></p>`;
}

/**
 * Without a script, a page that waits for others loads itself again, and one that waits for the
 * customer when their time is up.
 */
function unscripted(state: PageState, screen: Screen, returned: Returned): Html | null {
  if (returned.adding || isAnswered(returned)) return null;
  const { remainingMs } = state;
  const seconds = waitsForOthers(screen, state)
    ? RECHECK_SECONDS
    : remainingMs === null
      ? null
      : Math.ceil(remainingMs / 1000) + 1;
  return seconds === null
    ? null
    : html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`;
}

/**
 * What the script does while the page is open: POST /open for a deposit that waits, GET /state for
 * the rest (page.md#the-link).
 */
function asks({ view, orderType }: PageState): 'open' | 'state' | null {
  if (view === 'waiting' && orderType === 'Deposit') return 'open';
  return FINAL_VIEWS.has(view) ? null : 'state';
}
