import {
  CLAIMED_DIGITS_MIN,
  type Currency,
  hasLetteredIds,
  LATE_CLAIMS_MAX,
  PAYMENT_TEXT_MAX,
} from '@munshi/core';
import { html } from 'hono/html';
import type { LateClaim } from '../late-claims/store.ts';
import { dateTimeText, isolated, leftToRight } from './format.ts';
import { type Addresses, choiceOf, field, form, type Html } from './html.ts';
import { NOTHING_RETURNED, type Returned } from './returned.ts';
import type { Texts } from './texts/en.ts';

/**
 * What a customer says who sent money for an order that has ended without it (page.md#late-claims):
 * the digits of the transaction, for operators to look for, or that they have paid, where the
 * account that they pay from is known. Used by the outcome, by an open page whose time is up, and
 * by the expired link.
 */

/** What was claimed before. */
interface Claims {
  readonly claims: readonly Pick<
    LateClaim,
    'transactionDigits' | 'claimedAt' | 'status' | 'takenAt'
  >[];
  readonly currency: Currency;
  /** The account that they pay from was given: no digits are needed. */
  readonly byPayer: boolean;
  /** Digits by which no payment was found: others are asked for. */
  readonly notFound?: string | null;
  /** The receiver saw a payment, of which nothing more is asked: a claim is about another one. */
  readonly wasSeen?: boolean;
}

/** On the expired link: the form itself, or what was claimed. */
export const claimCard = (at: Addresses, before: Claims, returned = NOTHING_RETURNED): Html =>
  before.claims.length > 0
    ? html`<section class="card claim">${claimed(at, before, returned)}</section>`
    : html`<section class="card claim">
    <h2>${before.wasSeen ? at.language.texts.claimAnother : at.language.texts.claimHeading}</h2>
    ${firstClaim(at, before, returned)}
  </section>`;

/**
 * On a page that has ended: asks before the customer goes. A customer who sent money claims;
 * one who did not goes back to the shop.
 */
export function claimQuestion(
  at: Addresses,
  before: Claims,
  back: { readonly url: string | null; readonly merchantName: string },
  returned = NOTHING_RETURNED,
): Html {
  const { texts } = at.language;
  const merchant = isolated(back.merchantName);
  const backBy = (kind: string, words: string) =>
    back.url === null
      ? null
      : html`<p><a class="button${kind}" href="${back.url}" rel="noreferrer" data-return>${words}</a></p>`;
  const folded = (summary: string, open: unknown) =>
    html`<details class="answer" ${open ? html`open` : null}><summary class="button quiet">${summary}</summary>
    ${firstClaim(at, before, returned)}
    </details>`;
  if (before.claims.length > 0)
    return html`${claimed(at, before, returned)}${backBy('', texts.returnTo(merchant))}`;
  if (before.wasSeen)
    return html`${backBy('', texts.returnTo(merchant))}${folded(texts.claimAnother, isAsked(returned))}`;
  const given = returned.entered.transactionDigits || before.notFound || isAsked(returned);
  return html`<h2>${texts.claimHeading}</h2>
    ${folded(texts.claimYes, given)}
    ${backBy(' quiet', texts.claimNo(merchant))}`;
}

/**
 * What was claimed and what happens next; the digits can be put right until an operator takes them
 * up.
 */
function claimed(at: Addresses, { claims, currency }: Claims, returned: Returned): Html {
  const { texts } = at.language;
  const { notice } = returned;
  const latest = claims.at(-1)?.transactionDigits ?? null;
  const isTakenUp = claims.some(({ status, takenAt }) => status === 'open' && takenAt !== null);
  return html`<h2>${latest === null ? texts.claimedPayer : texts.claimed}</h2>
    ${claims.map(
      ({ transactionDigits, claimedAt, status }) =>
        html`<p>${claimText(transactionDigits, dateTimeText(claimedAt, currency, at.language), texts)} ${status === 'closed' ? texts.claimClosed : texts.claimOpen}</p>`,
    )}
    ${notice === undefined ? null : html`<p class="error" role="alert">${notice}</p>`}
    ${
      claims.length >= LATE_CLAIMS_MAX || isTakenUp
        ? null
        : html`<details ${isAsked(returned) ? html`open` : null}><summary>${latest === null ? texts.claimAddDigits : texts.claimAgain}</summary>${claimForm(at, currency, returned)}</details>`
    }`;
}

const claimText = (digits: string | null, time: string, texts: Texts): string =>
  digits === null ? texts.claimedPayerAt(time) : texts.claimedAt(leftToRight(digits), time);

/** Whether the digits that came are asked for again. */
const isAsked = ({ choices, wrong }: Returned): boolean =>
  choices !== undefined || wrong.transactionDigits !== undefined;

/** One tap where the payer is known. */
function firstClaim(
  at: Addresses,
  { byPayer, currency, notFound }: Claims,
  returned: Returned,
): Html {
  const { texts } = at.language;
  if (!byPayer || isAsked(returned)) return claimForm(at, currency, returned, notFound);
  return html`<p>${texts.claimHintPayer}</p>
    ${form(at, 'claim', texts.claimPayer)}`;
}

function claimForm(
  at: Addresses,
  currency: Currency,
  returned: Returned,
  notFound: string | null = null,
): Html {
  const { texts } = at.language;
  const hint = notFound === null ? texts.claimHint : texts.claimHintNotFound(leftToRight(notFound));
  return html`<p>${hint} ${texts.pasteHint}</p>
    ${choiceOf(at, 'claim', returned)}
    ${form(at, 'claim', texts.claim, {
      fields: field(
        {
          id: 'claimDigits',
          name: 'transactionDigits',
          label: texts.claimDigits,
          hint: hasLetteredIds(currency) ? texts.zerosHint(CLAIMED_DIGITS_MIN) : null,
          mode: 'numeric',
          max: PAYMENT_TEXT_MAX,
          leftToRight: true,
        },
        returned,
      ),
    })}`;
}
