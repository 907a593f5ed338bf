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
import { bytesArray, plainArray, runPipeline } from '../pipeline.ts';
import {
  type Row,
  readFeeRule,
  readMerchant,
  readSettings,
  type TimedFeeRule,
  time,
} from '../rows.ts';
import { lockFor, statement } from '../statement.ts';
import { type ExchangeRate, readExchangeRate } from './exchange-rates.ts';
import { FEE_RULE_COLUMNS } from './fee-rules.ts';

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
}

/** The keys and merchants whose terms a batch needs. */
export interface TermsRequest {
  readonly now: Instant;
  readonly apiKeyHashes: readonly string[];
  readonly merchantIds: readonly string[];
}

/**
 * Holds the terms until the transaction ends: they change before it, or after. Sent ahead of
 * whatever reads them, as a statement of its own, so that what is read was committed before the
 * lock was given.
 */
export const HOLD_TERMS = lockFor('hold-terms', `'munshi terms'`, 'pg_advisory_xact_lock_shared');

/** Asked in the transaction, before the terms: they are as new as this number, or newer. */
export const TERMS_VERSION = statement(
  'terms-version',
  `select version::text as version
   from terms_version`,
);

const SETTINGS = statement(
  'settings',
  `select payment_page_ttl_seconds, awaiting_withdrawal_timeout_seconds, payout_window_seconds,
     member_confirmation_window_seconds, adjustment_approval_limit, require_second_operator,
     sending_grace_seconds
   from settings`,
);

const API_KEYS = statement(
  'api-keys',
  `select key_id, merchant_id, encode(key_hash, 'hex') as hash, revoked_at is not null as revoked
   from api_keys
   where key_hash = any($1::bytea[])`,
);

const MERCHANTS = statement(
  'merchants',
  `select merchant_id, name, status, default_callback_url, deposit_methods, withdrawal_methods,
     currencies, ip_whitelist
   from merchants
   where merchant_id = any($1::uuid[])`,
);

const FEE_RULES = statement(
  'fee-rules',
  `select ${FEE_RULE_COLUMNS}
   from fee_rules
   where merchant_id = any($1::uuid[])`,
);

const PLATFORM_FEE_RULES = statement(
  'platform-fee-rules',
  `select ${FEE_RULE_COLUMNS}
   from fee_rules
   where merchant_id is null`,
);

/** The rate in force at the given time, and those that follow it. */
const RATES = statement(
  'rates',
  `select currency, rate, valid_from
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
);

/**
 * Rates are kept from this long before they are asked for: a clock that is set back a little does
 * not read them anew.
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
  add(rows: {
    readonly apiKeys: readonly Row[];
    readonly merchants: readonly Row[];
    readonly feeRules: readonly Row[];
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
    add(rows) {
      for (const row of rows.apiKeys)
        apiKeys.set(row['hash'], {
          keyId: row['key_id'],
          merchantId: row['merchant_id'],
          revoked: row['revoked'],
        });
      const own = Map.groupBy(rows.feeRules.map(readFeeRule), ({ merchantId }) => merchantId);
      for (const merchant of rows.merchants.map(readMerchant)) {
        merchants.set(merchant.merchantId, {
          merchant,
          feeRules: [...(own.get(merchant.merchantId) ?? []), ...platformRules],
        });
      }
    },
  };
}

export interface TermsCache {
  /**
   * The terms that a batch needs, read on its connection only where this version of them is not
   * known yet. They stay as they are for the batch, whatever is read for others meanwhile.
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
      const since = now - RATES_BACK_MS;
      const [
        apiKeyRows = [],
        merchantRows = [],
        feeRuleRows = [],
        settings = [],
        platformRules = [],
        rates = [],
      ] = await runPipeline(lane, [
        { ...API_KEYS, values: [bytesArray(hashes)] },
        { ...MERCHANTS, values: [plainArray(merchants)] },
        { ...FEE_RULES, values: [plainArray(merchants)] },
        ...(known === undefined
          ? [SETTINGS, PLATFORM_FEE_RULES, { ...RATES, values: [time(since)] }]
          : []),
      ]);
      const terms =
        known ??
        createKnownTerms(
          version,
          readSettings(settings[0] as Row),
          platformRules.map(readFeeRule),
          rates.map(readExchangeRate),
          since,
        );
      terms.add({ apiKeys: apiKeyRows, merchants: merchantRows, feeRules: feeRuleRows });
      newest = terms;
      return terms;
    },
  };
}
