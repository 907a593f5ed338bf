import {
  type AuditEntry,
  byTurn,
  type Changes,
  canTakeMore,
  chooseMember,
  type Delivery,
  type Member,
  type MemberAccount,
  type Move,
  type Need,
  type Notice,
  type OrderNote,
  type Posting,
  type View,
} from '@munshi/core';
import type { LoadedRows, Writes } from './ledger/batch.ts';
import { createOrders } from './orders.ts';
import { createTable, pair } from './table.ts';
import { createTurns } from './turns.ts';

/** The loaded rows of one batch, as the commands before have left them. */
export interface Snapshot extends View {
  apply(changes: Changes): void;
  writes(): Writes;
  /** Needs for which members that are not loaded may be the right ones. */
  readonly unmet: readonly Unmet[];
  readonly notices: readonly Notice[];
  /** The members who may now be given withdrawals that they could not before. */
  ableToTakeMore(): readonly Member[];
}

interface Unmet {
  readonly need: Need;
  /**
   * Somebody among the loaded members is eligible, but has an open deposit of the same amount:
   * others may have none (states.md#who-gets-an-order).
   */
  readonly equalDeposit: boolean;
}

/**
 * Asking for a row that the command's keys did not name is a bug: that command fails, its
 * neighbours go on.
 */
class RowNotLoadedError extends Error {
  constructor(what: string) {
    super(`row not loaded: ${what}`);
  }
}

interface Loaded {
  /** The ids that were asked for: a row that is absent although asked for does not exist. */
  readonly orderIds: ReadonlySet<string>;
  readonly notedOrderIds: ReadonlySet<string>;
  readonly memberIds: ReadonlySet<string>;
  readonly adjustmentIds: ReadonlySet<string>;
  /** The rows have been searched for every need: nobody beyond the loaded members is eligible. */
  readonly exhaustive: boolean;
}

export function createSnapshot(rows: LoadedRows, loaded: Loaded): Snapshot {
  const tables = tablesOf(rows);
  const { members } = tables;
  const added = nothingAdded();
  const turns = createTurns(members.values);
  const unmet: Unmet[] = [];
  const notices: Notice[] = [];

  return {
    ...viewOf(rows, loaded, tables, added),
    unmet,
    notices,
    findMember(need, at, instead) {
      const inTurn = turns.of(need);
      const candidates =
        instead === undefined
          ? inTurn
          : inTurn
              .map((member) => (member.memberId === instead.memberId ? instead : member))
              .sort(byTurn);
      const found = chooseMember(candidates, need, at, tables.orders.hasOpenDeposit);
      const isBest = found !== undefined && !found.equalDeposit && !found.heldBefore;
      if (!loaded.exhaustive && !isBest)
        unmet.push({ need, equalDeposit: found?.equalDeposit ?? false });
      return found;
    },
    apply(changes) {
      for (const member of changes.members ?? []) {
        turns.move(members.get(member.memberId), member);
        members.put(member);
      }
      putChanged(tables, changes);
      addNew(added, changes);
      if (changes.notices) notices.push(...changes.notices);
    },
    writes: () => writesOf(rows, tables, added),
    ableToTakeMore: () =>
      rows.members.flatMap((before) => {
        const after = members.get(before.memberId) as Member;
        return canTakeMore(before, after, rows.now) ? [after] : [];
      }),
  };
}

type Tables = ReturnType<typeof tablesOf>;

/** The rows that commands may change. */
const tablesOf = (rows: LoadedRows) => ({
  orders: createOrders(rows),
  members: createTable(rows.members, ({ memberId }) => memberId),
  wallets: createTable(rows.wallets, ({ merchantId }) => merchantId),
  replays: createTable(rows.replays, ({ keyId, digest }) => pair(keyId, digest)),
  adjustments: createTable(rows.adjustments, ({ adjustmentId }) => adjustmentId),
  sums: createTable(rows.sums, ({ operatorId }) => operatorId),
});

type Added = ReturnType<typeof nothingAdded>;

/** The rows that commands only add. */
const nothingAdded = () => ({
  moves: [] as Move[],
  postings: [] as Posting[],
  deliveries: [] as Delivery[],
  notes: [] as OrderNote[],
  audit: [] as AuditEntry[],
});

function viewOf(
  { terms, notes }: LoadedRows,
  loaded: Loaded,
  tables: Tables,
  added: Added,
): Omit<View, 'findMember'> {
  const { orders, members, wallets, replays, adjustments, sums } = tables;
  const notesOf = Map.groupBy(notes, ({ orderId }) => orderId);
  /** A command may only ask for rows that it has named. */
  function expectLoaded(named: ReadonlySet<string>, key: string, what: string) {
    if (!named.has(key)) throw new RowNotLoadedError(`${what} ${key}`);
  }
  function existing<Row>(row: Row | undefined, what: string): Row {
    if (row === undefined) throw new RowNotLoadedError(what);
    return row;
  }
  return {
    settings: terms.settings,
    apiKey: terms.apiKey,
    replay: (keyId, digest) => replays.get(pair(keyId, digest)),
    boundOrder: orders.boundTo,
    liveOrder: orders.holderOf,
    completedBy: orders.completedBy,
    order(orderId) {
      const order = orders.get(orderId);
      if (order === undefined) expectLoaded(loaded.orderIds, orderId, 'order');
      return order;
    },
    notes(orderId) {
      expectLoaded(loaded.notedOrderIds, orderId, 'notes of');
      const own = added.notes.filter((note) => note.orderId === orderId);
      return [...(notesOf.get(orderId) ?? []), ...own];
    },
    merchant: (merchantId) => existing(terms.merchant(merchantId), `merchant ${merchantId}`),
    wallet: (merchantId) => existing(wallets.get(merchantId), `wallet ${merchantId}`),
    member(memberId) {
      const member = members.get(memberId);
      if (member === undefined) expectLoaded(loaded.memberIds, memberId, 'member');
      return member;
    },
    adjustment(adjustmentId) {
      expectLoaded(loaded.adjustmentIds, adjustmentId, 'adjustment');
      return adjustments.get(adjustmentId);
    },
    movedAlone: (operatorId) => existing(sums.get(operatorId), `sum of ${operatorId}`),
    feeRules: (merchantId, at) =>
      terms
        .feeRules(merchantId)
        .filter(
          (rule) => rule.validFrom <= at && (rule.validUntil ?? Number.POSITIVE_INFINITY) > at,
        ),
    rate: terms.rate,
  };
}

function putChanged({ orders, wallets, replays, adjustments, sums }: Tables, changes: Changes) {
  if (changes.created) orders.create(changes.created);
  if (changes.order) orders.change(changes.order);
  if (changes.wallet) wallets.put(changes.wallet);
  if (changes.replay) {
    const { keyId, digest } = changes.replay;
    // Written once for the batch: it replaces what is stored, and not what came in between.
    const before = replays.changedRow(pair(keyId, digest));
    replays.put(before ? { ...changes.replay, replaces: before.replaces } : changes.replay);
  }
  if (changes.adjustment) adjustments.put(changes.adjustment);
  for (const sum of changes.moved ?? []) sums.put(sum);
}

function addNew(added: Added, changes: Changes) {
  if (changes.moves) added.moves.push(...changes.moves);
  if (changes.posting) added.postings.push(changes.posting);
  if (changes.delivery) added.deliveries.push(changes.delivery);
  if (changes.note) added.notes.push(changes.note);
  if (changes.audit) added.audit.push(changes.audit);
}

function writesOf(rows: LoadedRows, tables: Tables, added: Added): Writes {
  const members = tables.members.changed();
  const loadedAccounts = new Set<MemberAccount>(rows.members.flatMap(({ accounts }) => accounts));
  return {
    ...added,
    createdOrders: tables.orders.created(),
    changedOrders: tables.orders.changed(),
    members,
    accounts: members.flatMap(({ accounts }) =>
      accounts.filter((account) => !loadedAccounts.has(account)),
    ),
    wallets: tables.wallets.changed(),
    replays: tables.replays.changed(),
    adjustments: tables.adjustments.changed(),
    sums: tables.sums.changed(),
  };
}
