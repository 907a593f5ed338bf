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
  /** Takes a row that was read without a lock: ignored when it says nothing new, or is older than what is known. */
  refresh(member: Member): void;
  /** Takes back a row that was not written. The next refresh brings the true one. */
  forget(memberId: string): void;
  readonly size: number;
}

interface Entry {
  readonly member: Member;
  /** Orders that this call has in mind for the member already. */
  readonly openOrders: number;
  readonly lastAssignedAt: Instant | null;
  readonly memberId: string;
}

const SPARES = 4;
/** Members looked at for one need before the search is left to the database. */
const LOOKED_AT_MAX = 64;

/** The groups that a member's accounts put them in. Rows of one member mostly share their list of accounts' methods: it is worked out once. */
function groupsOf(member: Member): readonly string[] {
  const methods = member.accounts.map(({ walletType }) => walletType).join();
  let names = groupNames.get(methods);
  if (names === undefined) {
    names = [...new Set(member.accounts.flatMap(({ walletType }) => [`Deposit ${walletType}`, `Withdrawal ${METHODS[walletType].provider}`]))];
    groupNames.set(methods, names);
  }
  return names;
}
const groupNames = new Map<string, readonly string[]>();
const groupOf = (need: Need) => (need.orderType === 'Deposit' ? `Deposit ${need.walletType}` : `Withdrawal ${METHODS[need.walletType].provider}`);

export function createMemberIndex(): MemberIndex {
  const newest = new Map<string, Member>();
  const groups = new Map<string, Entry[]>();

  const groupNamed = (name: string) => {
    let heap = groups.get(name);
    if (heap === undefined) {
      heap = [];
      groups.set(name, heap);
    }
    return heap;
  };
  const couldServe = (member: Member) => member.online && member.status === 'active' && member.openOrders < member.maxOpenOrders;

  function put(row: Member) {
    const loaded = new Set(row.accounts.map(({ accountId }) => accountId));
    const others = newest.get(row.memberId)?.accounts.filter(({ accountId }) => !loaded.has(accountId)) ?? [];
    const member = others.length === 0 ? row : { ...row, accounts: [...row.accounts, ...others] };
    newest.set(member.memberId, member);
    if (!couldServe(member)) return; // entries of earlier rows are dropped when they surface
    const entry = { member, openOrders: member.openOrders, lastAssignedAt: member.lastAssignedAt, memberId: member.memberId };
    for (const name of groupsOf(member)) {
      const heap = groupNamed(name);
      push(heap, entry);
      if (heap.length > 64 && heap.length > 4 * newest.size) rebuild(name);
    }
  }

  /** Drops what newer rows have replaced. */
  function rebuild(name: string) {
    const heap: Entry[] = [];
    for (const member of newest.values()) {
      if (!couldServe(member) || !groupsOf(member).includes(name)) continue;
      push(heap, { member, openOrders: member.openOrders, lastAssignedAt: member.lastAssignedAt, memberId: member.memberId });
    }
    groups.set(name, heap);
  }

  function pick(name: string, needs: readonly Need[], at: Instant, chosen: Set<string>) {
    const heap = groupNamed(name);
    const mind = new Map<string, number>();
    const skip: Entry[] = [];
    const next = () => {
      for (;;) {
        const entry = pop(heap);
        if (entry === undefined) return undefined;
        if (entry.member === newest.get(entry.memberId)) return entry;
      }
    };
    for (const need of needs) {
      let looked = 0;
      let found: Entry | undefined;
      while (found === undefined && looked < LOOKED_AT_MAX) {
        const entry = next();
        if (entry === undefined) break;
        looked += 1;
        const open = mind.get(entry.memberId) ?? entry.member.openOrders;
        const fits = isAvailable({ ...entry.member, openOrders: open }, need) && entry.member.accounts.some((account) => covers(account, need, at));
        if (fits) found = entry;
        else skip.push(entry);
      }
      for (const entry of skip.splice(0)) push(heap, entry);
      if (found === undefined) continue;
      chosen.add(found.memberId);
      const open = (mind.get(found.memberId) ?? found.member.openOrders) + 1;
      mind.set(found.memberId, open);
      if (open < found.member.maxOpenOrders) push(heap, { ...found, openOrders: open, lastAssignedAt: at });
    }
    const spares: Entry[] = [];
    const enough = chosen.size + SPARES;
    while (chosen.size < enough) {
      const entry = next();
      if (entry === undefined) break;
      chosen.add(entry.memberId);
      spares.push(entry);
    }
    // What this call had in mind is not known to happen: the members go back to their own turn.
    for (const { memberId } of spares) restore(heap, memberId);
    for (const memberId of mind.keys()) restore(heap, memberId);
  }

  function restore(heap: Entry[], memberId: string) {
    const member = newest.get(memberId);
    if (member !== undefined) push(heap, { member, openOrders: member.openOrders, lastAssignedAt: member.lastAssignedAt, memberId });
  }

  return {
    put,
    refresh(member) {
      const known = newest.get(member.memberId);
      const older = (known?.lastAssignedAt ?? 0) > (member.lastAssignedAt ?? 0);
      if (known === undefined || (!older && !saysTheSame(known, member))) put(member);
    },
    forget: (memberId) => newest.delete(memberId),
    candidates(needs, at) {
      const chosen = new Set<string>();
      for (const [name, group] of Map.groupBy(needs, groupOf)) pick(name, group, at, chosen);
      return [...chosen];
    },
    get size() {
      return newest.size;
    },
  };
}

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

function push(heap: Entry[], entry: Entry) {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (byTurn(heap[parent] as Entry, entry) <= 0) break;
    heap[at] = heap[parent] as Entry;
    at = parent;
  }
  heap[at] = entry;
}

function pop(heap: Entry[]): Entry | undefined {
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
