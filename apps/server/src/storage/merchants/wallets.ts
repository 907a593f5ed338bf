import { type Instant, type Money, money, type Wallet } from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from '../db.ts';
import { bytesArray, runPipeline } from '../pipeline.ts';
import { readWallet } from '../rows.ts';
import { execute, query, statement } from '../statement.ts';

const INSERT = statement(
  'insert-wallet',
  `insert into merchant_wallets (merchant_id)
   values ($1)`,
);

/** An empty wallet: every merchant has exactly one, made with the merchant. */
export async function insertWallet(db: Queryable, merchantId: string): Promise<void> {
  await execute(db, INSERT, [merchantId]);
}

const FIND = statement(
  'find-wallet',
  `select merchant_id, balance, reserved, frozen, overdrawn
   from merchant_wallets
   where merchant_id = $1`,
);

export async function findWallet(db: Queryable, merchantId: string): Promise<Wallet | undefined> {
  const [row] = await query(db, FIND, [merchantId]);
  return row && readWallet(row);
}

export interface BalanceQuestion {
  readonly apiKeyHash: string;
  readonly askedAt: Instant;
}

/** `revoked-meanwhile`: the key was active when the request came. */
export type BalanceAnswer =
  | 'key-not-active'
  | 'revoked-meanwhile'
  | { readonly balance: Money; readonly reserved: Money; readonly frozen: Money };

const BALANCES = statement(
  'balances',
  `select k.merchant_id, k.revoked_at, w.balance, w.reserved, w.frozen
   from unnest($1::bytea[]) with ordinality as q (key_hash, n)
   left join api_keys k on k.key_hash = q.key_hash and k.key_hash = any($1::bytea[])
   left join merchant_wallets w on w.merchant_id = k.merchant_id
   order by q.n`,
);

/** The balances that merchants ask for with their API keys. */
export async function readBalances(
  lane: pg.Client,
  questions: readonly BalanceQuestion[],
): Promise<readonly BalanceAnswer[]> {
  const hashes = bytesArray(questions.map(({ apiKeyHash }) => apiKeyHash));
  const [rows = []] = await runPipeline(lane, [{ ...BALANCES, values: [hashes] }]);
  return rows.map((row, at): BalanceAnswer => {
    if (row['merchant_id'] === null) return 'key-not-active';
    if (row['revoked_at'] !== null)
      return row['revoked_at'] >= (questions[at] as BalanceQuestion).askedAt
        ? 'revoked-meanwhile'
        : 'key-not-active';
    return {
      balance: money(row['balance']),
      reserved: money(row['reserved']),
      frozen: money(row['frozen']),
    };
  });
}
