import type { ChangeMerchant } from '@munshi/api';
import {
  CURRENCIES,
  type Currency,
  type Instant,
  oneZone,
  presentZone,
  readPeopleSearch,
  timeZoneOf,
  type Zones,
} from '@munshi/core';
import { MERCHANT_COLUMNS } from '../engine/rows/merchant.ts';
import { WALLET_COLUMNS } from '../engine/rows/wallets.ts';
import {
  assignments,
  columns,
  from,
  insertion,
  nullsOf,
  only,
  orNull,
  type RecordOf,
  shaped,
  t,
} from '../platform/database/columns.ts';
import { firstIdOf } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { accountKeyOf, nameKeyOf } from '../platform/database/search-key.ts';
import {
  lists,
  type Page,
  query,
  readsOne,
  readsRow,
  statement,
  writes,
} from '../platform/database/statement.ts';

const { merchantId: _, ...TERMS } = MERCHANT_COLUMNS;

/** What can be changed of a merchant. */
const CHANGEABLE = {
  ...TERMS,
  /** What customers see on the payment page; null: the name. */
  displayName: orNull(t.text),
  /** `#rrggbb` in lower case. */
  brandColour: orNull(t.text),
  /** The hash of a picture in `logos`. */
  logo: orNull(t.text),
  /** Where customers ask for help. */
  supportEmail: orNull(t.text),
  supportPhone: orNull(t.text),
  supportUrl: orNull(t.text),
  /** Where its days and months are counted now, and where they were. */
  zones: from('time_zones', t.json<Zones>()),
} satisfies Record<Exclude<keyof ChangeMerchant, 'timeZone'> | 'zones', unknown>;

const merchantOf = (alias: string) =>
  shaped(
    columns(alias, {
      merchantId: t.uuid,
      ...CHANGEABLE,
      /** Its own people may issue its keys. */
      ownKeysAllowed: t.boolean,
      createdAt: t.instant,
    }),
    (merchant) => {
      const zones = zonesOf(merchant);
      return { ...merchant, zones, timeZone: presentZone(zones) };
    },
  );
const MERCHANT = merchantOf('');
export type MerchantRecord = RecordOf<typeof MERCHANT>;

/** By currency where none was set. */
export const zonesOf = ({
  zones,
  currencies,
}: {
  readonly zones: Zones;
  readonly currencies: readonly Currency[];
}): Zones => (zones.length > 0 ? zones : oneZone(timeZoneOf(currencies)));

const NEW = insertion('merchants', { merchantId: t.uuid, ...CHANGEABLE, createdAt: t.instant });

const CURRENCIES_TAKEN = statement(
  'currencies-taken',
  `select distinct unnest(currencies) as currency
   from merchants`,
  only('currency', t.oneOf<Currency>()),
);

/** Currencies in which merchants create orders. */
export async function readOrderCurrencies(db: Queryable): Promise<readonly Currency[]> {
  const taken = await query(db, CURRENCIES_TAKEN, []);
  return CURRENCIES.filter((currency) => taken.includes(currency));
}

export const insertMerchant = writes('insert-merchant', NEW.into, NEW.valuesOf);

/** What can be changed of a merchant and need not be set. */
export const UNSET = nullsOf(CHANGEABLE);

const CHANGES = assignments(CHANGEABLE);

export const updateMerchant = writes(
  'update-merchant',
  `update merchants
   set ${CHANGES.set}
   where merchant_id = $${CHANGES.next}`,
  (merchant: MerchantRecord) => [...CHANGES.valuesOf(merchant), merchant.merchantId],
);

/** Whether the merchant's own people may issue its keys. */
export const updateOwnKeys = writes(
  'allow-own-keys',
  `update merchants
   set own_keys_allowed = $2
   where merchant_id = $1`,
  (merchantId: string, allowed: boolean) => [merchantId, allowed],
);

export const findMerchant = readsOne(
  'find-merchant',
  `select ${MERCHANT.list}
   from merchants
   where merchant_id = $1`,
  MERCHANT,
  (merchantId: string) => [merchantId],
);

/**
 * The merchant's row, locked until the transaction ends: changes of it and of its keys go one after
 * the other.
 */
export const lockMerchant = readsOne(
  'lock-merchant',
  `select ${MERCHANT.list}
   from merchants
   where merchant_id = $1
   for no key update`,
  MERCHANT,
  (merchantId: string) => [merchantId],
);

export interface MerchantQuestion extends Page {
  /** Part of the name, or the telephone or its last four digits. */
  readonly search: string | null;
  readonly status: string | null;
  readonly now: Instant;
}

const ORDERS_COUNTED_MAX = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A merchant with what a list says of their money and orders. */
const LISTED = columns('m', {
  merchant: merchantOf('m'),
  wallet: columns('w', WALLET_COLUMNS),
  /** Orders of the last 24 hours, counted as far as `ORDERS_COUNTED_MAX`. */
  ordersOfDay: from('o.count::integer', t.integer),
  /** Receivers of their webhooks that fail. */
  failingReceivers: from('f.count::integer', t.integer),
});

/** Merchants, the newest first. */
export const listMerchants = lists(
  'list-merchants',
  `select ${LISTED.list}
   from (
     select *
     from merchants
     where (
         $1::text is null
         or strpos(${nameKeyOf('name')}, ${nameKeyOf('$1::text')}) > 0
         or ${accountKeyOf('support_phone')} = $7
         or right(${accountKeyOf('support_phone')}, 4) = $6
       )
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
  LISTED,
  ({ search, status, after, limit, now }: MerchantQuestion) => {
    const { part = null, lastFour = null, number = null } = readPeopleSearch(search) ?? {};
    return [part, status, after, limit, firstIdOf(now - DAY_MS), lastFour, number];
  },
);

/** Whether the database has no merchant, no member and no operator. */
export const isWithoutPeople = readsRow(
  'without-people',
  `select not exists (select from merchants)
     and not exists (select from members)
     and not exists (select from operators) as empty`,
  only('empty', t.boolean),
);

/** Whether a merchant has this name. Reads all merchants. */
export const isMerchantNamed = readsRow(
  'find-merchant-by-name',
  `select exists (select from merchants where name = $1) as named`,
  only('named', t.boolean),
  (name: string) => [name],
);
