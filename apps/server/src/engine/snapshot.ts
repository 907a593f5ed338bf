import {
  type Adjustment,
  type Approval,
  type AuditEntry,
  byTurn,
  type Changes,
  canTakeMore,
  chooseMember,
  type Delivery,
  type Instant,
  isInHand,
  type Member,
  type MemberAccount,
  type Money,
  type Move,
  type MovedAlone,
  type Need,
  type Notice,
  type Order,
  type OrderNote,
  type Posting,
  type Replay,
  serves,
  type View,
  type Wallet,
} from '@munshi/core';
import type { LoadedRows, Writes } from '../storage/ledger.ts';

/** The loaded rows of one batch, as the commands before have left them. */
export interface Snapshot extends View {
  apply(changes: Changes): void;
  writes(): Writes;
  /** Needs for which others than the loaded members may be the right ones. */
  readonly unmet: readonly Unmet[];
  readonly notices: readonly Notice[];
  /** The members who may now be given withdrawals that they could not before. */
  ableToTakeMore(): readonly Member[];
  member(memberId: string): Member | undefined;
}

interface Unmet {
  readonly need: Need;
  /**
   * Somebody among the loaded members is eligible, but has an open deposit of the same amount:
   * others may have none (D27).
   */
  readonly twin: boolean;
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
  readonly now: Instant;
  /** The ids that were asked for: one of them that is absent does not exist. */
  readonly orderIds: ReadonlySet<string>;
  readonly notedOrderIds: ReadonlySet<string>;
  readonly memberIds: ReadonlySet<string>;
  readonly adjustmentIds: ReadonlySet<string>;
  readonly approvalTargets: ReadonlySet<string>;
  /** The rows have been searched for every need: nobody beyond the loaded members is eligible. */
  readonly exhaustive: boolean;
}

const pair = (a: string, b: string) => `${a} ${b}`;
const indexBy = <T>(rows: readonly T[], key: (row: T) => string) =>
  new Map(rows.map((row) => [key(row), row]));
const holdsDeposit = (order: Order) =>
  order.orderType === 'Deposit' && order.accountId !== null && isInHand(order.status);

/** Where the member lies, or would, in a list sorted by turn. */
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

export function createSnapshot(rows: LoadedRows, loaded: Loaded): Snapshot {
  const { terms } = rows;
  const replays = indexBy(rows.replays, ({ keyId, digest }) => pair(keyId, digest));
  const bound = indexBy(rows.bound, ({ apiKeyId, idempotencyKey }) =>
    pair(apiKeyId, idempotencyKey),
  );
  const byReference = (holders: LoadedRows['live']) =>
    new Map(
      holders.map((holder) => [pair(holder.merchantId, holder.reference), holder.orderReference]),
    );
  const live = byReference(rows.live);
  const confirmedLate = byReference(rows.confirmedLate);
  const orders = indexBy(rows.orders, ({ orderId }) => orderId);
  const wallets = indexBy(rows.wallets, ({ merchantId }) => merchantId);
  const members = indexBy(rows.members, ({ memberId }) => memberId);
  const adjustments = indexBy(rows.adjustments, ({ adjustmentId }) => adjustmentId);
  const approvals = indexBy(rows.approvals, ({ approvalId }) => approvalId);
  const sums = indexBy(rows.sums, ({ operatorId }) => operatorId);
  const inHand = new Map<string, Map<Money, number>>();
  const countInHand = (accountId: string, amount: Money, by: number) => {
    const amounts = inHand.get(accountId) ?? new Map<Money, number>();
    inHand.set(accountId, amounts.set(amount, (amounts.get(amount) ?? 0) + by));
  };
  const hasOpenDeposit = (accountId: string, amount: Money) =>
    (inHand.get(accountId)?.get(amount) ?? 0) > 0;
  for (const { accountId, amount } of rows.depositsInHand) countInHand(accountId, amount, 1);
  const candidates = new Map<string, Member[]>();

  const created = new Map<string, Order>();
  const changedOrders = new Set<string>();
  const changedMembers = new Set<string>();
  const changedWallets = new Set<string>();
  const changedAdjustments = new Set<string>();
  const changedApprovals = new Set<string>();
  const changedSums = new Set<string>();
  const newReplays: Replay[] = [];
  const moves: Move[] = [];
  const postings: Posting[] = [];
  const deliveries: Delivery[] = [];
  const notes: OrderNote[] = [];
  const noted = Map.groupBy(rows.notes, ({ orderId }) => orderId);
  const audit: AuditEntry[] = [];
  const notices: Notice[] = [];
  const unmet: Unmet[] = [];

  /** The loaded members with an account that serves the need, in turn; sorted once and kept so. */
  function candidatesFor(need: Need): readonly Member[] {
    const key = pair(need.orderType, need.walletType);
    let list = candidates.get(key);
    if (list === undefined) {
      list = [...members.values()]
        .filter(({ accounts }) => accounts.some((account) => serves(account, need)))
        .sort(byTurn);
      candidates.set(key, list);
    }
    return list;
  }

  function putMember(member: Member) {
    const before = members.get(member.memberId);
    members.set(member.memberId, member);
    changedMembers.add(member.memberId);
    for (const list of candidates.values()) {
      if (before !== undefined && list[placeOf(before, list)] === before) {
        list.splice(placeOf(before, list), 1);
        list.splice(placeOf(member, list), 0, member);
      }
    }
  }

  function putOrder(order: Order) {
    const before = orders.get(order.orderId);
    if (before !== undefined && holdsDeposit(before))
      countInHand(before.accountId as string, before.amount, -1);
    if (holdsDeposit(order)) countInHand(order.accountId as string, order.amount, 1);
    if (before?.liveReference != null) live.delete(pair(before.merchantId, before.liveReference));
    if (order.liveReference !== null)
      live.set(pair(order.merchantId, order.liveReference), order.orderReference);
    else if (order.merchantOrderRef !== null && order.completedAt !== null)
      confirmedLate.set(pair(order.merchantId, order.merchantOrderRef), order.orderReference);
    orders.set(order.orderId, order);
  }

  return {
    settings: terms.settings,
    unmet,
    notices,
    apiKey: terms.apiKey,
    replay: (keyId, digest) => replays.get(pair(keyId, digest)),
    boundOrder: (keyId, idempotencyKey) => bound.get(pair(keyId, idempotencyKey)),
    liveOrder: (merchantId, reference) =>
      live.get(pair(merchantId, reference)) ?? confirmedLate.get(pair(merchantId, reference)),
    order(orderId) {
      if (!loaded.orderIds.has(orderId) && !orders.has(orderId))
        throw new RowNotLoadedError(`order ${orderId}`);
      return orders.get(orderId);
    },
    notes(orderId) {
      if (!loaded.notedOrderIds.has(orderId)) throw new RowNotLoadedError(`notes of ${orderId}`);
      return [...(noted.get(orderId) ?? []), ...notes.filter((note) => note.orderId === orderId)];
    },
    merchant(merchantId) {
      const merchant = terms.merchant(merchantId);
      if (merchant === undefined) throw new RowNotLoadedError(`merchant ${merchantId}`);
      return merchant;
    },
    wallet(merchantId) {
      const wallet = wallets.get(merchantId);
      if (wallet === undefined) throw new RowNotLoadedError(`wallet ${merchantId}`);
      return wallet;
    },
    member(memberId) {
      if (!loaded.memberIds.has(memberId) && !members.has(memberId))
        throw new RowNotLoadedError(`member ${memberId}`);
      return members.get(memberId);
    },
    adjustment(adjustmentId) {
      if (!loaded.adjustmentIds.has(adjustmentId))
        throw new RowNotLoadedError(`adjustment ${adjustmentId}`);
      return adjustments.get(adjustmentId);
    },
    pendingApproval(kind, target) {
      if (!loaded.approvalTargets.has(target))
        throw new RowNotLoadedError(`approvals of ${target}`);
      return [...approvals.values()].find(
        (each) => each.kind === kind && each.target === target && each.status === 'pending',
      );
    },
    movedAlone(operatorId) {
      const sum = sums.get(operatorId);
      if (sum === undefined) throw new RowNotLoadedError(`sum of ${operatorId}`);
      return sum;
    },
    feeRules: (merchantId, at) =>
      terms
        .feeRules(merchantId)
        .filter(
          (rule) => rule.validFrom <= at && (rule.validUntil ?? Number.POSITIVE_INFINITY) > at,
        ),
    rate: (currency) => terms.rate(currency, loaded.now),
    findMember(need, at, instead) {
      const loadedOnes = candidatesFor(need);
      const inTurn =
        instead === undefined
          ? loadedOnes
          : loadedOnes
              .map((member) => (member.memberId === instead.memberId ? instead : member))
              .sort(byTurn);
      const found = chooseMember(inTurn, need, at, hasOpenDeposit);
      if (!loaded.exhaustive && (found === undefined || found.equalDeposit))
        unmet.push({ need, twin: found !== undefined });
      return found;
    },
    apply(changes) {
      if (changes.created) {
        created.set(changes.created.orderId, changes.created);
        bound.set(pair(changes.created.apiKeyId, changes.created.idempotencyKey), changes.created);
        putOrder(changes.created);
      }
      if (changes.order) {
        putOrder(changes.order);
        // Nobody knows an order's id before its batch is committed.
        if (created.has(changes.order.orderId))
          throw new Error('an order cannot change in the batch that creates it');
        changedOrders.add(changes.order.orderId);
      }
      for (const member of changes.members ?? []) putMember(member);
      if (changes.wallet) {
        wallets.set(changes.wallet.merchantId, changes.wallet);
        changedWallets.add(changes.wallet.merchantId);
      }
      if (changes.replay) {
        replays.set(pair(changes.replay.keyId, changes.replay.digest), changes.replay);
        newReplays.push(changes.replay);
      }
      if (changes.adjustment) {
        adjustments.set(changes.adjustment.adjustmentId, changes.adjustment);
        changedAdjustments.add(changes.adjustment.adjustmentId);
      }
      for (const approval of changes.approvals ?? []) {
        approvals.set(approval.approvalId, approval);
        changedApprovals.add(approval.approvalId);
      }
      if (changes.moved) {
        sums.set(changes.moved.operatorId, changes.moved);
        changedSums.add(changes.moved.operatorId);
      }
      if (changes.moves) moves.push(...changes.moves);
      if (changes.posting) postings.push(changes.posting);
      if (changes.delivery) deliveries.push(changes.delivery);
      if (changes.note) notes.push(changes.note);
      if (changes.audit) audit.push(changes.audit);
      if (changes.notices) notices.push(...changes.notices);
    },
    writes() {
      const changed = [...changedMembers].map((memberId) => members.get(memberId) as Member);
      const loadedAccounts = new Set<MemberAccount>(
        rows.members.flatMap(({ accounts }) => accounts),
      );
      return {
        createdOrders: [...created.values()],
        changedOrders: [...changedOrders].map((orderId) => orders.get(orderId) as Order),
        members: changed,
        accounts: changed.flatMap(({ accounts }) =>
          accounts.filter((account) => !loadedAccounts.has(account)),
        ),
        wallets: [...changedWallets].map((merchantId) => wallets.get(merchantId) as Wallet),
        adjustments: [...changedAdjustments].map(
          (adjustmentId) => adjustments.get(adjustmentId) as Adjustment,
        ),
        approvals: [...changedApprovals].map((approvalId) => approvals.get(approvalId) as Approval),
        sums: [...changedSums].map((operatorId) => sums.get(operatorId) as MovedAlone),
        replays: newReplays,
        moves,
        postings,
        deliveries,
        notes,
        audit,
      };
    },
    ableToTakeMore: () =>
      rows.members.flatMap((before) => {
        const after = members.get(before.memberId) as Member;
        return canTakeMore(before, after, loaded.now) ? [after] : [];
      }),
  };
}
