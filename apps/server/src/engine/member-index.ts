import { byTurn, couldTake, type ExpectedNeed, type Instant, METHODS } from '@munshi/core';
import type { MemberHint } from '../storage/candidates.ts';
import { choose, createMemberGroup, type MemberGroup, placeOf } from './member-group.ts';
import {
  couldServe,
  hasMethodsOf,
  saysTheSame,
  withKnownAccounts,
  without,
} from './member-hint.ts';

/**
 * Members by whose turn it is, for each method that deposits ask for and each provider that
 * withdrawals ask for. It is a hint only: it says whom to lock, and the locked rows decide. It is
 * kept by the rows that this process writes and by a refresh for those of others
 * (`follow-members.ts`).
 */
export interface MemberIndex {
  /**
   * Takes a member's newest known row in place of the one before. It has all accounts of a method
   * or none: those of methods that were not loaded with it stay as known.
   */
  put(member: MemberHint): void;
  /**
   * The members to lock for these needs: for each the one whose turn it is when those before have
   * been served, and some spares, so that a hint gone stale never turns into a false "nobody
   * available".
   */
  candidates(needs: readonly ExpectedNeed[], at: Instant, spares?: number): readonly string[];
  /**
   * Whether somebody could take this at once, as far as is known; `holder` has the order and would
   * give it back first. Says no only where everybody who could serve it was looked at.
   */
  couldBeTaken(need: ExpectedNeed, at: Instant, holder: string | null): boolean;
  /** The write of a row that was put has been committed: what is read from now on has it. */
  written(memberId: string): void;
  /** A row that was put was certainly not written: the member is again as they were locked. */
  takeBack(locked: MemberHint): void;
  /** Whether a row that was put has been written is not known. A refresh brings the true one. */
  forget(memberId: string): void;
  /** A moment to begin reading for a refresh at. */
  mark(): number;
  /**
   * Takes a row that was read with every approved account and without a lock, by a read begun at
   * `mark`: ignored when it says nothing new, or may be older than what is known, because a write
   * of the member was on its way then or has been since. Answers false for the latter: it has to be
   * read again.
   */
  refresh(member: MemberHint, mark: number): boolean;
}

/**
 * Members locked beyond those who are needed: hints may be stale, and others may give something out
 * meanwhile.
 */
const SPARES = 4;

/** Members looked at before it is said that nobody can serve a need: beyond, somebody may. */
const SEARCHED_MAX = 1_000;

/**
 * The groups that these accounts put a member in. Members without limits share their accounts, and
 * so the answer.
 */
function groupNamesOf(accounts: MemberHint['accounts']): readonly string[] {
  let names = groupNames.get(accounts);
  if (names === undefined) {
    names = [
      ...new Set(
        accounts.flatMap(({ walletType }) => [
          `Deposit ${walletType}`,
          `Withdrawal ${METHODS[walletType].provider}`,
        ]),
      ),
    ];
    groupNames.set(accounts, names);
  }
  return names;
}
const groupNames = new WeakMap<MemberHint['accounts'], readonly string[]>();
const groupOf = (need: ExpectedNeed) =>
  need.orderType === 'Deposit'
    ? `Deposit ${need.walletType}`
    : `Withdrawal ${METHODS[need.walletType].provider}`;

export function createMemberIndex(): MemberIndex {
  const newest = new Map<string, MemberHint>();
  /** Those that somebody has asked for. */
  const groups = new Map<string, MemberGroup>();
  const writes = createWriteCounts();

  function groupNamed(name: string): MemberGroup {
    let group = groups.get(name);
    if (group === undefined) {
      group = createMemberGroup(newest);
      groups.set(name, group);
      for (const member of newest.values()) {
        if (couldServe(member) && groupNamesOf(member.accounts).includes(name))
          group.enter(placeOf(member));
      }
    }
    return group;
  }

  function put(member: MemberHint, known: MemberHint | undefined) {
    newest.set(member.memberId, member);
    // A turn that has come later is put right when it surfaces; most changes are assignments, and
    // cost nothing here.
    if (
      known !== undefined &&
      hasMethodsOf(known, member) &&
      couldServe(known) &&
      byTurn(member, known) >= 0
    )
      return;
    if (!couldServe(member)) return;
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
