import type { Instant } from '@munshi/core';
import { inTransaction } from '../platform/database/db.ts';
import { FIRST_ID } from '../platform/database/first-id.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { chainEntries, readChainHead } from './chain.store.ts';
import {
  type Break,
  findBrokenLink,
  findUnlinkedEntry,
  LATE_MINUTES,
  lockCheckState,
  putCheckState,
  readCheckState,
  readSoundUntil,
  readWaitingEntries,
} from './checks.store.ts';

type Deps = Pick<ServiceDeps, 'database' | 'clock'>;

/** Entries chained in one transaction. */
const CHAINED_AT_ONCE = 1_000;
/** Links and entries looked at in one piece: 50 ms of the database. */
const CHECKED_AT_ONCE = 5_000;

/** Chains what has been written to the audit log; answers whether more waits. */
export async function chainAuditLog({ database }: Pick<Deps, 'database'>): Promise<boolean> {
  const chain = (client: Parameters<typeof chainEntries>[0]) =>
    chainEntries(client, CHAINED_AT_ONCE);
  return (await inTransaction(database.pool, chain)) === CHAINED_AT_ONCE;
}

/**
 * Checks the next piece of the chain, and begins again where it ends, so that every entry is looked
 * at again and again. Answers a break that was not known before.
 */
export async function checkAuditChain({ database, clock }: Deps): Promise<Break | undefined> {
  return inTransaction(database.pool, async (client) => {
    const before = await lockCheckState(client);
    const { nextPosition, afterAuditId } = before;
    const { position: end } = await readChainHead(client);
    const link = await findBrokenLink(client, nextPosition, CHECKED_AT_ONCE);
    const entries = await findUnlinkedEntry(client, afterAuditId, CHECKED_AT_ONCE);
    const found = before.found ?? link ?? entries.found;
    const linksDone = nextPosition + CHECKED_AT_ONCE > end;
    const roundDone = linksDone && entries.last === null;
    await putCheckState(client, {
      nextPosition: roundDone ? 1 : Math.min(nextPosition + CHECKED_AT_ONCE, end + 1),
      afterAuditId: roundDone ? FIRST_ID : (entries.last ?? afterAuditId),
      found: roundDone ? null : found,
      broken: roundDone ? found : (found ?? before.broken),
      checkedAt: roundDone ? clock.now() : before.checkedAt,
    });
    return before.broken === null ? (found ?? undefined) : undefined;
  });
}

/** Whether the audit log is as it was written, as far as is known. */
export interface ChainState {
  /** `late`: entries wait to be chained for longer than they should. */
  readonly state: 'sound' | 'broken' | 'late';
  /** How many entries are chained. */
  readonly entries: number;
  /** The last hash, in hex: kept elsewhere, it proves later that nothing was cut off. */
  readonly head: string;
  readonly waiting: number;
  readonly broken: (Break & { readonly soundUntil: Instant | null }) | null;
  /** When everything was checked last. */
  readonly checkedAt: Instant | null;
}

export async function readChainState({ database: { pool } }: Pick<Deps, 'database'>) {
  const [{ position, hash }, { broken, checkedAt }, waiting] = await Promise.all([
    readChainHead(pool),
    readCheckState(pool),
    readWaitingEntries(pool, LATE_MINUTES),
  ]);
  const state: ChainState = {
    state: broken !== null ? 'broken' : waiting.late ? 'late' : 'sound',
    entries: position,
    head: hash.toString('hex'),
    waiting: waiting.count,
    broken: broken && { ...broken, soundUntil: await readSoundUntil(pool, broken) },
    checkedAt,
  };
  return state;
}
