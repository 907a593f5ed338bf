import { withinTime } from '../platform/database/limited.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { LONG_MS, refusingSlow } from '../platform/database/slow.ts';
import { found } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import {
  listNewestMovements,
  listOldestMovements,
  type MovementsOf,
  readSumsBefore,
  type Sums,
  type WalletMovement,
  type WalletPlace,
} from './movements.store.ts';

/** A merchant's statement: every movement of the wallet with the balances after it. */

type Deps = Pick<ServiceDeps, 'database' | 'clock'>;

/** A movement, and what was in the wallet after it. */
export interface StatedMovement extends WalletMovement {
  readonly after: Sums;
}

/** From where a page goes on: its movements are older, and the first of them left these sums. */
export interface StatementPlace extends WalletPlace, Sums {}

/**
 * A page of movements, the newest first. A page that goes on counts from the sums of its place; the
 * first one from the wallet as it is, less what came later than `to`. Throws `not-found`, and
 * `too-slow` where that is too much.
 */
export function pageOfMovements(
  { database }: Deps,
  asked: MovementsOf,
  { after, limit }: { readonly after: StatementPlace | null; readonly limit: number },
): Promise<readonly StatedMovement[]> {
  return withinItsTime(() =>
    withinTime(database, async (client) => {
      const sums =
        after ?? found(await readSumsBefore(client, asked.merchantId, asked.to), 'Merchant');
      return backward(sums, await listNewestMovements(client, { ...asked, after, limit }));
    }),
  );
}

/** The place behind a movement of a list. */
export const placeBehind = ({ at, movementId, after, wallet, frozen }: StatedMovement) => ({
  at,
  id: movementId,
  wallet: after.wallet - wallet,
  frozen: after.frozen - frozen,
});

const CHUNK = 500;
/** Every wallet begins with nothing. */
const NOTHING: Sums = { wallet: 0n, frozen: 0n };
/**
 * A movement is committed at most this long after its time: three times the deadline of a request.
 * What is older stays as it is.
 */
export const COMMITTED_AFTER_MS = 30_000;

/** All movements, and what was in the wallet before the first. */
interface AllMovements {
  readonly opening: Sums;
  readonly pages: AsyncIterable<readonly StatedMovement[]>;
}

/**
 * All movements, the oldest first, chunk by chunk as they are taken. Those of the last seconds are
 * read with the wallet, as of one moment, so that the last balances are the wallet's. Throws as
 * above, before it answers.
 */
export async function allMovements(
  { database, clock }: Deps,
  asked: MovementsOf,
): Promise<AllMovements> {
  const settled = clock.now() - COMMITTED_AFTER_MS;
  const past = { ...asked, to: Math.min(asked.to ?? settled, settled) };
  const recent = { ...asked, from: Math.max(asked.from ?? settled, settled) };
  const { opening, last } = await withinItsTime(() =>
    withinTime(
      database,
      async (client) => {
        const sums = found(await readSumsBefore(client, asked.merchantId, asked.from), 'Merchant');
        const chunks = await Array.fromAsync(chunksOf(client, recent));
        return { opening: asked.from === null ? NOTHING : sums, last: chunks.flat() };
      },
      LONG_MS,
    ),
  );
  return { opening, pages: stated(opening, chunksOf(database.pool, past), last) };
}

async function* chunksOf(
  db: Queryable,
  asked: MovementsOf,
): AsyncGenerator<readonly WalletMovement[]> {
  let after: WalletPlace | null = null;
  do {
    const chunk: readonly WalletMovement[] = await listOldestMovements(db, {
      ...asked,
      after,
      limit: CHUNK,
    });
    yield chunk;
    const last = chunk[CHUNK - 1];
    after = last === undefined ? null : { at: last.at, id: last.movementId };
  } while (after !== null);
}

async function* stated(
  opening: Sums,
  past: AsyncIterable<readonly WalletMovement[]>,
  last: readonly WalletMovement[],
): AsyncGenerator<readonly StatedMovement[]> {
  let sums = opening;
  for await (const chunk of past) {
    const rows = forward(sums, chunk);
    sums = rows.at(-1)?.after ?? sums;
    yield rows;
  }
  yield forward(sums, last);
}

/** The newest first: the first of them left these sums. */
function backward(sums: Sums, rows: readonly WalletMovement[]): readonly StatedMovement[] {
  let { wallet, frozen } = sums;
  return rows.map((row) => {
    const stated = { ...row, after: { wallet, frozen } };
    wallet -= row.wallet;
    frozen -= row.frozen;
    return stated;
  });
}

/** The oldest first: the first of them came to these sums. */
function forward(sums: Sums, rows: readonly WalletMovement[]): readonly StatedMovement[] {
  let { wallet, frozen } = sums;
  return rows.map((row) => {
    wallet += row.wallet;
    frozen += row.frozen;
    return { ...row, after: { wallet, frozen } };
  });
}

const withinItsTime = <T>(work: () => Promise<T>): Promise<T> =>
  refusingSlow(() => 'Bring `to` closer to now, or leave it out.', work);
