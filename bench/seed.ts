import { hash, randomBytes, randomUUID } from 'node:crypto';
import {
  PLATFORM_MERCHANT_ID,
  WALLET_TYPES,
  type WalletType,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import type { Database } from '../apps/server/src/platform/database/db.ts';
import { createVault } from '../apps/server/src/platform/vault.ts';
import { MASTER_KEY } from './environment.ts';
import { idAt } from './ids.ts';

/** A merchant with its credentials. */
export interface Merchant {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}

/** More than any run spends or holds, in PKR. */
const PLENTY = '1000000000000';
const sha256 = (text: string) => Buffer.from(hash('sha256', text), 'hex');

/**
 * Active merchants with a key, a fee rule for each kind of order, and enough money, posted as an
 * operator's credit.
 */
export async function seedMerchants(
  { pool }: Database,
  count: number,
): Promise<readonly Merchant[]> {
  const vault = createVault(MASTER_KEY);
  const merchants = Array.from({ length: count }, () => ({
    merchantId: randomUUID(),
    keyId: randomUUID(),
    apiKey: `mk_live_${randomBytes(16).toString('hex')}`,
    signingSecret: `sksec_${randomBytes(20).toString('hex')}`,
  }));
  const ids = merchants.map(({ merchantId }) => merchantId);
  const sealed = merchants.map(({ signingSecret, ...owner }) => vault.seal(signingSecret, owner));
  await pool.query(
    `insert into merchants (merchant_id, name, deposit_methods, withdrawal_methods, currencies, created_at)
     select id, 'Merchant ' || number, $2, $3, '{PKR}', now() from unnest($1::uuid[]) with ordinality as m (id, number)`,
    [ids, WALLET_TYPES, WITHDRAWAL_METHODS],
  );
  await pool.query(
    `insert into api_keys (merchant_id, key_id, key_hash, prefix, sealed_secret, seal_key_id, created_at)
     select merchant, key_id, key_hash, prefix, sealed, seal_key, now() from unnest($1::uuid[], $2::bytea[], $3::text[], $4::bytea[], $5::text[], $6::uuid[])
       as k (merchant, key_hash, prefix, sealed, seal_key, key_id)`,
    [
      ids,
      merchants.map(({ apiKey }) => sha256(apiKey)),
      merchants.map(({ apiKey }) => apiKey.slice(8, 16)),
      sealed.map((secret) => secret.sealed),
      sealed.map((secret) => secret.sealKeyId),
      merchants.map(({ keyId }) => keyId),
    ],
  );
  await pool.query(
    `insert into fee_rules (fee_rule_id, merchant_id, order_type, wallet_type, percent, fixed, valid_from)
     select gen_random_uuid(), id, type, 'ProviderA', percent, fixed, now() from unnest($1::uuid[]) id, (values ('Deposit', 2, 0), ('Withdrawal', 0, 10)) as r (type, percent, fixed)`,
    [ids],
  );
  await pool.query(
    `with credited as (insert into merchant_wallets (merchant_id, balance) select id, $2::numeric from unnest($1::uuid[]) id returning merchant_id),
       adjusted as (insert into adjustments (merchant_id, adjustment_id, kind, amount, reason, status, requested_by, requested_at)
         select merchant_id, ${idAt('now()')}, 'credit', $2::numeric, 'opening balance', 'applied', 'bench', now() from credited
         returning merchant_id, adjustment_id)
     insert into postings (merchant_id, posting_id, kind, wallet, adjustments, posted_at)
       select merchant_id, adjustment_id, 'credit', $2::numeric, -$2::numeric, now() from adjusted`,
    [ids, PLENTY],
  );
  return merchants;
}

export interface Member {
  readonly memberId: string;
  /** For `Authorization: Bearer`. */
  readonly token: string;
}

interface MemberOptions {
  readonly methods?: readonly WalletType[];
  readonly online?: boolean;
  readonly maxOpenOrders?: number;
}

let seeded = 0;

/** Members with an approved account of every method, enough float and capacity, all signed in. */
export async function seedMembers(
  { pool }: Database,
  count: number,
  options: MemberOptions = {},
): Promise<readonly Member[]> {
  const { methods = WALLET_TYPES, online = true, maxOpenOrders = 1_000_000 } = options;
  const members = Array.from({ length: count }, () => ({
    memberId: randomUUID(),
    token: randomBytes(16).toString('hex'),
  }));
  const ids = members.map(({ memberId }) => memberId);
  await pool.query(
    `with m as (insert into members (member_id, name, username, password_hash, online, max_open_orders, float_balance, created_at)
       select id, 'Member ' || number, 'member-' || (number + $5::integer), '', $3, $4, $6::numeric, now() from unnest($1::uuid[]) with ordinality as m (id, number)
       returning member_id),
     posted as (insert into postings (merchant_id, posting_id, kind, member_id, member_float, adjustments, posted_at)
       select $7, ${idAt('now()')}, 'float', member_id, $6::numeric, -$6::numeric, now() from m)
     insert into member_accounts (account_id, member_id, wallet_type, account_number, account_title, qr_payload, status, created_at)
       select gen_random_uuid(), member_id, method, '03001234567', 'Member', case when method like '%QR' then 'qr:' || member_id end, 'approved', now()
       from m, unnest($2::text[]) method`,
    [ids, methods, online, maxOpenOrders, seeded, PLENTY, PLATFORM_MERCHANT_ID],
  );
  seeded += count;
  await pool.query(
    `insert into sessions (token_hash, kind, principal_id, created_at, expires_at)
     select hash, 'member', id, now(), now() + interval '1 day' from unnest($1::uuid[], $2::bytea[]) as s (id, hash)`,
    [ids, members.map(({ token }) => sha256(token))],
  );
  await pool.query('analyze');
  return members;
}
