import { randomUUID } from 'node:crypto';
import type { Instant } from '@munshi/core';
import type pg from 'pg';
import { applyMerchantChange, readMerchantChange } from '../merchants/service.ts';
import { findMerchant } from '../merchants/store.ts';
import type { DatabaseTarget } from '../platform/config/database-url.ts';
import { dropClient } from '../platform/database/connection/lane.ts';
import { onStandby, readLagMs } from '../platform/database/connection/standby.ts';
import { BEGIN_SNAPSHOT, inSnapshot } from '../platform/database/db.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { recordedWrite } from '../writes/write.ts';
import {
  type BooksCheck,
  type BrokenRule,
  beginCheck,
  finishCheck,
  noteRule,
  readLatestChecks,
} from './checks.store.ts';
import type { Invariant } from './invariants/invariant.ts';
import { findBroken, INVARIANTS } from './invariants.ts';

/** When and where the books are checked. */
export interface BooksSchedule {
  /** Minutes after midnight, UTC; null: never. */
  readonly minuteOfDay: number | null;
  /** A standby that is read instead of the primary. */
  readonly standby: DatabaseTarget | undefined;
}

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'log'> & {
  readonly schedule: BooksSchedule;
  /** How far behind a standby may be. */
  readonly behindMaxMs?: number;
};

/** The check of a whole night, a rule at a time. */
export interface BooksChecks {
  /** Does the next piece, if the hour has come; answers whether there is more. */
  run(): Promise<boolean>;
  /** Ends what it reads. */
  stop(): void;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** If no check could start by then, that night is skipped: the day is for orders. */
const WINDOW_MS = 3 * 60 * MINUTE_MS;
/** What began earlier than this was abandoned. */
const GIVEN_UP_MS = 12 * 60 * MINUTE_MS;
/**
 * A standby further behind shows the books of another time. That of an idle primary is not so late:
 * `audit-check` commits every minute.
 */
const BEHIND_MAX_MS = 15 * MINUTE_MS;
/** Rows of a broken rule that are looked at: all merchants concerned should be among them. */
const ROWS_MAX = 10_000;
const EXAMPLES = 10;

/**
 * Checks every invariant once a night, each in a transaction of its own: no snapshot is kept for
 * longer than a rule takes. A breach counts if the primary shows it again (decision 21). Each is
 * logged and, by the setting, stops the withdrawals of the merchants whose money is concerned
 * (decision 21).
 */
export function createBooksChecks(deps: Deps): BooksChecks {
  const { database, clock, ids, log, schedule, behindMaxMs = BEHIND_MAX_MS } = deps;
  const { pool } = database;
  let reading: pg.Client | pg.PoolClient | undefined;
  let stopped = false;

  /** Begins a check if it is time, or goes on with the one that has begun. */
  async function current(now: Instant): Promise<BooksCheck | undefined> {
    const { latest } = await readLatestChecks(pool, now);
    const goesOn = latest?.finishedAt === null && now - latest.startedAt < GIVEN_UP_MS;
    if (goesOn) return latest;
    if (!isDue(schedule, latest, now)) return undefined;
    await beginCheck(pool, ids.uuid(now), now);
    return (await readLatestChecks(pool, now)).latest;
  }

  async function look(invariant: Invariant, now: Instant): Promise<readonly object[]> {
    const onPrimary = () =>
      inSnapshot(pool, (client) => {
        reading = client;
        return findBroken(client, invariant, now, ROWS_MAX);
      });
    const { standby } = schedule;
    const first =
      standby === undefined
        ? await onPrimary()
        : await onStandby(standby, async (client) => {
            reading = client;
            const lagMs = await readLagMs(client, pool, behindMaxMs);
            return lookBehind(client, invariant, now - lagMs);
          });
    return first.length === 0 ? first : onPrimary();
  }

  async function check(invariant: Invariant, now: Instant): Promise<readonly BrokenRule[]> {
    const rows = await look(invariant, now).finally(() => {
      reading = undefined;
    });
    if (rows.length === 0) return [];
    const { id, rule } = invariant;
    const examples = rows.slice(0, EXAMPLES).map((row) => JSON.stringify(row));
    log.error({ id, rule, rows: rows.length, examples }, 'the books are not sound');
    if (id.startsWith('I')) await stopWithdrawals(deps, rows);
    return [{ id, rule, rows: rows.length, examples }];
  }

  return {
    async run() {
      const now = clock.now();
      const begun = await current(now);
      if (begun === undefined) return false;
      const invariant = INVARIANTS[begun.rulesChecked];
      if (invariant === undefined) {
        await finishCheck(pool, begun.checkId, now);
        return false;
      }
      try {
        await noteRule(pool, begun, await check(invariant, now));
      } catch (error) {
        if (stopped) return false; // another process goes on
        throw error;
      }
      return true;
    },
    stop() {
      stopped = true;
      if (reading !== undefined) dropClient(reading as pg.Client);
    },
  };
}

function isDue(
  { minuteOfDay }: BooksSchedule,
  latest: BooksCheck | undefined,
  now: Instant,
): boolean {
  if (minuteOfDay === null) return false;
  const sinceDue = (((now - minuteOfDay * MINUTE_MS) % DAY_MS) + DAY_MS) % DAY_MS;
  return sinceDue < WINDOW_MS && (latest === undefined || latest.startedAt < now - sinceDue);
}

/** A standby is as late as its primary was then: deadlines of since then have not passed there. */
async function lookBehind(client: pg.Client, invariant: Invariant, then: Instant) {
  await client.query(BEGIN_SNAPSHOT);
  const rows = await findBroken(client, invariant, then, 1);
  await client.query('commit');
  return rows;
}

/**
 * Disables the withdrawal methods of the merchants that these rows name, as an operator would. Done
 * again it changes nothing.
 */
async function stopWithdrawals(deps: Deps, rows: readonly object[]): Promise<void> {
  const { pool } = deps.database;
  if (!(await readPlatformSettings(pool)).stopWithdrawalsOnBreach) return;
  const merchantIds = new Set(
    rows.flatMap((row) =>
      'merchant_id' in row && typeof row.merchant_id === 'string' ? row.merchant_id : [],
    ),
  );
  for (const merchantId of merchantIds) {
    const merchant = await findMerchant(pool, merchantId);
    if (merchant === undefined || merchant.withdrawalMethods.length === 0) continue;
    const caller = {
      actor: { kind: 'clock', id: null },
      once: { commandId: randomUUID(), mayBeDone: false },
      boundKey: null,
    } as const;
    const change = await readMerchantChange(merchantId, { withdrawalMethods: [] });
    await recordedWrite(deps, caller, (client, now) => applyMerchantChange(client, change, now));
    deps.log.error({ merchantId }, 'withdrawals of a merchant were stopped: its books are broken');
  }
}

/** What the checks have found, as far as is known. */
export interface BooksState {
  /** `unchecked`: no check has ended. */
  readonly state: 'sound' | 'broken' | 'unchecked';
  readonly checking: boolean;
  readonly finishedAt: Instant | null;
  readonly rules: number;
  readonly broken: readonly BrokenRule[];
}

export async function readBooksState({ database, clock }: Pick<Deps, 'database' | 'clock'>) {
  const { latest, finished } = await readLatestChecks(database.pool, clock.now());
  const broken = latest?.broken.length ? latest.broken : (finished?.broken ?? []);
  const state: BooksState = {
    state: broken.length > 0 ? 'broken' : finished === undefined ? 'unchecked' : 'sound',
    checking: latest !== undefined && latest.finishedAt === null,
    finishedAt: finished?.finishedAt ?? null,
    rules: INVARIANTS.length,
    broken,
  };
  return state;
}
