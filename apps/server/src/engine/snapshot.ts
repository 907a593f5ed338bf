import {
  ADDED_KINDS,
  type AddedKind,
  type AddedRowOf,
  byTurn,
  type Changes,
  canTakeMore,
  chooseMember,
  forEachKind,
  type Lists,
  lookAt,
  type Member,
  type MemberAccount,
  type Need,
  type Notice,
  notNamed,
  type Replay,
  ROW_KINDS,
  ROWS,
  type RowKind,
  type RowOf,
  type View,
} from '@munshi/core';
import type { LoadedRows, LoadRequest, Writes } from './ledger/batch.ts';
import { createOrders } from './orders.ts';
import { createTable, pair, type Table } from './table.ts';
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
 * `exhaustive`: the rows have been searched for every need, and nobody beyond the loaded members is
 * eligible.
 */
export function createSnapshot(
  rows: LoadedRows,
  request: LoadRequest,
  exhaustive: boolean,
): Snapshot {
  const { terms } = rows;
  const tables = tablesOf(rows);
  const { members, orders } = tables;
  const replays = createTable(rows.replays, ({ keyId, digest }) => pair(keyId, digest));
  const added = Object.fromEntries(ADDED_KINDS.map((kind) => [kind, []])) as unknown as Added;
  const turns = createTurns(members.values);
  const unmet: Unmet[] = [];
  const notices: Notice[] = [];

  return {
    ...lookAt(tables, (kind, name, row) => {
      // A row that another command of the batch has named is there.
      if (row === undefined && !isNamed(kind, name, request, rows)) throw notNamed(kind, name);
    }),
    settings: terms.settings,
    apiKey: terms.apiKey,
    replay: (keyId, digest) => replays.get(pair(keyId, digest)),
    boundOrder: orders.boundTo,
    liveOrder: orders.holderOf,
    completedBy: orders.completedBy,
    merchant(merchantId) {
      const merchant = terms.merchant(merchantId);
      if (merchant === undefined) throw new Error(`no key names merchant ${merchantId}`);
      return merchant;
    },
    feeRules: (merchantId, at) =>
      terms
        .feeRules(merchantId)
        .filter(
          (rule) => rule.validFrom <= at && (rule.validUntil ?? Number.POSITIVE_INFINITY) > at,
        ),
    rate: terms.rate,
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
      const found = chooseMember(candidates, need, at, orders.hasOpenDeposit);
      const isBest = found !== undefined && !found.equalDeposit && !found.heldBefore;
      if (!exhaustive && !isBest) unmet.push({ need, equalDeposit: found?.equalDeposit ?? false });
      return found;
    },
    apply(changes) {
      for (const member of changes.members ?? []) turns.move(members.get(member.memberId), member);
      if (changes.created) orders.create(changes.created);
      if (changes.replay) putReplay(replays, changes.replay);
      for (const kind of ROW_KINDS)
        for (const row of changes[kind] ?? []) tables[kind].put(row as never);
      for (const kind of ADDED_KINDS) added[kind].push(...((changes[kind] ?? []) as never[]));
      if (changes.notices) notices.push(...changes.notices);
    },
    writes() {
      const changed = forEachKind<Lists>((kind) => tables[kind].changed());
      const loaded = new Set<MemberAccount>(rows.members.flatMap(({ accounts }) => accounts));
      return {
        ...changed,
        ...added,
        // A clock that is behind posts nothing into a day that is closed (decision 35).
        postings: added.postings.map((posting) =>
          posting.postedAt < terms.closedUntil
            ? { ...posting, postedAt: terms.closedUntil }
            : posting,
        ),
        created: orders.created(),
        replays: replays.changed(),
        accounts: changed.members.flatMap(({ accounts }) =>
          accounts.filter((account) => !loaded.has(account)),
        ),
      };
    },
    ableToTakeMore: () =>
      rows.members.flatMap((before) => {
        const after = members.get(before.memberId) as Member;
        return canTakeMore(before, after, rows.now) ? [after] : [];
      }),
  };
}

type Tables = { readonly [Kind in RowKind]: Table<RowOf<Kind>> };
type Added = { readonly [Kind in AddedKind]: AddedRowOf<Kind>[] };

/** The rows that commands may change. */
const tablesOf = (rows: LoadedRows) => ({
  ...forEachKind<Tables>((kind) => createTable<never>(rows[kind] as never[], ROWS[kind].keyOf)),
  orders: createOrders(rows),
});

/** Written once for the batch: it replaces what is stored, and not what came in between. */
function putReplay(replays: Table<Replay>, replay: Replay) {
  const before = replays.changedRow(pair(replay.keyId, replay.digest));
  replays.put(before ? { ...replay, replaces: before.replaces } : replay);
}

/** Whether it was asked for: a row that is absent although asked for does not exist. */
function isNamed(kind: RowKind, name: string, request: LoadRequest, rows: LoadedRows): boolean {
  if (request[kind].includes(name)) return true;
  if (kind !== 'members') return false;
  const { actingMemberIds, candidateIds, heldOrderIds } = request;
  return (
    actingMemberIds.includes(name) ||
    candidateIds.includes(name) ||
    rows.orders.some(({ orderId, memberId }) => memberId === name && heldOrderIds.includes(orderId))
  );
}
