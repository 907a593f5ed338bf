import { html } from 'hono/html';
import { outcomeIcon } from './marks.ts';
import { type Addresses, type Html, shell } from './shell.ts';
import type { Said } from './texts/texts.ts';

/** Pages that tell nothing of any order. */
export type PlainView = 'link-invalid' | 'link-expired' | 'claimed' | 'unreadable' | 'unavailable';

interface Plain {
  readonly view: PlainView;
  readonly said: Said;
  /** Shown small, for a report to the merchant. */
  readonly reference?: string;
  readonly more?: Html | null;
  /** The script looks every ten seconds whether the page is there again. */
  readonly retries?: boolean;
}

export function plainPage(
  at: Addresses,
  { view, said, reference, more = null, retries = false }: Plain,
): Html {
  const { texts } = at.language;
  const again = retries && at.page !== '';
  return shell({
    at,
    title: said.heading,
    description: said.text,
    main: html`<main data-view="${view}" data-page="${at.page}" data-query="${at.query}" data-state="" data-every="10000" data-ask="${again ? 'state' : ''}">
      <section class="card ${view}">
        ${outcomeIcon(view)}
        <h1>${said.heading}</h1>
        <p>${said.text}</p>
        ${view === 'unreadable' && at.page !== '' ? html`<p><a class="button" href="${at.page}?${at.query}">${texts.change}</a></p>` : null}
        ${again ? html`<p><a class="button" href="${at.page}?${at.query}">${texts.tryAgain}</a></p>` : null}
        ${reference === undefined ? null : html`<p class="quiet"><bdi dir="ltr">${reference}</bdi></p>`}
      </section>
      ${more}
      <p role="status" data-announce></p>
    </main>`,
  });
}
