import type { Instant, Merchant, Wallet } from '@munshi/core';
import type { Queryable } from './db.ts';
import { type Row, readMerchant, readWallet, time } from './rows.ts';

export interface MerchantRecord extends Merchant {
  /** What customers see on the payment page; null: the name. */
  readonly displayName: string | null;
  /** `#rrggbb` in lower case. */
  readonly brandColour: string | null;
  readonly createdAt: Instant;
}

const COLUMNS = `merchant_id, name, status, default_callback_url, deposit_methods, withdrawal_methods, currencies, ip_whitelist, display_name, brand_colour,
  created_at`;

const readRecord = (row: Row): MerchantRecord => ({
  ...readMerchant(row),
  displayName: row['display_name'],
  brandColour: row['brand_colour'],
  createdAt: row['created_at'],
});

const values = (merchant: MerchantRecord) => [
  merchant.merchantId,
  merchant.name,
  merchant.status,
  merchant.defaultCallbackUrl,
  merchant.depositMethods,
  merchant.withdrawalMethods,
  merchant.currencies,
  JSON.stringify(merchant.ipWhitelist),
  merchant.displayName,
  merchant.brandColour,
  time(merchant.createdAt),
];

export async function insertMerchant(db: Queryable, merchant: MerchantRecord): Promise<void> {
  await db.query({
    text: `insert into merchants (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: values(merchant),
  });
}

/** An empty wallet: every merchant has exactly one, made with the merchant. */
export async function insertWallet(db: Queryable, merchantId: string): Promise<void> {
  await db.query({
    text: 'insert into merchant_wallets (merchant_id) values ($1)',
    values: [merchantId],
  });
}

export async function updateMerchant(db: Queryable, merchant: MerchantRecord): Promise<void> {
  const text = `update merchants set name = $2, status = $3, default_callback_url = $4, deposit_methods = $5, withdrawal_methods = $6, currencies = $7,
    ip_whitelist = $8, display_name = $9, brand_colour = $10 where merchant_id = $1`;
  await db.query({ text, values: values(merchant).slice(0, 10) });
}

export async function findMerchant(
  db: Queryable,
  merchantId: string,
): Promise<MerchantRecord | undefined> {
  const { rows } = await db.query({
    text: `select ${COLUMNS} from merchants where merchant_id = $1`,
    values: [merchantId],
  });
  return rows[0] && readRecord(rows[0]);
}

/**
 * The merchant's row, locked until the transaction ends: changes of it and of its keys go one after
 * the other.
 */
export async function lockMerchant(
  db: Queryable,
  merchantId: string,
): Promise<MerchantRecord | undefined> {
  const { rows } = await db.query({
    text: `select ${COLUMNS} from merchants where merchant_id = $1 for no key update`,
    values: [merchantId],
  });
  return rows[0] && readRecord(rows[0]);
}

export interface MerchantQuestion {
  /** Part of the name. */
  readonly search: string | null;
  readonly status: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** Merchants, the newest first. */
export async function listMerchants(
  db: Queryable,
  { search, status, after, limit }: MerchantQuestion,
): Promise<readonly MerchantRecord[]> {
  const text = `select ${COLUMNS} from merchants
    where ($1::text is null or strpos(lower(name), lower($1)) > 0) and ($2::text is null or status = $2) and ($3::uuid is null or merchant_id < $3)
    order by merchant_id desc limit $4`;
  const { rows } = await db.query({ text, values: [search, status, after, limit] });
  return rows.map(readRecord);
}

export async function findWallet(db: Queryable, merchantId: string): Promise<Wallet | undefined> {
  const text =
    'select merchant_id, balance, reserved, frozen, overdrawn from merchant_wallets where merchant_id = $1';
  const { rows } = await db.query({ text, values: [merchantId] });
  return rows[0] && readWallet(rows[0]);
}
