import { SANDBOX_CARDS } from '@munshi/core';
import { html } from 'hono/html';
import type { Addresses, Html } from './html.ts';
import type { PageState } from './view.ts';

/**
 * Above the page of a sandbox: that no money is real, a button for each status that the order can
 * reach, and which endings of what the customer gives do what. For developers, in English.
 */
export const sandboxMoves = ({ moves, status }: PageState, at: Addresses): Html | null =>
  moves === null
    ? null
    : html`<details class="way sandbox" lang="en" dir="ltr"><summary>Sandbox: move this order</summary>
          <form method="post" action="${at.page}/move?${at.query}" class="moves">
            <p>No real money is sent here. It is ${status}${moves.length === 0 ? ', and stays so.' : '.'}</p>
            ${moves.map((to) => html`<button class="pill" name="to" value="${to}">${to}</button>`)}
          </form>
          <table><caption>What the last four characters do that the customer gives</caption>
            ${SANDBOX_CARDS.map(({ ending, says }) => html`<tr><th scope="row">${ending}</th><td>${says}</td></tr>`)}
          </table>
        </details>`;
