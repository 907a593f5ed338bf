import { ORDERS_LOOKED_THROUGH } from '@munshi/api';
import {
  type Day,
  dayAfter,
  dayAt,
  type Instant,
  type Money,
  type OrderType,
  periodOfDay,
  presentZone,
  type Wallet,
} from '@munshi/core';
import { type ApiKeyRecord, listApiKeys, readLastOrdersOfKeys } from '../storage/api-keys.ts';
import type { Queryable } from '../storage/db.ts';
import { withinTime } from '../storage/limited.ts';
import { type MerchantOutcomes, readMerchantOutcomes } from '../storage/merchant-outcomes.ts';
import { findMerchant } from '../storage/merchants.ts';
import { findWallet } from '../storage/wallets.ts';
import { type EndpointHealth, listEndpoints } from '../storage/webhook-health.ts';
import type { ServiceDeps } from './deps.ts';
import { found } from './refusals.ts';

/** What became of the orders of a day, in the merchant's time zone. */
export type DayOfMerchant = Readonly<Record<OrderType, MerchantOutcomes>> & {
  readonly day: Day;
  readonly from: Instant;
};

/** Something that the merchant's people should look at. */
export type Concern =
  | {
      readonly kind: 'webhooks-failing';
      readonly host: string;
      readonly since: Instant;
      readonly lastError: string | null;
    }
  | { readonly kind: 'low-balance'; readonly available: Money; readonly yesterday: Money }
  | { readonly kind: 'many-failures'; readonly failed: number; readonly ended: number }
  | {
      readonly kind: 'key-old' | 'key-unused';
      readonly prefix: string;
      readonly createdAt: Instant;
    };

interface MerchantOverview {
  readonly asOf: Instant;
  readonly timeZone: string;
  readonly today: DayOfMerchant;
  readonly yesterday: DayOfMerchant;
  /** The most urgent first. */
  readonly concerns: readonly Concern[];
}

const DAY_MS = 24 * 3_600_000;
const KEYS_SHOWN = 100;
const ENDPOINTS_SHOWN = 20;

/** How a merchant does today and yesterday. Throws TooSlowError where there are too many orders. */
export async function readMerchantOverview(
  { database: { pool }, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  merchantId: string,
): Promise<MerchantOverview> {
  const asOf = clock.now();
  const { zones } = found(await findMerchant(pool, merchantId), 'Merchant');
  const day = dayAt(asOf, zones);
  const outcomesOf = async (of: Day) => {
    const period = periodOfDay(of, zones);
    const read = (db: Queryable) => readMerchantOutcomes(db, merchantId, period);
    return { day: of, from: period.from, ...(await withinTime(pool, read)) };
  };
  const [today, yesterday] = [await outcomesOf(day), await outcomesOf(dayAfter(day, -1))];
  const wallet = found(await findWallet(pool, merchantId), 'Merchant');
  const endpoints = await listEndpoints(pool, { merchantId, after: null, limit: ENDPOINTS_SHOWN });
  const keys = await listApiKeys(pool, { merchantId, after: null, limit: KEYS_SHOWN });
  const used = await readLastOrdersOfKeys(pool, merchantId, ORDERS_LOOKED_THROUGH);
  const concerns = [
    ...endpoints.flatMap(failing),
    ...lowBalance(wallet, yesterday.Withdrawal),
    ...manyFailures(today),
    ...keys.flatMap((key) => concernOfKey(key, asOf, used.has(key.keyId))),
  ];
  return { asOf, timeZone: presentZone(zones), today, yesterday, concerns };
}

const failing = ({ host, failingSince, lastError }: EndpointHealth): readonly Concern[] =>
  failingSince === null ? [] : [{ kind: 'webhooks-failing', host, since: failingSince, lastError }];

/** As much as withdrawals took yesterday may be asked for today. */
function lowBalance(
  { balance, reserved }: Wallet,
  { completedAmount: yesterday }: MerchantOutcomes,
): readonly Concern[] {
  const available = (balance - reserved) as Money;
  return available < yesterday ? [{ kind: 'low-balance', available, yesterday }] : [];
}

/** Few orders say nothing. */
const ENDED_MIN = 10;

function manyFailures({ Deposit, Withdrawal }: DayOfMerchant): readonly Concern[] {
  const failed = Deposit.failed + Withdrawal.failed;
  const ended = failed + Deposit.completed + Withdrawal.completed;
  return ended >= ENDED_MIN && failed * 2 >= ended
    ? [{ kind: 'many-failures', failed, ended }]
    : [];
}

const OLD_MS = 365 * DAY_MS;
const UNUSED_MS = 30 * DAY_MS;

function concernOfKey(
  { prefix, createdAt, revokedAt }: ApiKeyRecord,
  now: Instant,
  isUsed: boolean,
): readonly Concern[] {
  if (revokedAt !== null) return [];
  if (!isUsed && now - createdAt >= UNUSED_MS) return [{ kind: 'key-unused', prefix, createdAt }];
  return now - createdAt >= OLD_MS ? [{ kind: 'key-old', prefix, createdAt }] : [];
}
