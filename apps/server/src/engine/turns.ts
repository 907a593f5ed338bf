import { byTurn, type Member, type Need, serves } from '@munshi/core';
import { pair } from './table.ts';

/** The members of a batch by whose turn it is. */
export interface Turns {
  /** Those with an account that serves the need, the next one first. */
  of(need: Need): readonly Member[];
  /** A member has changed, and with that perhaps their turn. */
  move(before: Member | undefined, member: Member): void;
}

/** Each list is sorted once and kept so. */
export function createTurns(members: () => Iterable<Member>): Turns {
  const lists = new Map<string, Member[]>();
  return {
    of(need) {
      const key = pair(need.orderType, need.walletType);
      const known = lists.get(key);
      if (known !== undefined) return known;
      const list = [...members()]
        .filter(({ accounts }) => accounts.some((account) => serves(account, need)))
        .sort(byTurn);
      lists.set(key, list);
      return list;
    },
    move(before, member) {
      if (before === undefined) return;
      for (const list of lists.values()) {
        const place = placeOf(before, list);
        if (list[place] !== before) continue;
        list.splice(place, 1);
        list.splice(placeOf(member, list), 0, member);
      }
    },
  };
}

/** Where the member is, or would be, in a list sorted by turn. */
function placeOf(member: Member, list: readonly Member[]): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byTurn(list[middle] as Member, member) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
