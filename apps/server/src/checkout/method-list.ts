import { METHODS } from '@munshi/core';
import { html } from 'hono/html';
import type { Addresses, Html } from './html.ts';
import type { OfferedMethod } from './method-names.ts';
import type { PageState } from './view.ts';
import { choiceMark, methodMark } from './wallets.ts';

/**
 * Ways to pay, by whose app or bank they are. What nobody can receive now comes last and says so;
 * it may be tapped all the same, since somebody may have come meanwhile.
 */
export function methodList({ methods }: PageState, at: Addresses): Html {
  const { texts } = at.language;
  if (methods.length === 0) return html`<p>${texts.noMethods}</p>`;
  const groups = Map.groupBy(methods, ({ walletType }) => METHODS[walletType].provider);
  const isServed = (group: readonly OfferedMethod[]) => group.some(({ served }) => served);
  const sorted = [...groups.values()].sort(
    (one, other) => Number(isServed(other)) - Number(isServed(one)),
  );
  return html`<form method="post" action="${at.page}/method?${at.query}" class="methods">
      ${sorted.map(
        (group) =>
          html`<fieldset><legend>${providerMark(group)}<bdi>${group[0]?.providerName}</bdi></legend>${group
            .toSorted((one, other) => Number(other.served) - Number(one.served))
            .map((method) => choice(method, at))}</fieldset>`,
      )}
    </form>`;
}

/** The provider's mark above its group, regardless of the names of its methods. */
const providerMark = ([method]: readonly OfferedMethod[]): Html | null =>
  method === undefined ? null : methodMark({ ...method, kind: 'account', ownName: null });

function choice(method: OfferedMethod, { language: { texts } }: Addresses): Html {
  const { walletType, kind, ownName, served } = method;
  return html`<button type="submit" name="walletType" value="${walletType}" class="choice">${choiceMark(method)}<span>${ownName ?? texts.kindNames[kind]}${served ? null : html` <small>${texts.notServed}</small>`}</span></button>`;
}
