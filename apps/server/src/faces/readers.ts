import type pg from 'pg';
import { type ApiKeyReader, readApiKeys } from '../api-keys/store.ts';
import { type BalanceReader, readBalances } from '../engine/rows/wallets.ts';
import { type AccountReader, readShownAccounts } from '../members/accounts.store.ts';
import { type MemberOrderReader, readMemberOrders } from '../members/orders.store.ts';
import { type PageOrderReader, readPageOrders } from '../orders/page.store.ts';
import { readStatuses, type StatusReader } from '../orders/status.store.ts';
import { type MemberSessionReader, readMemberSessions } from '../people/sessions.store.ts';
import { createBatchLoader } from '../platform/database/connection/batch-loader.ts';
import { createLane, isLost } from '../platform/database/connection/lane.ts';
import { remember } from '../platform/database/connection/remember.ts';
import type { Database } from '../platform/database/db.ts';

/**
 * The look-ups of the faces' busiest paths, gathered on a connection of their own: four to five
 * times single queries.
 */
export interface Readers
  extends StatusReader,
    BalanceReader,
    ApiKeyReader,
    MemberSessionReader,
    MemberOrderReader,
    PageOrderReader,
    AccountReader {
  close(): Promise<void>;
}

const BATCH_MAX = 200;
/** Some 300 bytes each. */
const ACCOUNTS_KEPT = 20_000;
/** Under the 10 s within which every request is answered, the wait for a connection included. */
const DEADLINE_MS = 8_000;
/** A connection on which nothing comes back for that long is abandoned. */
export const TIMEOUT_MS = 4_000;

export function createReaders(database: Database): Readers {
  const lane = createLane(database, { name: 'readers', timeoutMs: TIMEOUT_MS });

  /** Asks again once where the connection was lost under it: nothing was changed. */
  async function askOnLane<Answer>(ask: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
    const client = await lane.acquire();
    try {
      return await ask(client);
    } catch (error) {
      if (!isLost(client)) throw error;
      return await lane.run(ask);
    } finally {
      lane.release(client);
    }
  }

  const reader = <Question, Answer>(
    run: (client: pg.Client, questions: readonly Question[]) => Promise<readonly Answer[]>,
  ) =>
    createBatchLoader(
      (questions: readonly Question[]) => askOnLane((client) => run(client, questions)),
      {
        max: BATCH_MAX,
        deadlineMs: DEADLINE_MS,
      },
    );
  return {
    status: reader(readStatuses),
    balance: reader(readBalances),
    apiKey: reader(readApiKeys),
    memberSession: reader(readMemberSessions),
    memberOrder: reader(readMemberOrders),
    pageOrder: reader(readPageOrders),
    account: remember(reader(readShownAccounts), ACCOUNTS_KEPT),
    close: lane.close,
  };
}
