import { cleaned } from '@munshi/core';
import { html, raw } from 'hono/html';
import type { Whose } from './foot.ts';
import type { Addresses, Html } from './html.ts';
import { merchantMark } from './marks.ts';
import { LANGUAGES, type Language } from './texts/languages.ts';

const CHEVRON = raw(
  '<svg class="chevron" viewBox="0 0 10 6" width="10" height="6" aria-hidden="true"><path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>',
);

/** At the top of every page: whose it is, where the page knows, and the language. */
export const pageHeader = (at: Addresses, merchant: Html | null): Html =>
  html`<header><div class="bar">${merchant}${languageSwitch(at)}</div></header>`;

/** The merchant's picture, or a mark of their initial, and their name. */
export function merchantHead(
  { merchantName, brandColour, logo }: Omit<Whose, 'support' | 'orderReference'>,
  at: Addresses,
): Html {
  const name = cleaned(merchantName);
  const mark =
    logo === null
      ? merchantMark(name, brandColour)
      : html`<img class="logo" src="${at.logoOf(logo)}" alt="">`;
  return html`${mark}<p class="merchant"><bdi translate="no">${name}</bdi></p>`;
}

function languageSwitch(at: Addresses): Html {
  const { language, offered } = at;
  const { texts, name } = language;
  return html`${offered === null ? null : link(at, offered, 'pill')}
    <details class="menu"><summary class="pill" aria-label="${texts.language}: ${name}">${name}${CHEVRON}</summary>
    <nav class="languages" aria-label="${texts.language}">${Object.values(LANGUAGES).map((other) =>
      other === language
        ? html`<span lang="${other.code}" aria-current="true">${other.name}</span>`
        : link(at, other),
    )}</nav></details>`;
}

function link({ page, query }: Addresses, to: Language, kind?: 'pill'): Html {
  const kept = query.replace(/(^|&)lang=[a-z]*/, '');
  return html`<a${kind === undefined ? null : html` class="${kind}"`} href="${page}?${kept}${kept === '' ? '' : '&'}lang=${to.code}" lang="${to.code}" hreflang="${to.code}" dir="${to.direction}" rel="nofollow">${to.name}</a>`;
}
