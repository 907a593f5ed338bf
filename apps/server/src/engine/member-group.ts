import { byTurn, couldTake, type ExpectedNeed, hasRoom, type Instant } from '@munshi/core';
import type { MemberHint } from './rows/candidates.ts';

type Turn = Parameters<typeof byTurn>[0];

/** A member's place in the heap. Their own turn may have moved back since. */
type Place = Pick<MemberHint, 'memberId' | 'openOrders' | 'lastAssignedAt'>;

export const placeOf = ({ memberId, openOrders, lastAssignedAt }: MemberHint): Place => ({
  memberId,
  openOrders,
  lastAssignedAt,
});

/** Places that are not valid any more, beyond as many as there are members. */
const STALE_MAX = 64;

/** Members who serve one kind of need, by whose turn it is. */
export type MemberGroup = ReturnType<typeof createMemberGroup>;

/** `newest`: what is known of each member. */
export function createMemberGroup(newest: ReadonlyMap<string, MemberHint>) {
  const heap: Place[] = [];
  /**
   * The one valid place of each member. Older ones are dropped when they reach the top of the heap,
   * or when they have become the most of it: behind members who are always free they never do.
   */
  const valid = new Map<string, Place>();

  function enter(place: Place) {
    valid.set(place.memberId, place);
    push(heap, place);
    if (heap.length <= 2 * valid.size + STALE_MAX) return;
    heap.length = 0;
    for (const kept of valid.values()) push(heap, kept);
  }

  return {
    /** Unless the member has an earlier turn already. */
    enter(place: Place) {
      const known = valid.get(place.memberId);
      if (known === undefined || byTurn(place, known) < 0) enter(place);
    },
    /** Takes out the member whose turn it is by the newest rows; undefined when none is left. */
    take(): MemberHint | undefined {
      for (;;) {
        const place = pop(heap);
        if (place === undefined) return undefined;
        if (valid.get(place.memberId) !== place) continue;
        valid.delete(place.memberId);
        const member = newest.get(place.memberId);
        if (member === undefined || !hasRoom(member)) continue;
        if (byTurn(member, place) === 0) return member;
        enter(placeOf(member));
      }
    },
    /** How many places are kept, valid or not. */
    size: () => heap.length,
    /** Everybody who can take one more order now, and some who cannot. */
    memberIds: () => valid.keys(),
    /** Puts a member back who was taken out. */
    putBack(memberId: string) {
      const member = newest.get(memberId);
      if (member !== undefined) enter(placeOf(member));
    },
  };
}

/** How many members are looked at for one need before the search is left to the database. */
const LOOKED_AT_MAX = 64;

/**
 * Adds to `chosen` the members to lock for these needs, served one after the other, and some
 * spares.
 */
export function choose(
  group: MemberGroup,
  needs: readonly ExpectedNeed[],
  at: Instant,
  chosen: Set<string>,
  spares: number,
) {
  const ahead = lookAhead(group);
  for (const need of needs) {
    const may = (member: MemberHint) => couldTake(member, need, at);
    const found =
      ahead.firstWho((member) => may(member) && !need.heldBefore.includes(member.memberId)) ??
      (need.heldBefore.length === 0 ? undefined : ahead.firstWho(may));
    if (found === undefined) continue;
    chosen.add(found.memberId);
    ahead.add({ ...found, openOrders: found.openOrders + 1, lastAssignedAt: at });
  }
  const enough = chosen.size + spares;
  while (chosen.size < enough) {
    const spare = ahead.next();
    if (spare === undefined) break;
    chosen.add(spare.memberId);
  }
  ahead.end();
}

/** The group as it will be after the members chosen so far have been given their orders. */
function lookAhead(group: MemberGroup) {
  const taken: MemberHint[] = [];
  const expected: MemberHint[] = [];

  function next() {
    const fresh = group.take();
    if (fresh !== undefined) {
      taken.push(fresh);
      push(expected, fresh);
    }
    return pop(expected);
  }

  return {
    next,
    add: (member: MemberHint) => push(expected, member),
    /** The first member who passes. Those before stay in line for the next need. */
    firstWho(passes: (member: MemberHint) => boolean): MemberHint | undefined {
      const passedOver: MemberHint[] = [];
      let found: MemberHint | undefined;
      while (found === undefined && passedOver.length < LOOKED_AT_MAX) {
        const best = next();
        if (best === undefined) break;
        if (passes(best)) found = best;
        else passedOver.push(best);
      }
      for (const member of passedOver) push(expected, member);
      return found;
    },
    /**
     * Puts everybody back at their own turn, since the expected orders may not be given to them.
     */
    end() {
      for (const { memberId } of taken) group.putBack(memberId);
    },
  };
}

function push<Entry extends Turn>(heap: Entry[], entry: Entry) {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (byTurn(heap[parent] as Entry, entry) <= 0) break;
    heap[at] = heap[parent] as Entry;
    at = parent;
  }
  heap[at] = entry;
}

function pop<Entry extends Turn>(heap: Entry[]): Entry | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && byTurn(heap[child + 1] as Entry, heap[child] as Entry) < 0)
      child += 1;
    if (byTurn(last, heap[child] as Entry) <= 0) break;
    heap[at] = heap[child] as Entry;
    at = child;
  }
  heap[at] = last;
  return top;
}
