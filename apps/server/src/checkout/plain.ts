import { cleaned } from '@munshi/core';
import { html } from 'hono/html';
import { helpOf, shortNumber, type Whose } from './foot.ts';
import { merchantHead } from './header.ts';
import type { Addresses, Html } from './html.ts';
import { outcomeIcon } from './outcome.ts';
import { shell } from './shell.ts';
import type { Said } from './texts/texts.ts';
import type { PlainView } from './view.ts';

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
  /** The script looks every ten seconds whether the page is there again. */
  readonly retries?: boolean;
}

export function plainPage(
  at: Addresses,
  { view, said, reference, more = null, icon = outcomeIcon(view), whose, retries = false }: Plain,
): Html {
  const { texts } = at.language;
  const again = retries && at.page !== '';
  return shell({
    at,
    title: whose === undefined ? said.heading : `${said.heading} · ${cleaned(whose.merchantName)}`,
    description: said.text,
    ...(whose === undefined
      ? {}
      : { merchant: merchantHead(whose, at), brandColour: whose.brandColour }),
    main: html`<main data-view="${view}" data-page="${at.page}" data-query="${at.query}" data-state="" data-every="10000" data-ask="${again ? 'state' : ''}">
      <section class="card ${view}">
        ${icon}
        <h1>${said.heading}</h1>
        <p>${said.text}</p>
        ${view === 'unreadable' && at.page !== '' ? html`<p><a class="button" href="${at.page}?${at.query}">${texts.change}</a></p>` : null}
        ${again ? html`<p><a class="button" href="${at.page}?${at.query}">${texts.tryAgain}</a></p>` : null}
        ${reference === undefined ? null : html`<p class="quiet"><bdi dir="ltr">${reference}</bdi></p>`}
      </section>
      ${more}
      ${whose === undefined ? null : html`<footer>${helpOf(whose, at)}${shortNumber(whose, at)}</footer>`}
      <p role="status" data-announce></p>
    </main>`,
  });
}
