import { ECDH } from 'node:crypto';
import { formatMoney, type Instant, type Money, type OrderAlertKind } from '@munshi/core';
import webpush from 'web-push';
import { type Database, inTransaction } from '../platform/database/db.ts';
import type { Outbound, PostResult } from '../platform/outbound/outbound.ts';
import { fieldError, found, Refused } from '../platform/refusals.ts';
import type { Vault } from '../platform/vault.ts';
import { mayTestPush, PUSH_TESTS_PER_MINUTE } from '../writes/counted-sends.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Work } from '../writes/write.ts';
import {
  beginPushTest,
  deleteSubscription,
  endPushTest,
  forgetOldPhones,
  keepPushKeys,
  listSubscriptions,
  notePushSent,
  type PushSubscription,
  putSubscription,
  readPushKeys,
} from './push.store.ts';

/** Web Push to members' phones (RFC 8030, 8291, 8292). */

export interface PushKeys {
  /** base64url, as browsers subscribe with it. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** In which row the key opens. */
export const PUSH_SEAL_OWNER = { merchantId: 'platform', keyId: 'push' } as const;

/** The installation's key pair, created on first use. */
export async function providePushKeys(
  { pool }: Database,
  vault: Vault,
  now: Instant,
): Promise<PushKeys> {
  if ((await readPushKeys(pool)) === undefined) {
    const { publicKey, privateKey } = webpush.generateVAPIDKeys();
    await keepPushKeys(pool, { publicKey, ...vault.seal(privateKey, PUSH_SEAL_OWNER) }, now);
  }
  const kept = found(await readPushKeys(pool), 'Push key');
  return { publicKey: kept.publicKey, privateKey: vault.open({ ...kept, ...PUSH_SEAL_OWNER }) };
}

/** Nothing else ever leaves in a push: no name, no number. */
export interface PushPayload {
  readonly orderId: string;
  readonly kind: OrderAlertKind | 'test';
  readonly amount: Money;
  readonly currency: string;
}

export interface PushDeps extends Pick<ServiceDeps, 'clock' | 'database'> {
  readonly outbound: Outbound;
  readonly pushKeys: () => Promise<PushKeys>;
}

/** Push services drop what a phone has not fetched by then. */
const TTL_SECONDS_MIN = 60;

export interface Pushed {
  /** Null: the push service took it. */
  readonly error: string | null;
  /** It failed in a way that may pass. */
  readonly mayRetry: boolean;
}

/** Pushes to a phone, encrypted for it. A phone that is gone (404, 410) is forgotten. */
export async function push(
  { clock, database: { pool }, outbound, pushKeys }: PushDeps,
  phone: PushSubscription,
  payload: PushPayload,
  until: Instant | null,
): Promise<Pushed> {
  const now = clock.now();
  const { subscriptionId, endpoint, p256dh, auth } = phone;
  const seconds = until === null ? 0 : Math.round((until - now) / 1000);
  const { headers, body } = webpush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify({ ...payload, amount: formatMoney(payload.amount) }),
    {
      vapidDetails: { subject: outbound.contact, ...(await pushKeys()) },
      TTL: Math.max(TTL_SECONDS_MIN, seconds),
      urgency: 'high',
      topic: payload.orderId.replaceAll('-', ''),
      contentEncoding: 'aes128gcm',
    },
  );
  const result = await outbound.post({
    url: endpoint,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => name.toLowerCase() !== 'content-length')
        .map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body: body as Buffer,
  });
  const pushed = pushedBy(result);
  if (result.responseStatus === 404 || result.responseStatus === 410)
    await deleteSubscription(pool, subscriptionId, null);
  else await notePushSent(pool, subscriptionId, now, pushed.error);
  return pushed;
}

function pushedBy({ outcome, responseStatus, error }: PostResult): Pushed {
  if (outcome === 'acknowledged') return { error: null, mayRetry: false };
  // Members choose the address, so they must not learn what a host name resolves to.
  if (outcome === 'refused')
    return { error: 'This is not the address of a push service.', mayRetry: false };
  const mayRetry = responseStatus === null || responseStatus === 429 || responseStatus >= 500;
  return { error: error ?? 'No answer came.', mayRetry };
}

/** On which a member is reached at once. */
const PHONES_MAX = 20;

export interface NewPhone {
  readonly memberId: string;
  readonly sessionId: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly userAgent: string | null;
}

/**
 * Has alerts pushed to the phone that asks, until its sign-in ends. Throws FieldErrors for an
 * endpoint or keys that are none.
 */
export function subscribe(phone: NewPhone, outbound: Outbound): Work<PushSubscription> {
  checkPhone(phone, outbound);
  const { memberId } = phone;
  return async (client, now, ids) => {
    await forgetOldPhones(client, memberId, now, PHONES_MAX - 1);
    const subscriptionId = ids.uuid(now);
    const result = await putSubscription(client, { ...phone, subscriptionId, createdAt: now });
    const detail = { service: serviceOf(result), subscriptionId: result.subscriptionId };
    return { result, action: 'member.push', target: memberId, detail };
  };
}

function checkPhone({ endpoint, p256dh, auth }: NewPhone, { allowsHttp }: Outbound): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !(url.protocol === 'https:' || (allowsHttp && url.protocol === 'http:')))
    throw fieldError('endpoint', 'must be an https: URL.');
  if (!isPoint(Buffer.from(p256dh, 'base64url')))
    throw fieldError('keys.p256dh', 'must be the 65 bytes of a point of the curve P-256.');
  if (Buffer.from(auth, 'base64url').length !== 16)
    throw fieldError('keys.auth', 'must have 16 bytes.');
}

/** Whether something can be encrypted for this key: 65 bytes need not be a point. */
function isPoint(key: Buffer): boolean {
  try {
    return key.length === 65 && ECDH.convertKey(key, 'prime256v1').length === 65;
  } catch {
    return false;
  }
}

/** The host of the push service. */
export const serviceOf = ({ endpoint }: Pick<PushSubscription, 'endpoint'>): string =>
  new URL(endpoint).host;

/** Forgets a phone of the member. Throws `not-found`. */
export const unsubscribe =
  (memberId: string, subscriptionId: string): Work<{ readonly deleted: boolean }> =>
  async (client) => {
    const deleted = await deleteSubscription(client, subscriptionId, memberId);
    found(deleted || undefined, 'Subscription');
    const detail = { subscriptionId };
    return { result: { deleted }, action: 'member.push-end', target: memberId, detail };
  };

/** What a test push came to. */
export interface PushTest {
  readonly testId: string;
  readonly sentAt: Instant;
  /** Null: the push service took it. */
  readonly error: string | null;
}

/** Pushes a test to one of the member's phones. Throws `not-found` and `too-many`. */
export async function testPush(
  deps: PushDeps & Pick<ServiceDeps, 'ids'>,
  memberId: string,
  subscriptionId: string,
): Promise<PushTest> {
  const { clock, database, ids } = deps;
  const sentAt = clock.now();
  const phones = await listSubscriptions(database.pool, [memberId], sentAt);
  const phone = found(
    phones.find((one) => one.subscriptionId === subscriptionId),
    'Subscription',
  );
  const testId = ids.uuid(sentAt);
  await inTransaction(database.pool, async (client) => {
    if (!(await mayTestPush(client, memberId, { now: sentAt, ids })))
      throw new Refused('too-many', `${PUSH_TESTS_PER_MINUTE} tests a minute are enough. Wait.`);
    await beginPushTest(client, subscriptionId, testId, sentAt);
  });
  const payload = { orderId: testId, kind: 'test', amount: 0n, currency: 'PKR' } as const;
  const { error } = await push(deps, phone, payload, null);
  return { testId, sentAt, error };
}

/** A test has come to its phone: answers the milliseconds it took. Throws `not-found`. */
export async function testSeen(
  { clock, database }: Pick<ServiceDeps, 'clock' | 'database'>,
  memberId: string,
  testId: string,
): Promise<number> {
  return found(await endPushTest(database.pool, memberId, testId, clock.now()), 'Test');
}
