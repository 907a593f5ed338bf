import type pg from 'pg';
import type { Database } from './db.ts';
import { gather } from './gather.ts';
import { type ApiKeyAnswer, readApiKeys } from './keys.ts';
import { type BalanceAnswer, type BalanceQuestion, readBalances, readStatuses, type StatusAnswer, type StatusQuestion } from './status.ts';

/** The merchant face's look-ups, gathered on a connection of their own: four to five times single queries. */
export interface Readers {
  status(question: StatusQuestion): Promise<StatusAnswer>;
  balance(question: BalanceQuestion): Promise<BalanceAnswer>;
  /** By the SHA-256 of the key, in hex. */
  apiKey(hash: string): Promise<ApiKeyAnswer>;
  close(): Promise<void>;
}

const BATCH_MAX = 200;
/** Under the 10 s within which every request is answered. */
const TIMEOUT_MS = 8_000;

/** Opens its lane when first asked, and again after it was lost; a look-up that fails with the connection is thrown to its asker. */
export function createReaders(database: Database): Readers {
  let lane: pg.Client | undefined;
  const onLane =
    <Question, Answer>(run: (client: pg.Client, questions: readonly Question[]) => Promise<readonly Answer[]>) =>
    async (questions: readonly Question[]) => {
      if (lane?.connection.stream.destroyed) lane = undefined;
      lane ??= await database.openLane('readers', { timeoutMs: TIMEOUT_MS });
      return run(lane, questions);
    };
  return {
    status: gather(onLane(readStatuses), { max: BATCH_MAX }),
    balance: gather(onLane(readBalances), { max: BATCH_MAX }),
    apiKey: gather(onLane(readApiKeys), { max: BATCH_MAX }),
    close: async () => {
      await lane?.end().catch(() => {});
    },
  };
}
