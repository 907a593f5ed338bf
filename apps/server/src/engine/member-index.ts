import {
  byTurn,
  CURRENCIES,
  couldTake,
  type ExpectedNeed,
  hasRoom,
  type Instant,
  METHODS,
} from '@munshi/core';
import { choose, createMemberGroup, type MemberGroup, placeOf } from './member-group.ts';
import { hasMethodsOf, saysTheSame, withKnownAccounts, without } from './member-hint.ts';
import type { MemberHint } from './rows/candidates.ts';

/**
 * Members by whose turn it is, for each currency with each method that deposits ask for and each
 * provider that withdrawals ask for. It is a hint only: it says whom to lock, and the locked rows decide. It is
 * kept by the rows that this process writes and by a refresh for those of others
 * (`follow-members.ts`).
 */
export interface MemberIndex {
  /**
   * Replaces what is known of a member by a newer row. The row has all accounts of a method or
   * none; the accounts of other methods stay as known.
   */
  put(member: MemberHint): void;
  /**
   * The members to lock for these needs: for each need the one whose turn it is after those before
   * have been served. With some spares, so that a stale hint does not lead to a false "nobody
   * available".
   */
  candidates(needs: readonly ExpectedNeed[], at: Instant, spares?: number): readonly string[];
  /**
   * Whether somebody could take this at once, as far as is known. `holder` has the order now and
   * would give it back first. False only if everybody who could serve it was looked at.
   */
  couldBeTaken(need: ExpectedNeed, at: Instant, holder: string | null): boolean;
  /** A row that was put has been committed: reads that begin from now on see it. */
  written(memberId: string): void;
  /** A row that was put was certainly not written: the member is as they were when locked. */
  takeBack(locked: MemberHint): void;
  /** It is not known whether a row that was put has been written. A refresh brings the true one. */
  forget(memberId: string): void;
  /** To be called before a read for `refresh` begins. */
  mark(): number;
  /**
   * Takes a row that was read without a lock, with every approved account, by a read that began at
   * `mark`. Returns false, and ignores the row, if it may be older than what is known, because the
   * member was being written then or has been since: it has to be read again.
   */
  refresh(member: MemberHint, mark: number): boolean;
}

/**
 * Members locked beyond those who are needed: hints may be stale, and other processes may give them
 * orders meanwhile.
 */
const SPARES = 4;

/**
 * How many members are looked at for one need; beyond them it counts as one that somebody can
 * serve.
 */
const SEARCHED_MAX = 1_000;

/**
 * The groups to which these accounts admit a member. Members without limits share one list of
 * accounts, for which the answer is kept.
 */
function groupNamesOf(accounts: MemberHint['accounts']): readonly string[] {
  let names = groupNames.get(accounts);
  if (names === undefined) {
    names = [
      ...new Set(
        accounts.flatMap(({ walletType, currencies }) =>
          (currencies ?? CURRENCIES).flatMap((currency) => [
            `Deposit ${walletType} ${currency}`,
            `Withdrawal ${METHODS[walletType].provider} ${currency}`,
          ]),
        ),
      ),
    ];
    groupNames.set(accounts, names);
  }
  return names;
}
const groupNames = new WeakMap<MemberHint['accounts'], readonly string[]>();
const groupOf = (need: ExpectedNeed) =>
  need.orderType === 'Deposit'
    ? `Deposit ${need.walletType} ${need.currency}`
    : `Withdrawal ${METHODS[need.walletType].provider} ${need.currency}`;

export function createMemberIndex(): MemberIndex {
  const newest = new Map<string, MemberHint>();
  /** A group is made when it is first asked for. */
  const groups = new Map<string, MemberGroup>();
  const writes = createWriteCounts();

  function groupNamed(name: string): MemberGroup {
    let group = groups.get(name);
    if (group === undefined) {
      group = createMemberGroup(newest);
      groups.set(name, group);
      for (const member of newest.values()) {
        if (hasRoom(member) && groupNamesOf(member.accounts).includes(name))
          group.enter(placeOf(member));
      }
    }
    return group;
  }

  function put(member: MemberHint, known: MemberHint | undefined) {
    newest.set(member.memberId, member);
    // A turn that has moved back is corrected when it reaches the top. Most changes are
    // assignments, which cost nothing this way.
    if (
      known !== undefined &&
      hasMethodsOf(known, member) &&
      hasRoom(known) &&
      byTurn(member, known) >= 0
    )
      return;
    if (!hasRoom(member)) return;
    const place = placeOf(member);
    for (const name of groupNamesOf(member.accounts)) groups.get(name)?.enter(place);
  }

  function putWritten(row: MemberHint) {
    const known = newest.get(row.memberId);
    put(withKnownAccounts(row, known), known);
  }

  return {
    put(member) {
      writes.begin(member.memberId);
      putWritten(member);
    },
    written: writes.end,
    takeBack(locked) {
      putWritten(locked);
      writes.end(locked.memberId);
    },
    forget(memberId) {
      newest.delete(memberId);
      writes.end(memberId);
    },
    mark: writes.mark,
    refresh(member, mark) {
      const { memberId } = member;
      if (writes.wereSince(memberId, mark)) return false;
      const known = newest.get(memberId);
      if (known === undefined || !saysTheSame(known, member)) put(member, known);
      return true;
    },
    couldBeTaken(need, at, holder) {
      const held = holder === null ? undefined : newest.get(holder);
      if (held !== undefined && couldTake(without(held, need), need, at)) return true;
      let left = SEARCHED_MAX;
      for (const memberId of groupNamed(groupOf(need)).memberIds()) {
        const member = newest.get(memberId);
        if (member !== undefined && couldTake(member, need, at)) return true;
        left -= 1;
        if (left === 0) return true;
      }
      return false;
    },
    candidates(needs, at, spares = SPARES) {
      const chosen = new Set<string>();
      for (const [name, group] of Map.groupBy(needs, groupOf))
        choose(groupNamed(name), group, at, chosen, spares);
      return [...chosen];
    },
  };
}

/** Which members are being written, or were since a mark. */
function createWriteCounts() {
  const underWay = new Map<string, number>();
  /** When each member's last write ended, by a count of such ends. */
  const endedAt = new Map<string, number>();
  let ends = 0;
  return {
    begin(memberId: string) {
      underWay.set(memberId, (underWay.get(memberId) ?? 0) + 1);
    },
    end(memberId: string) {
      const left = (underWay.get(memberId) ?? 0) - 1;
      if (left > 0) underWay.set(memberId, left);
      else underWay.delete(memberId);
      ends += 1;
      endedAt.set(memberId, ends);
    },
    mark: () => ends,
    wereSince: (memberId: string, mark: number) =>
      underWay.has(memberId) || (endedAt.get(memberId) ?? 0) > mark,
  };
}
