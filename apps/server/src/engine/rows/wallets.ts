import type { Instant, Money, Wallet } from '@munshi/core';
import type pg from 'pg';
import { columns, from, type KindsOf, orNull, t } from '../../platform/database/columns.ts';
import { bytesArray, runPipeline } from '../../platform/database/pipeline.ts';
import { readsOne, statement, writes } from '../../platform/database/statement.ts';

/** An empty wallet: every merchant has exactly one, made with the merchant. */
export const insertWallet = writes(
  'insert-wallet',
  `insert into merchant_wallets (merchant_id)
   values ($1)`,
  (merchantId: string) => [merchantId],
);

/** What changes of a wallet. */
export const WALLET_SUMS = {
  balance: t.amount,
  reserved: t.amount,
  frozen: t.amount,
  overdrawn: t.boolean,
};
/** As core has it. */
export const WALLET_COLUMNS = { merchantId: t.uuid, ...WALLET_SUMS } satisfies KindsOf<Wallet>;
export const WALLET = columns('', WALLET_COLUMNS);

export const findWallet = readsOne(
  'find-wallet',
  `select ${WALLET.list}
   from merchant_wallets
   where merchant_id = $1`,
  WALLET,
  (merchantId: string) => [merchantId],
);

export interface BalanceQuestion {
  readonly apiKeyHash: string;
  readonly askedAt: Instant;
}

/** `revoked-meanwhile`: the key was active when the request came. */
export type BalanceAnswer =
  | 'key-not-active'
  | 'revoked-meanwhile'
  | { readonly balance: Money; readonly reserved: Money; readonly frozen: Money };

/** Of an unknown key all is null. */
const BALANCE = columns('w', {
  merchantId: from('k.merchant_id', orNull(t.uuid)),
  revokedAt: from('k.revoked_at', orNull(t.instant)),
  balance: t.amount,
  reserved: t.amount,
  frozen: t.amount,
});
const BALANCES = statement(
  'balances',
  `select ${BALANCE.list}
   from unnest($1::bytea[]) with ordinality as q (key_hash, n)
   left join api_keys k on k.key_hash = q.key_hash and k.key_hash = any($1::bytea[])
   left join merchant_wallets w on w.merchant_id = k.merchant_id
   order by q.n`,
  BALANCE,
);

export interface BalanceReader {
  balance(question: BalanceQuestion): Promise<BalanceAnswer>;
}

/** The balances that merchants ask for with their API keys. */
export async function readBalances(
  lane: pg.Client,
  questions: readonly BalanceQuestion[],
): Promise<readonly BalanceAnswer[]> {
  const hashes = bytesArray(questions.map(({ apiKeyHash }) => apiKeyHash));
  const [balances] = await runPipeline(lane, [{ ...BALANCES, values: [hashes] }]);
  return balances.map(({ merchantId, revokedAt, ...sums }, at): BalanceAnswer => {
    if (merchantId === null) return 'key-not-active';
    if (revokedAt === null) return sums;
    const { askedAt } = questions[at] as BalanceQuestion;
    return revokedAt >= askedAt ? 'revoked-meanwhile' : 'key-not-active';
  });
}
