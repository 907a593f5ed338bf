import type { ChangeMerchant, CreateMerchant } from '@munshi/api';
import {
  CURRENCIES,
  type Currency,
  type Instant,
  isHttpUrl,
  parseBlock,
  WALLET_CURRENCY,
  WALLET_TYPES,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import type { Ids } from '../engine/ids.ts';
import type { Queryable } from '../storage/db.ts';
import { listExchangeRates } from '../storage/exchange-rates.ts';
import {
  insertMerchant,
  lockMerchant,
  type MerchantRecord,
  updateMerchant,
} from '../storage/merchants.ts';
import { insertWallet } from '../storage/wallets.ts';
import type { ServiceDeps } from './deps.ts';
import { FieldErrors, found, Refused } from './refusals.ts';
import { type Caller, namesOf, recordedWrite } from './write.ts';

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids'>;
type Fields = Omit<ChangeMerchant, 'name' | 'status'>;

const DEFAULTS = {
  defaultCallbackUrl: null,
  depositMethods: WALLET_TYPES,
  withdrawalMethods: WITHDRAWAL_METHODS,
  currencies: [WALLET_CURRENCY],
  ipWhitelist: { enabled: false, entries: [] },
  displayName: null,
  brandColour: null,
} satisfies Partial<MerchantRecord>;

/**
 * Adds an active merchant with an empty wallet. Throws FieldErrors, and `wrong-state` where a
 * currency has no exchange rate.
 */
export async function createMerchant(
  deps: Deps,
  caller: Caller,
  fields: CreateMerchant,
  show: (merchant: MerchantRecord) => unknown,
): Promise<MerchantRecord> {
  checkFields(fields);
  const create = async (client: Queryable, now: Instant, ids: Ids) => {
    const merchant: MerchantRecord = {
      ...DEFAULTS,
      ...asStored(fields),
      merchantId: ids.uuid(now),
      status: 'active',
      createdAt: now,
    };
    await requireRates(client, merchant.currencies, now);
    await insertMerchant(client, merchant);
    await insertWallet(client, merchant.merchantId);
    return {
      result: merchant,
      action: 'merchant.create',
      target: merchant.merchantId,
      detail: { name: merchant.name },
    };
  };
  return recordedWrite(deps, caller, create, show);
}

/** Changes the fields that are given. Throws as above, and `not-found`. */
export async function changeMerchant(
  deps: Deps,
  caller: Caller,
  merchantId: string,
  change: ChangeMerchant,
  show: (merchant: MerchantRecord) => unknown,
): Promise<MerchantRecord> {
  checkFields(change);
  const write = async (client: Queryable, now: Instant) => {
    const before = found(await lockMerchant(client, merchantId), 'Merchant');
    const after: MerchantRecord = { ...before, ...asStored(change) };
    const added = after.currencies.filter((currency) => !before.currencies.includes(currency));
    await requireRates(client, added, now);
    await updateMerchant(client, after);
    return {
      result: after,
      action: 'merchant.update',
      target: merchantId,
      detail: { fields: namesOf(change), ...(change.status && { status: after.status }) },
    };
  };
  return recordedWrite(deps, caller, write, show);
}

const asStored = <T extends Fields>(fields: T): T =>
  fields.brandColour ? { ...fields, brandColour: fields.brandColour.toLowerCase() } : fields;

/**
 * Characters that are not seen and can make a name look like another one, or turn the text around
 * it: controls, line breaks, bidirectional overrides and isolates, zero-width and private
 * characters. Joiners belong to the scripts of our customers, variation selectors to emoji.
 */
const UNSEEN = /[\p{Cc}\p{Co}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{DI}]/u;

function wrongDisplayName(name: string): string | undefined {
  if (UNSEEN.test(name))
    return 'must not contain control, bidirectional or other invisible characters.';
  return /[\p{L}\p{N}]/u.test(name) ? undefined : 'must contain a letter or a digit.';
}

/** What the schema cannot say of URL, addresses and display name. */
function checkFields({ defaultCallbackUrl, ipWhitelist, displayName }: Fields): void {
  const errors: Record<string, string[]> = {};
  if (typeof defaultCallbackUrl === 'string' && !isHttpUrl(defaultCallbackUrl))
    errors['$.defaultCallbackUrl'] = ['must be an absolute http(s) URL.'];
  const wrongName = typeof displayName === 'string' ? wrongDisplayName(displayName) : undefined;
  if (wrongName !== undefined) errors['$.displayName'] = [wrongName];
  ipWhitelist?.entries.forEach(({ address }, at) => {
    if (parseBlock(address) === undefined)
      errors[`$.ipWhitelist.entries.${at}.address`] = [
        'must be an IPv4 or IPv6 address or a CIDR block.',
      ];
  });
  if (Object.keys(errors).length > 0) throw new FieldErrors(errors);
}

/** A merchant takes a currency only once it can be settled (D44). */
async function requireRates(
  db: Queryable,
  currencies: readonly Currency[],
  at: Instant,
): Promise<void> {
  const foreign = currencies.filter((currency) => currency !== WALLET_CURRENCY);
  if (foreign.length === 0) return;
  const rates = await listExchangeRates(db, { at, after: null, limit: CURRENCIES.length });
  const missing = foreign.filter((currency) => !rates.some((rate) => rate.currency === currency));
  if (missing.length > 0)
    throw new Refused('wrong-state', `Set an exchange rate for ${missing.join(' and ')} first.`);
}
