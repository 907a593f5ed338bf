import type { PageField, PageForm } from '@munshi/api';
import { html } from 'hono/html';
import type { Returned } from './returned.ts';
import type { Language } from './texts/languages.ts';

/** Escaped HTML: every value put into one of these templates is text. */
export type Html = ReturnType<typeof html>;

/** Where the page's own addresses are, seen from the address that answers. */
export interface Addresses {
  /**
   * The page itself; what it posts to starts with this. Empty on a page that knows no valid link.
   */
  readonly page: string;
  /** The link's own query, with the language where it was chosen in it. */
  readonly query: string;
  readonly assets: string;
  /** Of a merchant's picture, by its hash. */
  logoOf(hash: string): string;
  readonly version: string;
  readonly language: Language;
  /** The language of the customer's country, where the page guesses that they read English. */
  readonly offered: Language | null;
}

/**
 * What is only true while the script runs, which puts it in this place. Text browsers show a
 * `<template>` and what is hidden; this is shown by none.
 */
export const scripted = (content: Html): Html =>
  html`<script type="text/html" data-scripted>${content}</script>`;

/** A form of the page. `first` marks the one thing to do here. */
export function form(
  at: Addresses,
  action: PageForm,
  button: string,
  { fields, kind = 'primary' }: { fields?: Html; kind?: 'primary' | 'quiet' } = {},
): Html {
  return html`<form method="post" action="${at.page}/${action}?${at.query}" novalidate>
    ${fields ?? null}
    <button type="submit" class="${kind}">${button}</button>
  </form>`;
}

export interface Field {
  /** Where the name is not alone on the page. */
  readonly id?: string;
  readonly name: PageField;
  readonly label: string;
  readonly hint: string | null;
  readonly mode: 'numeric' | 'decimal' | 'text';
  readonly max: number;
  /** Numbers are written from left to right in every language. */
  readonly leftToRight: boolean;
  /** How many last digits count of it: what is pasted and longer is sent at once, to be read. */
  readonly lastDigits?: number;
}

/** An input with its label, its hint, what was entered and, beside it, what is wrong with that. */
export function field(asked: Field, returned: Returned): Html {
  const { name, id = name, label, hint, mode, max, leftToRight, lastDigits } = asked;
  const { [name]: value = '' } = returned.entered;
  const { [name]: wrong } = returned.wrong;
  const described = [hint === null ? '' : `${id}-hint`, wrong === undefined ? '' : `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint === null ? null : html`<p class="quiet" id="${id}-hint">${hint}</p>`}
    ${wrong === undefined ? null : html`<p class="error" id="${id}-error">${wrong}</p>`}
    <input id="${id}" name="${name}" type="text" inputmode="${mode}" maxlength="${max}" value="${value}" autocomplete="off" autocapitalize="off" spellcheck="false" required
      ${leftToRight ? html`dir="ltr"` : html`dir="auto"`} ${wrong === undefined ? null : html`aria-invalid="true"`} ${described === '' ? null : html`aria-describedby="${described}"`} ${lastDigits === undefined ? null : html`data-last-digits="${lastDigits}"`}>
  </div>`;
}

/** Which of several transaction IDs is meant (page.md#what-it-shows). */
export function choiceOf(
  at: Addresses,
  action: PageForm,
  { choices = [] }: Returned,
  fields?: Html,
): Html | null {
  if (choices.length === 0) return null;
  return html`<form class="which" method="post" action="${at.page}/${action}?${at.query}">
    <p class="error" role="alert">${at.language.texts.whichId}</p>
    ${fields ?? null}
    ${choices.map(({ id, digits }) => html`<button type="submit" class="quiet" name="transactionDigits" value="${digits}"><bdi dir="ltr" translate="no">${id}</bdi></button>`)}
  </form>`;
}

/** Which account the customer sees: a form that acts on another one is not taken. */
export const shownAccount = ({ version }: { readonly version: string }): Html =>
  hidden('version', version);

export const hidden = (name: PageField, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;
