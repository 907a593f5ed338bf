import {
  type Instant,
  type Merchant,
  oneZone,
  presentZone,
  timeZoneOf,
  type Wallet,
  type Zones,
} from '@munshi/core';
import type { Queryable } from '../db.ts';
import { firstIdOf } from '../orders/first-id.ts';
import { type Row, readMerchant, readWallet, time } from '../rows.ts';
import { execute, type Page, query, statement, unprepared } from '../statement.ts';

export interface MerchantRecord extends Merchant {
  /** What customers see on the payment page; null: the name. */
  readonly displayName: string | null;
  /** `#rrggbb` in lower case. */
  readonly brandColour: string | null;
  /** The hash of a picture in `logos`. */
  readonly logo: string | null;
  /** Where customers ask for help. */
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
  /** Where its days and months are counted now, and with where they were. */
  readonly timeZone: string;
  readonly zones: Zones;
  /** Its own people may issue its keys. */
  readonly ownKeysAllowed: boolean;
  readonly createdAt: Instant;
}

const COLUMNS = `merchant_id, name, status, default_callback_url, deposit_methods,
     withdrawal_methods, currencies, ip_whitelist, display_name, brand_colour, logo,
     support_email, support_phone, support_url, time_zones, created_at`;
const ALL_COLUMNS = `${COLUMNS}, own_keys_allowed`;

const readRecord = (row: Row): MerchantRecord => {
  const zones = readZones(row);
  return {
    ...readMerchant(row),
    displayName: row['display_name'],
    brandColour: row['brand_colour'],
    logo: row['logo'],
    supportEmail: row['support_email'],
    supportPhone: row['support_phone'],
    supportUrl: row['support_url'],
    timeZone: presentZone(zones),
    zones,
    ownKeysAllowed: row['own_keys_allowed'],
    createdAt: row['created_at'],
  };
};

/** The zones of a merchant's row; by currency where none was set. */
export function readZones(row: Row): Zones {
  const zones = row['time_zones'];
  return zones.length > 0 ? zones : oneZone(timeZoneOf(row['currencies']));
}

/** What can be changed of a merchant, by its id. */
const changeable = (merchant: MerchantRecord) => [
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
  merchant.logo,
  merchant.supportEmail,
  merchant.supportPhone,
  merchant.supportUrl,
  JSON.stringify(merchant.zones),
];

const INSERT = statement(
  'insert-merchant',
  `insert into merchants (${COLUMNS})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);

export async function insertMerchant(db: Queryable, merchant: MerchantRecord): Promise<void> {
  await execute(db, INSERT, [...changeable(merchant), time(merchant.createdAt)]);
}

const UPDATE = statement(
  'update-merchant',
  `update merchants
   set name = $2,
     status = $3,
     default_callback_url = $4,
     deposit_methods = $5,
     withdrawal_methods = $6,
     currencies = $7,
     ip_whitelist = $8,
     display_name = $9,
     brand_colour = $10,
     logo = $11,
     support_email = $12,
     support_phone = $13,
     support_url = $14,
     time_zones = $15
   where merchant_id = $1`,
);

export async function updateMerchant(db: Queryable, merchant: MerchantRecord): Promise<void> {
  await execute(db, UPDATE, changeable(merchant));
}

const ALLOW_OWN_KEYS = statement(
  'allow-own-keys',
  `update merchants
   set own_keys_allowed = $2
   where merchant_id = $1`,
);

/** Whether the merchant's own people may issue its keys. */
export async function updateOwnKeys(
  db: Queryable,
  merchantId: string,
  allowed: boolean,
): Promise<void> {
  await execute(db, ALLOW_OWN_KEYS, [merchantId, allowed]);
}

const FIND = statement(
  'find-merchant',
  `select ${ALL_COLUMNS}
   from merchants
   where merchant_id = $1`,
);

export async function findMerchant(
  db: Queryable,
  merchantId: string,
): Promise<MerchantRecord | undefined> {
  const [row] = await query(db, FIND, [merchantId]);
  return row && readRecord(row);
}

const LOCK = statement(
  'lock-merchant',
  `select ${ALL_COLUMNS}
   from merchants
   where merchant_id = $1
   for no key update`,
);

/**
 * The merchant's row, locked until the transaction ends: changes of it and of its keys go one after
 * the other.
 */
export async function lockMerchant(
  db: Queryable,
  merchantId: string,
): Promise<MerchantRecord | undefined> {
  const [row] = await query(db, LOCK, [merchantId]);
  return row && readRecord(row);
}

export interface MerchantQuestion extends Page {
  /** Part of the name. */
  readonly search: string | null;
  readonly status: string | null;
  readonly now: Instant;
}

/** A merchant with what a list says of their money and orders. */
export interface ListedMerchant {
  readonly merchant: MerchantRecord;
  readonly wallet: Wallet;
  /** Orders of the last 24 hours, counted as far as `ORDERS_COUNTED_MAX`. */
  readonly ordersOfDay: number;
  /** Receivers of their webhooks that fail. */
  readonly failingReceivers: number;
}
const ORDERS_COUNTED_MAX = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const LIST = unprepared(
  'list-merchants',
  `select m.*, w.balance, w.reserved, w.frozen, w.overdrawn, o.count::integer as orders_of_day,
     f.count::integer as failing_receivers
   from (
     select ${ALL_COLUMNS}
     from merchants
     where ($1::text is null or strpos(lower(name), lower($1)) > 0)
       and ($2::text is null or status = $2)
       and ($3::uuid is null or merchant_id < $3)
     order by merchant_id desc
     limit $4
   ) m
   join merchant_wallets w on w.merchant_id = m.merchant_id
   cross join lateral (
     select count(*)
     from (
       select
       from orders o
       where o.merchant_id = m.merchant_id
         and o.order_id >= $5
       limit ${ORDERS_COUNTED_MAX}
     ) of_day
   ) o
   cross join lateral (
     select count(*)
     from webhook_endpoints e
     where e.merchant_id = m.merchant_id
       and e.failing_since is not null
   ) f
   order by m.merchant_id desc`,
);

/** Merchants, the newest first. */
export async function listMerchants(
  db: Queryable,
  { search, status, after, limit, now }: MerchantQuestion,
): Promise<readonly ListedMerchant[]> {
  const rows = await query(db, LIST, [search, status, after, limit, firstIdOf(now - DAY_MS)]);
  return rows.map((row) => ({
    merchant: readRecord(row),
    wallet: readWallet(row),
    ordersOfDay: row['orders_of_day'],
    failingReceivers: row['failing_receivers'],
  }));
}

const WITHOUT_PEOPLE = statement<{ readonly empty: boolean }>(
  'without-people',
  `select not exists (select from merchants)
     and not exists (select from members)
     and not exists (select from operators) as empty`,
);

/** Whether the database has no merchant, no member and no operator. */
export async function isWithoutPeople(db: Queryable): Promise<boolean> {
  const [row] = await query(db, WITHOUT_PEOPLE);
  return row?.empty === true;
}

const NAMED = statement<{ readonly named: boolean }>(
  'find-merchant-by-name',
  `select exists (select from merchants where name = $1) as named`,
);

/** Whether a merchant has this name. Reads all merchants. */
export async function isMerchantNamed(db: Queryable, name: string): Promise<boolean> {
  const [row] = await query(db, NAMED, [name]);
  return row?.named === true;
}
