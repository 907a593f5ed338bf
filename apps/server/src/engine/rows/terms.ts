import {
  type ApiKey,
  type Currency,
  FACTOR_ONE,
  type Factor,
  type Instant,
  type Merchant,
  type Settings,
  WALLET_CURRENCY,
} from '@munshi/core';
import type pg from 'pg';
import {
  answers,
  columns,
  from,
  type KindsOf,
  made,
  only,
  orNull,
  type RecordOf,
  t,
} from '../../platform/database/columns.ts';
import { bytesArray, plainArray, runPipeline } from '../../platform/database/pipeline.ts';
import type { Queryable } from '../../platform/database/queryable.ts';
import { time } from '../../platform/database/rows.ts';
import { execute, lockFor, statement } from '../../platform/database/statement.ts';
import { type ExchangeRate, RATE } from './exchange-rates.ts';
import { FEE_RULE, type TimedFeeRule } from './fee-rule.ts';
import { MERCHANT_COLUMNS } from './merchant.ts';

/**
 * What orders are admitted and priced by: settings, keys, merchants, fee rules, rates. Absent is
 * what does not exist.
 */
export interface Terms {
  readonly settings: Settings;
  /** By the SHA-256 of the key, in hex. */
  apiKey(hash: string): ApiKey | undefined;
  merchant(merchantId: string): Merchant | undefined;
  /** The merchant's own and the platform's, whenever they are valid. */
  feeRules(merchantId: string): readonly TimedFeeRule[];
  /** In force at that time. */
  rate(currency: Currency, at: Instant): Factor | undefined;
  /** Until when days are closed: nothing is posted before (decision 35). 0: none is. */
  readonly closedUntil: Instant;
}

/** The keys and merchants whose terms a batch needs. */
export interface TermsRequest {
  readonly now: Instant;
  readonly apiKeyHashes: readonly string[];
  readonly merchantIds: readonly string[];
}

/**
 * Holds the terms until the transaction ends: they change before it, or after. Sent as a
 * statement of its own, ahead of those that read them, so that what is read was committed before
 * the lock was given.
 */
export const HOLD_TERMS = lockFor('hold-terms', `'munshi terms'`, 'pg_advisory_xact_lock_shared');

/**
 * Changes nothing. The version's row is locked before the lock above, as by every change of terms,
 * which takes that lock just before its commit.
 */
const CHANGE_TERMS = statement(
  'change-terms',
  `update fee_rules
   set valid_until = valid_until
   where fee_rule_id = '00000000-0000-0000-0000-000000000000'`,
);

/**
 * From when on a fee rule or a rate is in force. It is read when no batch holds the terms, and none
 * does until the transaction ends: an order of that time, or later, is priced by it.
 */
export async function timeOfChange(db: Queryable, clock: () => Instant): Promise<Instant> {
  await execute(db, CHANGE_TERMS);
  await db.query('set constraints all immediate'); // terms_held, the only deferred one
  return clock();
}

/** Asked in the transaction, before the terms: they are as new as this number, or newer. */
export const TERMS_VERSION = statement(
  'terms-version',
  `select version::text as version
   from terms_version`,
  answers({ version: t.text }),
);

const SECONDS = made(t.integer, (seconds) => seconds * 1000);
const SETTINGS_READ = columns('', {
  paymentPageTtlMs: from('payment_page_ttl_seconds', SECONDS),
  awaitingWithdrawalTimeoutMs: from('awaiting_withdrawal_timeout_seconds', SECONDS),
  payoutWindowMs: from('payout_window_seconds', SECONDS),
  memberConfirmationWindowMs: from('member_confirmation_window_seconds', SECONDS),
  adjustmentApprovalLimit: orNull(t.amount),
  requireSecondOperator: t.boolean,
  sendingGraceMs: from('sending_grace_seconds', SECONDS),
  sandbox: from('coalesce(sandbox, false)', t.boolean),
} satisfies KindsOf<Settings>);
const SETTINGS = statement(
  'settings',
  `select ${SETTINGS_READ.list}
   from settings`,
  SETTINGS_READ,
);

const KEY = columns('', {
  hash: from('key_hash', t.hex),
  keyId: t.uuid,
  merchantId: t.uuid,
  revoked: from('revoked_at is not null', t.boolean),
});
const API_KEYS = statement(
  'api-keys',
  `select ${KEY.list}
   from api_keys
   where key_hash = any($1::bytea[])`,
  KEY,
);

const MERCHANT = columns('', MERCHANT_COLUMNS);
const MERCHANTS = statement(
  'merchants',
  `select ${MERCHANT.list}
   from merchants
   where merchant_id = any($1::uuid[])`,
  MERCHANT,
);

const FEE_RULES = statement(
  'fee-rules',
  `select ${FEE_RULE.list}
   from fee_rules
   where merchant_id = any($1::uuid[])`,
  FEE_RULE,
);

const PLATFORM_FEE_RULES = statement(
  'platform-fee-rules',
  `select ${FEE_RULE.list}
   from fee_rules
   where merchant_id is null`,
  FEE_RULE,
);

/** The rate in force at the given time, and those that follow it. */
const RATES = statement(
  'rates',
  `select ${RATE.list}
   from exchange_rates r
   where valid_from >= coalesce(
     (
       select max(valid_from)
       from exchange_rates e
       where e.currency = r.currency and e.valid_from <= $1
     ),
     '-infinity'
   )
   order by valid_from desc`,
  RATE,
);

/** Of discarded closings too: what was posted since is not moved back. */
const CLOSED_UNTIL = statement(
  'closed-until',
  `select max(ends_at) as at
   from closings`,
  only('at', orNull(t.instant)),
);

/**
 * Rates are kept from this long before they are asked for: a clock that is set back a little does
 * not read them again.
 */
const RATES_BACK_MS = 3_600_000;

/** What is known under one version. Keys and merchants are added as they are asked for. */
interface KnownTerms extends Terms {
  readonly version: string;
  readonly ratesSince: Instant;
  /** Nothing is added any more. */
  isFull(): boolean;
  knowsKey(hash: string): boolean;
  knowsMerchant(merchantId: string): boolean;
  add(found: {
    readonly apiKeys: readonly RecordOf<typeof KEY>[];
    readonly merchants: readonly Merchant[];
    readonly feeRules: readonly TimedFeeRule[];
  }): void;
}

/** With more keys or merchants than this, some tens of MB, all are forgotten. */
const KNOWN_MAX = 50_000;

function createKnownTerms(
  version: string,
  settings: Settings,
  platformRules: readonly TimedFeeRule[],
  rates: readonly ExchangeRate[],
  ratesSince: Instant,
  closedUntil: Instant,
): KnownTerms {
  const apiKeys = new Map<string, ApiKey>();
  const merchants = new Map<
    string,
    { readonly merchant: Merchant; readonly feeRules: readonly TimedFeeRule[] }
  >();
  return {
    version,
    ratesSince,
    settings,
    closedUntil,
    apiKey: (hash) => apiKeys.get(hash),
    merchant: (merchantId) => merchants.get(merchantId)?.merchant,
    feeRules: (merchantId) => merchants.get(merchantId)?.feeRules ?? [],
    rate: (currency, at) =>
      currency === WALLET_CURRENCY
        ? FACTOR_ONE
        : rates.find((rate) => rate.currency === currency && rate.validFrom <= at)?.rate,
    isFull: () => Math.max(apiKeys.size, merchants.size) > KNOWN_MAX,
    knowsKey: (hash) => apiKeys.has(hash),
    knowsMerchant: (merchantId) => merchants.has(merchantId),
    add(found) {
      for (const { hash, ...key } of found.apiKeys) apiKeys.set(hash, key);
      const own = Map.groupBy(found.feeRules, ({ merchantId }) => merchantId);
      for (const merchant of found.merchants) {
        merchants.set(merchant.merchantId, {
          merchant,
          feeRules: [...(own.get(merchant.merchantId) ?? []), ...platformRules],
        });
      }
    },
  };
}

async function readPlatformTerms(
  lane: pg.Client,
  version: string,
  ratesSince: Instant,
): Promise<KnownTerms> {
  const [[settings], platformRules, rates, [closedUntil]] = await runPipeline(lane, [
    SETTINGS,
    PLATFORM_FEE_RULES,
    { ...RATES, values: [time(ratesSince)] },
    CLOSED_UNTIL,
  ]);
  return createKnownTerms(
    version,
    settings as Settings,
    platformRules,
    rates,
    ratesSince,
    closedUntil ?? 0,
  );
}

export interface TermsCache {
  /**
   * The terms that a batch needs, read on its connection only where this version of them is not
   * known yet. They stay as they are for the batch, also while others read newer ones.
   */
  read(lane: pg.Client, version: string, request: TermsRequest): Promise<Terms>;
}

export function createTermsCache(): TermsCache {
  let newest: KnownTerms | undefined;

  return {
    async read(lane, version, { now, apiKeyHashes, merchantIds }) {
      const current = newest?.version === version && newest.ratesSince <= now ? newest : undefined;
      if (
        current !== undefined &&
        apiKeyHashes.every(current.knowsKey) &&
        merchantIds.every(current.knowsMerchant)
      )
        return current;

      const known = current?.isFull() ? undefined : current;
      const hashes = apiKeyHashes.filter((hash) => !known?.knowsKey(hash));
      const merchants = merchantIds.filter((merchantId) => !known?.knowsMerchant(merchantId));
      const terms = known ?? (await readPlatformTerms(lane, version, now - RATES_BACK_MS));
      const [apiKeys, found, feeRules] = await runPipeline(lane, [
        { ...API_KEYS, values: [bytesArray(hashes)] },
        { ...MERCHANTS, values: [plainArray(merchants)] },
        { ...FEE_RULES, values: [plainArray(merchants)] },
      ]);
      terms.add({ apiKeys, merchants: found, feeRules });
      newest = terms;
      return terms;
    },
  };
}
