import { hash } from 'node:crypto';
import {
  type BodyOf,
  CHANGE_MERCHANT,
  type ChangeMerchant,
  type CreateMerchant,
  HOLDS_UNSEEN,
  MERCHANT_COUNTED_MAX,
  type TEST_ADDRESS,
} from '@munshi/api';
import {
  admitsMoreAddresses,
  CURRENCIES,
  type Currency,
  changeZone,
  hasUnseen,
  type Instant,
  isHttpUrl,
  isTimeZone,
  listedBy,
  type OrderType,
  oneZone,
  parseBlock,
  refuseOwnDecision,
  timeZoneOf,
  WALLET_CURRENCY,
  WALLET_TYPES,
  WITHDRAWAL_METHODS,
  withKeptLogin,
} from '@munshi/core';
import { listExchangeRates } from '../engine/rows/exchange-rates.ts';
import { insertWallet } from '../engine/rows/wallets.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { bytesOf } from '../platform/pictures/picture.ts';
import { FieldErrors, fieldError, found, Refused, refuseOn } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import type { Work } from '../writes/write.ts';
import { changesOf, namesOf, type Written } from '../writes/write.ts';
import { encodeLogo } from './logo.ts';
import { findLogo, keepLogo } from './logos.store.ts';
import { type MerchantStanding, readMerchantStanding } from './standing.store.ts';
import {
  findMerchant,
  insertMerchant,
  lockMerchant,
  type MerchantRecord,
  UNSET,
  updateMerchant,
} from './store.ts';

/** A body with a picture in base64. */
export const LOGO_BODY_BYTES = 768 * 1024;

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids'>;
type Fields = Omit<ChangeMerchant, 'name' | 'status'>;

const DEFAULTS = {
  ...UNSET,
  depositMethods: WALLET_TYPES,
  withdrawalMethods: WITHDRAWAL_METHODS,
  currencies: [WALLET_CURRENCY],
  ipWhitelist: { enabled: false, entries: [] },
  ownKeysAllowed: false,
} satisfies Partial<MerchantRecord>;

/**
 * Adds an active merchant with an empty wallet. Throws FieldErrors, and `wrong-state` where a
 * currency has no exchange rate.
 */
export async function createMerchant(
  operatorId: string,
  fields: CreateMerchant,
): Promise<Work<MerchantRecord>> {
  checkFields(fields);
  const { stored, picture } = await asStored(`operator ${operatorId}`, fields);
  const timeZone = fields.timeZone ?? timeZoneOf(fields.currencies ?? DEFAULTS.currencies);
  return async (client, now, ids) => {
    const merchant: MerchantRecord = {
      ...DEFAULTS,
      ...withOwnUrl(stored, DEFAULTS),
      timeZone,
      zones: oneZone(timeZone),
      merchantId: ids.uuid(now),
      status: 'active',
      createdAt: now,
    };
    await requireRates(client, merchant.currencies, now);
    if (picture !== undefined) await keepLogo(client, { ...picture, createdAt: now });
    await insertMerchant(client, merchant);
    await insertWallet(client, merchant.merchantId);
    return {
      result: merchant,
      action: 'merchant.create',
      target: merchant.merchantId,
      detail: { name: merchant.name },
    };
  };
}

/**
 * Whose places a picture takes: those of a merchant's people, or of the operators who draw for that
 * merchant, so that neither hinders the other.
 */
const drawnFor = (merchantId: string, by: 'operator' | 'portal') => `${by} ${merchantId}`;

/** A change as it is stored; its picture is read. Throws FieldErrors and TooManyWaiting. */
export async function readMerchantChange(
  merchantId: string,
  change: ChangeMerchant,
  by: 'operator' | 'portal' = 'operator',
) {
  checkFields(change);
  return { merchantId, change, ...(await asStored(drawnFor(merchantId, by), change)) };
}
type MerchantChange = Awaited<ReturnType<typeof readMerchantChange>>;

/** The merchant before and after a change, locked. Throws `not-found` and `wrong-state`. */
async function lockChanged(
  db: Queryable,
  { merchantId, change, stored }: MerchantChange,
  now: Instant,
) {
  const before = found(await lockMerchant(db, merchantId), 'Merchant');
  const zones = changeZone(before.zones, change.timeZone ?? before.timeZone, now);
  const after: MerchantRecord = { ...before, ...withOwnUrl(stored, before), zones };
  await requireRates(db, addedCurrencies(before, after), now);
  return { after, changes: changesOf(before, after, change) };
}

/** Whether a change waits while a second operator is required. The merchant is locked. */
export const merchantChangeWaits = async (
  db: Queryable,
  { merchantId, stored }: MerchantChange,
): Promise<boolean> => {
  const before = found(await lockMerchant(db, merchantId), 'Merchant');
  return CHANGE_MERCHANT.decides.needsTwo(before, withOwnUrl(stored, before));
};

/** What a change changes. Throws as above. */
export async function explainMerchantChange(
  db: Queryable,
  given: MerchantChange,
  now: Instant,
): Promise<Explained> {
  const { merchantId } = given;
  const { after, changes } = await lockChanged(db, given, now);
  return { target: merchantId, shown: { merchantId, merchant: after.name, ...changes } };
}

/** Makes a change. Throws as above. */
export async function applyMerchantChange(
  db: Queryable,
  given: MerchantChange,
  now: Instant,
): Promise<Written<MerchantRecord>> {
  const { merchantId, change, picture } = given;
  const { after, changes } = await lockChanged(db, given, now);
  if (picture !== undefined) await keepLogo(db, { ...picture, createdAt: now });
  await updateMerchant(db, after);
  const detail = { fields: namesOf(change), ...changes };
  return { result: after, action: 'merchant.update', target: merchantId, detail };
}

/** The same by the merchant's own admin. Throws as above, FieldErrors, and `second-operator`. */
export async function changeOwnMerchant(
  merchantId: string,
  change: ChangeMerchant,
): Promise<Work<MerchantRecord>> {
  const given = await readMerchantChange(merchantId, change, 'portal');
  return async (client, now) => {
    const before = found(await lockMerchant(client, merchantId), 'Merchant');
    const { ipWhitelist = before.ipWhitelist } = change;
    await requireOwnDecision(client, merchantId, admitsMoreAddresses(before, { ipWhitelist }));
    return applyMerchantChange(client, given, now);
  };
}

/** What two operators decide about a merchant is not decided by its own admin. */
export async function requireOwnDecision(
  db: Queryable,
  merchantId: string,
  needsTwo: boolean,
): Promise<void> {
  const merchant = found(await lockMerchant(db, merchantId), 'Merchant');
  refuseOn(refuseOwnDecision(merchant, needsTwo, await readPlatformSettings(db)));
}

/**
 * A merchant as this change would make it, with its picture; nothing is written. Throws FieldErrors
 * and `not-found`.
 */
export async function merchantWith(
  { database: { pool } }: Pick<Deps, 'database'>,
  merchantId: string,
  change: ChangeMerchant,
  by: 'operator' | 'portal' = 'operator',
): Promise<Changed & { readonly picture: Buffer | null }> {
  const before = found(await findMerchant(pool, merchantId), 'Merchant');
  checkFields(change);
  const { stored, picture } = await asStored(drawnFor(merchantId, by), change);
  const after = { ...before, ...withOwnUrl(stored, before) };
  const kept = after.logo === null ? undefined : await findLogo(pool, after.logo);
  return { before, after, picture: picture?.webp ?? kept ?? null };
}

interface Changed {
  readonly before: MerchantRecord;
  readonly after: MerchantRecord;
}

/** What a change would mean, before it is made. Throws what making it would. */
export async function previewMerchantChange(
  deps: Deps,
  merchantId: string,
  change: ChangeMerchant,
): Promise<Changed & MerchantStanding> {
  const { pool } = deps.database;
  const { before, after } = await merchantWith(deps, merchantId, change);
  await requireRates(pool, addedCurrencies(before, after), deps.clock.now());
  return { before, after, ...(await readMerchantStanding(pool, merchantId, MERCHANT_COUNTED_MAX)) };
}

/**
 * By which entry an address may make orders: by the list that is given, or else by the merchant's.
 * Throws FieldErrors and `not-found`.
 */
export async function testAddress(
  { database }: Pick<Deps, 'database'>,
  merchantId: string,
  { address, ipWhitelist }: BodyOf<typeof TEST_ADDRESS>,
) {
  const merchant = found(await findMerchant(database.pool, merchantId), 'Merchant');
  if (ipWhitelist !== undefined) checkFields({ ipWhitelist });
  const plain = address.trim();
  if (plain.includes('/') || parseBlock(plain) === undefined)
    throw fieldError('address', 'must be an IPv4 or IPv6 address.');
  const { enabled, entries } = ipWhitelist ?? merchant.ipWhitelist;
  const verdict = (orderType: OrderType) => {
    const entry = enabled ? listedBy(entries, plain, orderType) : undefined;
    return { accepted: !enabled || entry !== undefined, entry: entry?.address ?? null };
  };
  return {
    restricted: enabled,
    deposits: verdict('Deposit'),
    withdrawals: verdict('Withdrawal'),
  };
}

/** The fields as a merchant's row has them, and the picture that `logo` names there. */
async function asStored<T extends Fields>(caller: string, fields: T) {
  const { logo, brandColour } = fields;
  const picture = typeof logo === 'string' ? await readLogo(caller, logo) : undefined;
  const stored: T = {
    ...fields,
    ...(typeof brandColour === 'string' && { brandColour: brandColour.toLowerCase() }),
    ...(picture !== undefined && { logo: picture.hash }),
  };
  return { stored, picture };
}

/** Throws FieldErrors where it is no picture that can be a logo. */
async function readLogo(
  caller: string,
  text: string,
): Promise<{ readonly hash: string; readonly webp: Buffer }> {
  const content = bytesOf(text);
  if (content === undefined) throw fieldError('logo', 'must be a data: URL or base64.');
  const encoded = await encodeLogo(caller, content);
  if ('wrong' in encoded) throw fieldError('logo', encoded.wrong);
  const { webp } = encoded;
  return { webp, hash: hash('sha256', webp) };
}

/**
 * The fields with the callback URL that is meant by the one that a form shows: with the user name
 * and password that are kept. Throws FieldErrors where there are none, or of another host.
 */
function withOwnUrl<T extends Fields>(
  fields: T,
  kept: Pick<MerchantRecord, 'defaultCallbackUrl'>,
): T {
  const { defaultCallbackUrl: sent } = fields;
  if (typeof sent !== 'string') return fields;
  const meant = withKeptLogin(sent, kept.defaultCallbackUrl);
  if (meant === undefined)
    throw fieldError(
      'defaultCallbackUrl',
      'must have its user name and password again, which are kept for one host.',
    );
  return { ...fields, defaultCallbackUrl: meant };
}

function wrongDisplayName(name: string): string | undefined {
  if (hasUnseen(name)) return HOLDS_UNSEEN;
  return /[\p{L}\p{N}]/u.test(name) ? undefined : 'must contain a letter or a digit.';
}

/** A user name in a URL can pose as its host. */
function isPlainHttpsUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && text.startsWith('https://') && username + password === '';
}

/** What the schema cannot say of URLs, addresses and display name. */
function checkFields(fields: Fields): void {
  const { defaultCallbackUrl, supportUrl, ipWhitelist, displayName, timeZone } = fields;
  const errors: Record<string, string[]> = {};
  if (timeZone !== undefined && !isTimeZone(timeZone))
    errors['$.timeZone'] = ['must be a time zone by its name, such as Asia/Karachi.'];
  if (typeof defaultCallbackUrl === 'string' && !isHttpUrl(defaultCallbackUrl))
    errors['$.defaultCallbackUrl'] = ['must be an absolute http(s) URL.'];
  if (typeof supportUrl === 'string' && !isPlainHttpsUrl(supportUrl))
    errors['$.supportUrl'] = ['must be an absolute https URL without a user name.'];
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

const addedCurrencies = (before: MerchantRecord, after: MerchantRecord) =>
  after.currencies.filter((currency) => !before.currencies.includes(currency));

/** A merchant takes a currency only once it can be settled (merchant-api.md#balance). */
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
