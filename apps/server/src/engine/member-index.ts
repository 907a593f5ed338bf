import {
  type AccountTerms,
  byTurn,
  couldTake,
  type ExpectedNeed,
  type Instant,
  METHODS,
} from '@munshi/core';
import type { MemberHint } from '../storage/candidates.ts';

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

interface Entry {
  readonly memberId: string;
  /** The turn by which it lies in the heap; the member's own may have come later since. */
  readonly openOrders: number;
  readonly lastAssignedAt: Instant | null;
}

/**
 * Members who serve one kind of need. Each has one live entry in the heap; others of theirs are
 * dropped when they surface.
 */
interface Group {
  readonly heap: Entry[];
  readonly live: Map<string, Entry>;
}

/**
 * Members locked beyond those who are needed: hints may be stale, and others may give something out
 * meanwhile.
 */
const SPARES = 4;
/** Members looked at for one need before the search is left to the database. */
const LOOKED_AT_MAX = 64;

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
  /**
   * Writes of a member that are on their way, and when the last one ended, by a count of such ends.
   */
  const writing = new Map<string, number>();
  const endedAt = new Map<string, number>();
  let ends = 0;
  /** Those that somebody has asked for. */
  const groups = new Map<string, Group>();

  const groupNamed = (name: string): Group => {
    let group = groups.get(name);
    if (group === undefined) {
      group = { heap: [], live: new Map() };
      groups.set(name, group);
      for (const member of newest.values()) {
        if (couldServe(member) && groupNamesOf(member.accounts).includes(name))
          enter(group, entryOf(member));
      }
    }
    return group;
  };
  const couldServe = (member: MemberHint) =>
    member.online && member.status === 'active' && member.openOrders < member.maxOpenOrders;
  const entryOf = ({ memberId, openOrders, lastAssignedAt }: MemberHint): Entry => ({
    memberId,
    openOrders,
    lastAssignedAt,
  });

  function put(member: MemberHint) {
    const known = newest.get(member.memberId);
    newest.set(member.memberId, member);
    // A turn that has come later is put right when the entry surfaces; most changes are
    // assignments, and cost nothing here.
    if (
      known !== undefined &&
      hasMethodsOf(known, member) &&
      couldServe(known) &&
      byTurn(member, known) >= 0
    )
      return;
    if (!couldServe(member)) return;
    const entry = entryOf(member);
    for (const name of groupNamesOf(member.accounts)) {
      const group = groups.get(name);
      if (group === undefined) continue;
      const live = group.live.get(member.memberId);
      if (live === undefined || byTurn(member, live) < 0) enter(group, entry);
    }
  }

  function enter(group: Group, entry: Entry) {
    group.live.set(entry.memberId, entry);
    push(group.heap, entry);
  }

  /**
   * The member whose turn it is by the newest rows, taken out of the heap; undefined when nobody is
   * left.
   */
  function take(group: Group): MemberHint | undefined {
    for (;;) {
      const entry = pop(group.heap);
      if (entry === undefined) return undefined;
      if (group.live.get(entry.memberId) !== entry) continue;
      group.live.delete(entry.memberId);
      const member = newest.get(entry.memberId);
      if (member === undefined || !couldServe(member)) continue;
      if (byTurn(member, entry) === 0) return member;
      enter(group, entryOf(member));
    }
  }

  function pick(
    group: Group,
    needs: readonly ExpectedNeed[],
    at: Instant,
    chosen: Set<string>,
    spares: number,
  ) {
    const taken: MemberHint[] = [];
    /**
     * Those taken, as they would be after the orders that this call has in mind for them, by turn.
     */
    const inMind: MemberHint[] = [];
    /** Whose turn it is, of the heap and of those in mind. */
    const nextInTurn = () => {
      const fresh = take(group);
      if (fresh !== undefined) {
        taken.push(fresh);
        push(inMind, fresh);
      }
      return pop(inMind);
    };
    /** The first of them who passes; the passed over wait for the next need. */
    const firstWho = (passes: (member: MemberHint) => boolean): MemberHint | undefined => {
      const passedOver: MemberHint[] = [];
      let found: MemberHint | undefined;
      while (found === undefined && passedOver.length < LOOKED_AT_MAX) {
        const best = nextInTurn();
        if (best === undefined) break;
        if (passes(best)) found = best;
        else passedOver.push(best);
      }
      for (const member of passedOver) push(inMind, member);
      return found;
    };
    for (const need of needs) {
      const found = firstWho((member) => couldTake(member, need, at));
      if (found === undefined) continue;
      chosen.add(found.memberId);
      push(inMind, { ...found, openOrders: found.openOrders + 1, lastAssignedAt: at });
    }
    const enough = chosen.size + spares;
    while (chosen.size < enough) {
      const spare = nextInTurn();
      if (spare === undefined) break;
      chosen.add(spare.memberId);
    }
    // What this call had in mind is not known to happen: everybody goes back to their own turn.
    for (const { memberId } of taken) {
      const member = newest.get(memberId);
      if (member !== undefined) enter(group, entryOf(member));
    }
  }

  function end(memberId: string) {
    const left = (writing.get(memberId) ?? 0) - 1;
    if (left > 0) writing.set(memberId, left);
    else writing.delete(memberId);
    ends += 1;
    endedAt.set(memberId, ends);
  }

  return {
    put(member) {
      writing.set(member.memberId, (writing.get(member.memberId) ?? 0) + 1);
      put(withKnownAccounts(member, newest.get(member.memberId)));
    },
    written: end,
    takeBack(locked) {
      put(withKnownAccounts(locked, newest.get(locked.memberId)));
      end(locked.memberId);
    },
    forget(memberId) {
      newest.delete(memberId);
      end(memberId);
    },
    mark: () => ends,
    refresh(member, mark) {
      const { memberId } = member;
      if (writing.has(memberId) || (endedAt.get(memberId) ?? 0) > mark) return false;
      const known = newest.get(memberId);
      if (known === undefined || !saysTheSame(known, member)) put(member);
      return true;
    },
    candidates(needs, at, spares = SPARES) {
      const chosen = new Set<string>();
      for (const [name, group] of Map.groupBy(needs, groupOf))
        pick(groupNamed(name), group, at, chosen, spares);
      return [...chosen];
    },
  };
}

const hasMethodsOf = (known: MemberHint, { accounts }: MemberHint) =>
  accounts === known.accounts ||
  accounts.every(({ walletType }) =>
    known.accounts.some((account) => account.walletType === walletType),
  );

/** The row with the accounts of methods that were known before and not loaded with it. */
function withKnownAccounts(row: MemberHint, known: MemberHint | undefined): MemberHint {
  if (known === undefined) return row;
  const others = known.accounts.filter(
    ({ walletType }) => !row.accounts.some((account) => account.walletType === walletType),
  );
  return { ...row, accounts: [...row.accounts, ...others] };
}

type Turn = Parameters<typeof byTurn>[0];

/** Whether two rows of a member make the same hint. */
function saysTheSame(a: MemberHint, b: MemberHint): boolean {
  return (
    a.openOrders === b.openOrders &&
    a.lastAssignedAt === b.lastAssignedAt &&
    a.online === b.online &&
    a.status === b.status &&
    a.maxOpenOrders === b.maxOpenOrders &&
    a.floatBalance - a.floatHeld === b.floatBalance - b.floatHeld &&
    haveSameTerms(a.accounts, b.accounts)
  );
}

/**
 * Whether the approved accounts are alike. What one without a limit has taken today does not
 * matter.
 */
function haveSameTerms(a: MemberHint['accounts'], b: MemberHint['accounts']): boolean {
  if (a === b) return true;
  const approved = (accounts: MemberHint['accounts']) =>
    accounts.filter(({ status }) => status === 'approved');
  const [known, read] = [approved(a), approved(b)];
  const alike = (one: AccountTerms, other: AccountTerms) =>
    one.walletType === other.walletType &&
    one.minimumPerOrder === other.minimumPerOrder &&
    one.maximumPerOrder === other.maximumPerOrder &&
    one.maximumPerDay === other.maximumPerDay &&
    (one.maximumPerDay === null || (one.day === other.day && one.dayAmount === other.dayAmount));
  return (
    known.length === read.length &&
    read.every((account) => known.some((other) => alike(account, other)))
  );
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
