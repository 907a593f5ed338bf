import { byTurn, covers, type Instant, isAvailable, METHODS, type Member, type Need } from '@munshi/core';

/**
 * Members by whose turn it is, for each method that deposits ask for and each provider that withdrawals ask for. It is a
 * hint only: it says whom to lock, and the locked rows decide. It is kept by the rows that this process writes and by a
 * refresh for those of others.
 */
export interface MemberIndex {
  /** Takes a member's newest known row in place of the one before; accounts that were not loaded with it stay as known. */
  put(member: Member): void;
  /**
   * The members to lock for these needs: for each the one whose turn it is when those before have been served, and some
   * spares, so that a hint gone stale never turns into a false "nobody available".
   */
  candidates(needs: readonly Need[], at: Instant): readonly string[];
  /** The write of a row that was put has been committed: what is read from now on has it. */
  written(memberId: string): void;
  /** Takes back a row that was not written. The next refresh brings the true one. */
  forget(memberId: string): void;
  /** A moment to begin reading for a refresh at. */
  mark(): number;
  /**
   * Takes a row that was read without a lock, by a read begun at `mark`: ignored when it says nothing new, or may be older than
   * what is known, because a write of the member was on its way then or has been since.
   */
  refresh(member: Member, mark: number): void;
  readonly size: number;
}

interface Entry {
  readonly memberId: string;
  /** The turn by which it lies in the heap; the member's own may have come later since. */
  readonly openOrders: number;
  readonly lastAssignedAt: Instant | null;
}

/** Members who serve one kind of need. Each has one live entry in the heap; others of theirs are dropped when they surface. */
interface Group {
  readonly heap: Entry[];
  readonly live: Map<string, Entry>;
}

const SPARES = 4;
/** Members looked at for one need before the search is left to the database. */
const LOOKED_AT_MAX = 64;

/** The groups that a member's accounts put them in. */
const groupNamesOf = ({ accounts }: Member) => [
  ...new Set(accounts.flatMap(({ walletType }) => [`Deposit ${walletType}`, `Withdrawal ${METHODS[walletType].provider}`])),
];
const groupOf = (need: Need) => (need.orderType === 'Deposit' ? `Deposit ${need.walletType}` : `Withdrawal ${METHODS[need.walletType].provider}`);

export function createMemberIndex(): MemberIndex {
  const newest = new Map<string, Member>();
  /** Writes of a member that are on their way, and when the last one ended, by a count of such ends. */
  const writing = new Map<string, number>();
  const endedAt = new Map<string, number>();
  let ends = 0;
  const groups = new Map<string, Group>();
  const groupsOf = new Map<string, readonly Group[]>();

  const groupNamed = (name: string): Group => {
    let group = groups.get(name);
    if (group === undefined) {
      group = { heap: [], live: new Map() };
      groups.set(name, group);
    }
    return group;
  };
  const couldServe = (member: Member) => member.online && member.status === 'active' && member.openOrders < member.maxOpenOrders;
  const entryOf = ({ memberId, openOrders, lastAssignedAt }: Member): Entry => ({ memberId, openOrders, lastAssignedAt });

  function put(row: Member) {
    const known = newest.get(row.memberId);
    const member = withKnownAccounts(row, known);
    newest.set(member.memberId, member);
    // Accounts are added, never taken away or given another method: as many of them are in the same groups.
    let own = groupsOf.get(member.memberId);
    if (own === undefined || known?.accounts.length !== member.accounts.length) {
      own = groupNamesOf(member).map(groupNamed);
      groupsOf.set(member.memberId, own);
    }
    // A turn that has come later is put right when the entry surfaces; most changes are assignments, and cost nothing here.
    else if (known !== undefined && couldServe(known) && byTurn(member, known) >= 0) return;
    if (!couldServe(member)) return;
    for (const group of own) {
      const live = group.live.get(member.memberId);
      if (live === undefined || byTurn(member, live) < 0) enter(group, entryOf(member));
    }
  }

  function enter(group: Group, entry: Entry) {
    group.live.set(entry.memberId, entry);
    push(group.heap, entry);
  }

  /** The member whose turn it is by the newest rows, taken out of the heap; undefined when nobody is left. */
  function take(group: Group): Member | undefined {
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

  function pick(group: Group, needs: readonly Need[], at: Instant, chosen: Set<string>) {
    const taken: Member[] = [];
    /** Those taken, as they would be after the orders that this call has in mind for them, by turn. */
    const inMind: Member[] = [];
    /** The best of the heap and of those in mind who passes; the passed over wait for the next need. */
    const next = (passes: (member: Member) => boolean): Member | undefined => {
      const passedOver: Member[] = [];
      let found: Member | undefined;
      while (found === undefined && passedOver.length < LOOKED_AT_MAX) {
        const fresh = take(group);
        if (fresh !== undefined) {
          taken.push(fresh);
          push(inMind, fresh);
        }
        const best = pop(inMind);
        if (best === undefined) break;
        if (passes(best)) found = best;
        else passedOver.push(best);
      }
      for (const member of passedOver) push(inMind, member);
      return found;
    };
    for (const need of needs) {
      const found = next((member) => isAvailable(member, need) && member.accounts.some((account) => covers(account, need, at)));
      if (found === undefined) continue;
      chosen.add(found.memberId);
      push(inMind, { ...found, openOrders: found.openOrders + 1, lastAssignedAt: at });
    }
    const enough = chosen.size + SPARES;
    while (chosen.size < enough && next(({ memberId }) => !chosen.has(memberId) && chosen.add(memberId) !== undefined) !== undefined);
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
      put(member);
    },
    written: end,
    forget(memberId) {
      newest.delete(memberId);
      end(memberId);
    },
    mark: () => ends,
    refresh(member, mark) {
      const { memberId } = member;
      if (writing.has(memberId) || (endedAt.get(memberId) ?? 0) > mark) return;
      const known = newest.get(memberId);
      if (known === undefined || !saysTheSame(known, member)) put(member);
    },
    candidates(needs, at) {
      const chosen = new Set<string>();
      for (const [name, group] of Map.groupBy(needs, groupOf)) pick(groupNamed(name), group, at, chosen);
      return [...chosen];
    },
    get size() {
      return newest.size;
    },
  };
}

/** The row with the accounts that were known before and not loaded with it. */
function withKnownAccounts(row: Member, known: Member | undefined): Member {
  if (known === undefined) return row;
  const accounts = [...known.accounts];
  for (const account of row.accounts) {
    const at = accounts.findIndex(({ accountId }) => accountId === account.accountId);
    accounts[at === -1 ? accounts.length : at] = account;
  }
  return { ...row, accounts };
}

type Turn = Parameters<typeof byTurn>[0];

/** Whether two rows of a member make the same hint. */
function saysTheSame(a: Member, b: Member): boolean {
  return (
    a.openOrders === b.openOrders &&
    a.lastAssignedAt === b.lastAssignedAt &&
    a.online === b.online &&
    a.status === b.status &&
    a.maxOpenOrders === b.maxOpenOrders &&
    a.floatBalance - a.floatHeld === b.floatBalance - b.floatHeld &&
    a.accounts.length === b.accounts.length &&
    b.accounts.every(({ accountId, status, dayAmount }) =>
      a.accounts.some((account) => account.accountId === accountId && account.status === status && account.dayAmount === dayAmount),
    )
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
    if (child + 1 < heap.length && byTurn(heap[child + 1] as Entry, heap[child] as Entry) < 0) child += 1;
    if (byTurn(last, heap[child] as Entry) <= 0) break;
    heap[at] = heap[child] as Entry;
    at = child;
  }
  heap[at] = last;
  return top;
}
