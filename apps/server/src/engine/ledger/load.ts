import type { Instant } from '@munshi/core';
import type pg from 'pg';
import { runPipeline } from '../../platform/database/pipeline.ts';
import { BEGIN, GUARD, type Statement } from '../../platform/database/statement.ts';
import { HOLD_TERMS, TERMS_VERSION, type Terms, type TermsCache } from '../rows/terms.ts';
import type { LoadedRows, LoadRequest } from './batch.ts';
import { askExisting, EXISTING, readExisting } from './creations.ts';
import {
  ACCOUNTS,
  askDepositsInHand,
  askMembers,
  CANDIDATE_ACCOUNTS,
  CANDIDATES,
  DEPOSITS_IN_HAND,
  MEMBERS,
  withAccounts,
} from './members.ts';
import { askSums, makesRows, SUMS } from './operators.ts';
import {
  APPLIED,
  askApplied,
  askCompleted,
  askOrders,
  COMPLETED,
  LIVE_OF_ORDERS,
  NOTES,
  ORDERS,
} from './orders.ts';
import { type Asked, ask, withoutLock } from './statements.ts';
import { ADJUSTMENTS, askAdjustments, askWallets, WALLETS } from './wallets.ts';

/**
 * Opens a transaction and loads what the batch names. The cell is held in its place (decision 19)
 * and the terms as they are (decision 1); rows are locked order by order, then wallets, then
 * members, each in id order.
 */
export function loadRows(
  lane: pg.Client,
  request: LoadRequest,
  terms: TermsCache,
  clock: () => Instant,
): Promise<LoadedRows> {
  const held = [BEGIN, GUARD, HOLD_TERMS].flatMap((sql) => ask(true, sql));
  return load(lane, [...held, ...statementsFor(request)], request, terms, clock);
}

/** Where the locks of a load begin, in a transaction that a write has opened. */
const BEFORE_LOCKS = { name: 'before-locks', text: 'savepoint before_locks' };
/** What the write does after that is its transaction's own. */
export const KEEP_LOCKS = { name: 'keep-locks', text: 'release savepoint before_locks' };

/** The same in a transaction that is open. It keeps what it has locked before. */
export function lockRows(
  client: pg.Client,
  request: LoadRequest,
  terms: TermsCache,
  clock: () => Instant,
): Promise<LoadedRows> {
  const held = [BEFORE_LOCKS, HOLD_TERMS].flatMap((sql) => ask(true, sql));
  return load(client, [...held, ...statementsFor(request)], request, terms, clock);
}

/** Lets go what `lockRows` has locked: other rows come before them. */
export async function unlockRows(client: pg.Client): Promise<void> {
  await client.query('rollback to savepoint before_locks');
}

/**
 * The same rows, in a transaction that is open, without a lock: it may be read only. Nothing is
 * made, so that an operator who has moved nothing yet gets a sum of 0 that is in no row.
 */
export async function lookAtRows(
  client: pg.Client,
  request: LoadRequest,
  terms: TermsCache,
  clock: () => Instant,
): Promise<LoadedRows> {
  const asked = statementsFor(request)
    .filter((asked) => !makesRows(asked))
    .map(withoutLock);
  const rows = await load(client, asked, request, terms, clock);
  const known = new Set(rows.sums.map(({ operatorId }) => operatorId));
  const none = request.summedOperatorIds
    .filter((operatorId) => !known.has(operatorId))
    .map((operatorId) => ({ operatorId, day: 0, amount: 0n }));
  return { ...rows, sums: [...rows.sums, ...none] };
}

async function load(
  lane: pg.Client,
  asked: readonly Asked[],
  request: LoadRequest,
  terms: TermsCache,
  clock: () => Instant,
): Promise<LoadedRows> {
  const answers = await runPipeline(lane, asked);
  // Not before the lock of the terms: what waited for their change is priced, and dated, after it.
  const now = clock();
  const of: AnswerOf = (...either) =>
    (answers[asked.findIndex((one) => either.includes(one.of as never))] ?? []) as never;
  const [version] = of(TERMS_VERSION);
  const known = await terms.read(lane, version?.version as string, {
    now,
    apiKeyHashes: request.apiKeyHashes,
    merchantIds: request.termsMerchantIds,
  });
  return readRows(of, known, now);
}

/** In the order in which the rows are locked. */
const statementsFor = (request: LoadRequest): readonly Asked[] => [
  ...ask(true, TERMS_VERSION),
  ...askOrders(request),
  ...askWallets(request),
  ...askMembers(request),
  ...askDepositsInHand(request),
  ...askAdjustments(request),
  ...askSums(request),
  // After the wallets' locks: a creation that finds money reserved by another of the same key
  // finds its order too.
  ...askExisting(request),
  // After the members' locks: of two orders of one account the second finds the first.
  ...askCompleted(request),
  ...askApplied(request),
];

/** What the one of these statements that was asked has answered; nothing where none was. */
type AnswerOf = <Result>(...either: readonly Statement<Result>[]) => readonly Result[];

const readRows = (of: AnswerOf, terms: Terms, now: Instant): LoadedRows => ({
  now,
  terms,
  ...readExisting(of(EXISTING), of(LIVE_OF_ORDERS)),
  orders: of(ORDERS),
  notes: of(NOTES),
  wallets: of(WALLETS),
  members: withAccounts(of(MEMBERS, CANDIDATES), of(ACCOUNTS, CANDIDATE_ACCOUNTS)),
  adjustments: of(ADJUSTMENTS),
  sums: of(SUMS),
  depositsInHand: of(DEPOSITS_IN_HAND),
  completed: of(COMPLETED),
  applied: new Set(of(APPLIED).map(({ commandId }) => commandId)),
});
