import type { PageField, PageForm } from '@munshi/api';
import { cleaned } from '@munshi/core';
import { html } from 'hono/html';
import type { Fields } from '../orders/customer-commands.ts';
import { helpOf, shortNumber, type Whose } from './foot.ts';
import { merchantHead } from './header.ts';
import { type Addresses, form, type Html, hidden } from './html.ts';
import { outcomeIcon } from './outcome.ts';
import { shell } from './shell.ts';
import type { Said } from './texts/en.ts';
import type { PlainView } from './view.ts';

/** A form as it came. */
export interface SentForm {
  readonly action: PageForm;
  readonly fields: Fields;
}

interface Plain {
  readonly view: PlainView;
  readonly said: Said;
  /** Shown small, for a report to the merchant. */
  readonly reference?: string;
  readonly more?: Html | null;
  /** Beside the heading; the view's own unless another one is given. */
  readonly icon?: Html | null;
  /** The order that the link names: its merchant, who helps, its short number. */
  readonly whose?: Whose;
  /**
   * What is tried again: a form is sent as it came; to the page there is a link, and the script
   * looks every ten seconds whether it is there again.
   */
  readonly again?: SentForm | 'page';
}

export function plainPage(
  at: Addresses,
  { view, said, reference, more = null, icon = outcomeIcon(view), whose, again }: Plain,
): Html {
  const { texts } = at.language;
  return shell({
    at,
    title: whose === undefined ? said.heading : `${said.heading} · ${cleaned(whose.merchantName)}`,
    description: said.text,
    ...(whose === undefined
      ? {}
      : { merchant: merchantHead(whose, at), brandColour: whose.brandColour }),
    main: html`<main data-view="${view}" data-page="${at.page}" data-query="${at.query}" data-state="" data-every="10000" data-ask="${again === 'page' && at.page !== '' ? 'state' : ''}">
      <section class="card ${view}">
        ${icon}
        <h1>${said.heading}</h1>
        <p>${said.text}</p>
        ${view === 'unreadable' ? toPage(at, texts.change) : null}
        ${again === 'page' ? toPage(at, texts.tryAgain) : null}
        ${typeof again === 'object' ? sameForm(at, again) : null}
        ${reference === undefined ? null : html`<p class="quiet"><bdi dir="ltr" translate="no">${reference}</bdi></p>`}
      </section>
      ${more}
      ${whose === undefined ? null : html`<footer>${helpOf(whose, at)}${shortNumber(whose, at)}</footer>`}
      <p role="status" data-announce data-held="${texts.held}"></p>
    </main>`,
  });
}

const toPage = (at: Addresses, words: string): Html | null =>
  at.page === '' ? null : html`<p><a class="button" href="${at.page}?${at.query}">${words}</a></p>`;

const sameForm = (at: Addresses, { action, fields }: SentForm): Html =>
  form(at, action, at.language.texts.tryAgain, {
    fields: html`${Object.entries(fields).map(([name, value]) => hidden(name as PageField, value))}`,
  });
