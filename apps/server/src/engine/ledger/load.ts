import { forEachKind, type Instant, type Lists, ROW_KINDS } from '@munshi/core';
import type pg from 'pg';
import { runPipeline } from '../../platform/database/pipeline.ts';
import { BEGIN, GUARD } from '../../platform/database/statement.ts';
import { HOLD_TERMS, TERMS_VERSION, type Terms, type TermsCache } from '../rows/terms.ts';
import type { LoadedRows, LoadRequest } from './batch.ts';
import { askExisting, EXISTING, readExisting } from './creations.ts';
import { LEDGER } from './kinds.ts';
import { askDepositsInHand, DEPOSITS_IN_HAND } from './members.ts';
import {
  APPLIED,
  askApplied,
  askCompleted,
  askLiveOfOrders,
  COMPLETED,
  LIVE_OF_ORDERS,
} from './orders.ts';
import { type AnswerOf, type Asked, ask, asPreview } from './statements.ts';

/**
 * Opens a transaction and loads what the batch names. The cell is held in its place (decision 19)
 * and the terms as they are (decision 1); rows are locked in the order of core's `ROWS`, each kind by
 * its ids.
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
 * made.
 */
export const lookAtRows = (
  client: pg.Client,
  request: LoadRequest,
  terms: TermsCache,
  clock: () => Instant,
): Promise<LoadedRows> =>
  load(client, statementsFor(request).flatMap(asPreview), request, terms, clock);

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

/**
 * The locks come first: a creation that finds money reserved by another of the same key finds its
 * order too, and of two orders that one transaction would complete the second finds the first.
 */
const statementsFor = (request: LoadRequest): readonly Asked[] => [
  ...ask(true, TERMS_VERSION),
  ...ROW_KINDS.flatMap((kind) => LEDGER[kind].ask(request)),
  ...askLiveOfOrders(request),
  ...askDepositsInHand(request),
  ...askExisting(request),
  ...askCompleted(request),
  ...askApplied(request),
];

const readRows = (of: AnswerOf, terms: Terms, now: Instant): LoadedRows => ({
  now,
  terms,
  ...forEachKind<Lists>((kind) => LEDGER[kind].read(of)),
  ...readExisting(of(EXISTING), of(LIVE_OF_ORDERS)),
  depositsInHand: of(DEPOSITS_IN_HAND),
  completed: of(COMPLETED),
  applied: new Set(of(APPLIED).map(({ commandId }) => commandId)),
});
