import {
  accept,
  type Command,
  type CommandKind,
  type Context,
  type Decision,
  decide,
  type ExpectedNeed,
  forEachKind,
  type Instant,
  type Keys,
  keysOf,
  latestStamp,
  type Member,
  type Money,
  type Names,
  type Need,
  type ResultOf,
  startOfUtcDay,
  type WalletType,
} from '@munshi/core';
import type pg from 'pg';
import type { Ids } from './ids.ts';
import type { LoadedRows, LoadRequest, Writes } from './ledger/batch.ts';
import { loadRows, lockRows, lookAtRows, unlockRows } from './ledger/load.ts';
import { abandon } from './ledger/write.ts';
import type { MemberIndex } from './member-index.ts';
import { findCandidates, findWithoutEqual, servingMethods } from './rows/candidates.ts';
import type { TermsCache } from './rows/terms.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

/** A command with what the engine knows of it. */
export interface Job {
  readonly command: Command;
  /** How many batches with it have failed. */
  readonly attempts: number;
  /** One of them, or an earlier command of the same id, may have been committed. */
  readonly doubtful: boolean;
}

export type Outcome =
  | { readonly decision: Decision<ResultOf<CommandKind>> }
  | { readonly bug: Error };

/** A batch decided over locked rows, in an open transaction, ready to be written. */
export interface DecidedBatch {
  /** As the rows have it; orders' own times may be later. */
  readonly now: Instant;
  /** One for each job, in its order. */
  readonly outcomes: readonly Outcome[];
  readonly snapshot: Snapshot;
  readonly writes: Writes;
  /** As they were before. */
  readonly rows: LoadedRows;
  /** The members who change, as they were locked. */
  readonly membersBefore: readonly Member[];
}

export interface BatchOptions {
  /** Undefined while it does not have every member: the database is searched instead. */
  readonly index: MemberIndex | undefined;
  readonly terms: TermsCache;
  readonly ids: Ids;
  readonly keyedDigest: Context['keyedDigest'];
  readonly clock: () => Instant;
  readonly transaction: keyof typeof TRANSACTIONS;
}

/** In which transaction a batch loads its rows, and how it begins again where it needs others. */
const TRANSACTIONS = {
  /** One of its own. */
  own: { load: loadRows, beginAgain: abandon },
  /** That of a write, which is open and has locked rows already. */
  ofWrite: { load: lockRows, beginAgain: unlockRows },
  /** One that is open and read only: nothing is locked or written. */
  ofPreview: { load: lookAtRows, beginAgain: async () => {} },
};

/** Candidates that one search in the database returns at most. */
const SEARCH_LIMIT = 300;
/** For one amount: more than can have held one order. */
const PER_AMOUNT = 20;
/**
 * Candidates beyond the members needed: other processes may give them orders before they are
 * locked.
 */
const SPARES = 4;
/** After this many rounds of searching and locking, the rows at hand decide. */
const ROUNDS_MAX = 8;

/**
 * Loads, locks and decides a batch. The index says which members to lock; without it the database
 * is searched. The database is also searched before an order is left waiting because no loaded
 * member is eligible, and before a member gets a second deposit of the same amount or a payout that
 * they held before: another process may have changed members since the index read them
 * (states.md#who-gets-an-order, decision 7).
 * Members found this way are locked in a new round, so that locks are always taken in id order.
 */
export async function decideBatch(
  lane: pg.Client,
  jobs: readonly Job[],
  { index, terms, ids, keyedDigest, clock, transaction }: BatchOptions,
): Promise<DecidedBatch> {
  const { load, beginAgain } = TRANSACTIONS[transaction];
  const makers = { ids, keyedDigest };
  const taken = clock();
  const keys = jobs.map(({ command }) => keysOf(command));
  const needs = keys.flatMap(({ need }) => need ?? []);
  const candidates = new Set(
    index === undefined
      ? await search(lane, needs, taken, () => true)
      : index.candidates(needs, taken),
  );
  for (let round = 1; ; round += 1) {
    const request = requestFor(jobs, keys, candidates);
    const rows = await load(lane, request, terms, clock);
    const { now } = rows;
    const first = decideAll(jobs, rows, request, makers, false);
    if (first.snapshot.unmet.length === 0) return first;

    const locked = new Set<string>(rows.members.map(({ memberId }) => memberId));
    const isNew = (memberId: string) => !locked.has(memberId);
    const { unmet } = first.snapshot;
    const nobody = unmet.flatMap(({ need, equalDeposit }) => (equalDeposit ? [] : [need]));
    const found = await search(lane, nobody, now, (memberId) => round === 1 && isNew(memberId));
    const equals = unmet.flatMap(({ need, equalDeposit }) => (equalDeposit ? [need] : []));
    const unlocked = [...found, ...(await searchWithoutEqual(lane, equals, locked, now))].filter(
      isNew,
    );
    if (unlocked.length === 0 || round === ROUNDS_MAX)
      return decideAll(jobs, rows, request, makers, true);
    for (const memberId of unlocked) candidates.add(memberId);
    await beginAgain(lane);
  }
}

/**
 * Finds eligible members in the database, by one search for each kind of need, with its smallest
 * amount. If that search is full and none of its members `helps`, each amount is searched for. Who
 * holds or held an order counts over the locked rows: payouts that pass their window together have a
 * holder each, and a search for each took the batch's time.
 */
export async function search(
  lane: pg.ClientBase,
  needs: readonly ExpectedNeed[],
  now: Instant,
  helps: (memberId: string) => boolean,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const group of Map.groupBy(
    needs,
    ({ orderType, walletType, currency }) => `${orderType} ${walletType} ${currency}`,
  ).values()) {
    const smallest = group.reduce((least, need) =>
      isLess(need.floatAmount, least.floatAmount) ? need : least,
    );
    const everybody = await findCandidates(lane, smallest, now, SEARCH_LIMIT);
    for (const memberId of everybody) found.add(memberId);
    if (everybody.length < SEARCH_LIMIT || everybody.some(helps)) continue;
    for (const need of new Map(group.map((each) => [each.floatAmount, each])).values()) {
      for (const memberId of await findCandidates(lane, need, now, PER_AMOUNT)) found.add(memberId);
    }
  }
  return [...found];
}

/**
 * Members who could take these deposits and have no equal one in hand: as many for each amount as
 * there are deposits of it, and spares.
 */
async function searchWithoutEqual(
  lane: pg.Client,
  needs: readonly Need[],
  locked: ReadonlySet<string>,
  now: Instant,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const [first, ...equal] of Map.groupBy(
    needs,
    ({ walletType, currency, amount, floatAmount }) =>
      `${walletType} ${currency} ${amount} ${floatAmount}`,
  ).values()) {
    const wanted = Math.min(1 + equal.length + SPARES, SEARCH_LIMIT);
    for (const memberId of await findWithoutEqual(lane, first as Need, [...locked], now, wanted))
      found.add(memberId);
  }
  return [...found];
}

/** An amount that is not known may be any. */
const isLess = (amount: Money | null, least: Money | null) =>
  least !== null && (amount === null || amount < least);

function requestFor(
  jobs: readonly Job[],
  keys: readonly Keys[],
  candidates: ReadonlySet<string>,
): LoadRequest {
  const distinct = (ids: readonly string[]) => [...new Set(ids)];
  const distinctMethods = (methods: readonly WalletType[]) => [...new Set(methods)];
  const creations = keys.flatMap(({ creation }) => creation ?? []);
  const needs = keys.flatMap(({ need }) => need ?? []);
  const deposits = needs.filter(({ orderType }) => orderType === 'Deposit');
  const ordersOf = (named: readonly Keys[]) =>
    distinct(named.flatMap(({ orders }) => orders ?? []));
  return {
    ...forEachKind<Names>((kind) => distinct(keys.flatMap(({ [kind]: names }) => names ?? []))),
    creations,
    settledOrderIds: ordersOf(keys.filter(({ settles }) => settles)),
    heldOrderIds: ordersOf(keys.filter(({ settles, releases }) => settles || releases)),
    transactions: keys.flatMap(({ orders = [], transaction }) =>
      transaction === undefined ? [] : orders.map((orderId) => ({ orderId, transaction })),
    ),
    actingMemberIds: distinct(keys.flatMap(({ actingMemberId }) => actingMemberId ?? [])),
    candidateIds: [...candidates],
    candidateMethods: distinctMethods(needs.flatMap(servingMethods)),
    apiKeyHashes: distinct(creations.map(({ apiKeyHash }) => apiKeyHash)),
    termsMerchantIds: distinct([
      ...creations.map(({ merchantId }) => merchantId),
      ...keys.flatMap(({ termsOf }) => termsOf ?? []),
    ]),
    depositAmounts: [...new Set(deposits.map(({ amount }) => amount))],
    depositMethods: distinctMethods(deposits.map(({ walletType }) => walletType)),
    doubtful: jobs.flatMap(({ command, doubtful }) => (doubtful ? [command.commandId] : [])),
  };
}

function decideAll(
  jobs: readonly Job[],
  rows: LoadedRows,
  request: LoadRequest,
  makers: Makers,
  exhaustive: boolean,
): DecidedBatch {
  const { now } = rows;
  const snapshot = createSnapshot(rows, request, exhaustive);
  const time = notBeforeMembers(rows.members, now);
  const context = contextAt(time, makers);
  const outcomes: Outcome[] = [];
  for (const [at, { command, doubtful }] of jobs.entries()) {
    try {
      const known = doubtful ? outcomeBefore(jobs, at, outcomes, rows, snapshot) : undefined;
      if (known !== undefined) {
        outcomes.push(known);
        continue;
      }
      const order = 'orderId' in command ? snapshot.orders.get(command.orderId) : undefined;
      const latest = order === undefined ? time : Math.max(time, latestStamp(order));
      const decision = decide(
        command,
        snapshot,
        latest === time ? context : contextAt(latest, makers),
      );
      snapshot.apply(decision.changes);
      outcomes.push({ decision });
    } catch (error) {
      outcomes.push({ bug: error as Error });
    }
  }
  const writes = snapshot.writes();
  const changed = new Set(writes.members.map(({ memberId }) => memberId));
  const membersBefore = rows.members.filter(({ memberId }) => changed.has(memberId));
  return { now, outcomes, snapshot, writes, rows, membersBefore };
}

/**
 * The outcome of a command that was done before: earlier in the batch under the same id, or
 * committed.
 */
function outcomeBefore(
  jobs: readonly Job[],
  at: number,
  outcomes: readonly Outcome[],
  rows: LoadedRows,
  snapshot: Snapshot,
): Outcome | undefined {
  const { command } = jobs[at] as Job;
  const same = jobs.findIndex((job) => job.command.commandId === command.commandId);
  if (same < at) return outcomes[same];
  return rows.applied.has(command.commandId)
    ? { decision: accept(resultAsStored(command, snapshot)) }
    : undefined;
}

type Makers = Pick<BatchOptions, 'ids' | 'keyedDigest'>;

const contextAt = (now: Instant, { ids, keyedDigest }: Makers): Context => ({
  now,
  newId: () => ids.uuid(now),
  newReference: () => ids.orderReference(now),
  keyedDigest,
});

/**
 * How much the clocks of processes on one database may differ. One that is further ahead is wrong
 * and is ignored.
 */
const SKEW_MAX_MS = 10_000;

/**
 * The time of a batch. It is not before these members were last given an order, or the day began
 * that their accounts have come to, perhaps at a process whose clock is a little ahead: otherwise a
 * member's day could begin twice around midnight. An order's own times never go back, however far
 * ahead they are.
 */
function notBeforeMembers(members: readonly Member[], now: Instant): Instant {
  let time = now;
  const notBefore = (at: Instant) => {
    if (at > time && at <= now + SKEW_MAX_MS) time = at;
  };
  for (const { lastAssignedAt, accounts } of members) {
    if (lastAssignedAt !== null) notBefore(lastAssignedAt);
    for (const { day } of accounts) notBefore(startOfUtcDay(day));
  }
  return time;
}

/** The result of a command that turned out to be committed already. */
function resultAsStored(command: Command, snapshot: Snapshot): ResultOf<CommandKind> {
  if (command.kind === 'update-member')
    return snapshot.members.get(command.memberId) as ResultOf<'update-member'>;
  if (command.kind === 'adjust-wallet')
    return snapshot.adjustments.get(command.commandId) as ResultOf<'adjust-wallet'>;
  if (command.kind === 'adjust-float')
    return { status: 'applied', member: snapshot.members.get(command.memberId) as Member };
  if (!('orderId' in command)) throw new Error(`${command.kind} leaves no trace in an order`);
  const order = snapshot.orders.get(command.orderId) as ResultOf<'open-page'>;
  if (command.kind === 'operator-confirm') return { status: 'confirmed', order };
  if (command.kind === 'operator-resolve') return { status: 'resolved', order };
  return order;
}
