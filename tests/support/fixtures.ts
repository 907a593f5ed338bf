import { hash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import {
  type Actor,
  type Currency,
  canonicalString,
  type Member,
  type MemberAccount,
  money,
  type Stage,
  type Status,
  scanObject,
  WALLET_TYPES,
  type WalletType,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import { hashPassword } from '../../apps/server/src/platform/sign-in/passwords.ts';
import { standsAlone } from '../../packages/core/src/testing/literals.ts';
import type { Service } from './service.ts';

export const OPERATOR = {
  kind: 'operator',
  id: randomUUID(),
  name: 'fixtures',
  address: '127.0.0.1',
} as const;
/** Money of fixtures waits for nobody. */
const BY_TWO = { ...standsAlone(OPERATOR), sumOf: null };
/** A valid hash that no password matches. */
const UNUSABLE = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const letters = (length: number) =>
  Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('');

/** A merchant with one active API key, and where its service listens. */
export interface TestMerchant {
  readonly url: string;
  readonly merchantId: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}

interface MerchantOptions {
  readonly name?: string;
  readonly status?: 'active' | 'suspended' | 'closed';
  readonly depositMethods?: readonly WalletType[];
  readonly withdrawalMethods?: readonly WalletType[];
  readonly currencies?: readonly Currency[];
  readonly defaultCallbackUrl?: string | null;
  readonly ipWhitelist?: object;
  /** Credited to the wallet, in PKR. */
  readonly balance?: string;
}

/** A merchant with all methods, PKR, and an API key with its signing secret. */
export async function createMerchant(
  service: Service,
  options: MerchantOptions = {},
): Promise<TestMerchant> {
  const { database, app, url } = service;
  const merchantId = randomUUID();
  const now = new Date(app.deps.clock.now()).toISOString();
  await database.pool.query(
    `insert into merchants (merchant_id, name, status, default_callback_url, deposit_methods, withdrawal_methods, currencies, ip_whitelist, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      merchantId,
      options.name ?? 'Test Merchant',
      options.status ?? 'active',
      options.defaultCallbackUrl ?? null,
      options.depositMethods ?? WALLET_TYPES,
      options.withdrawalMethods ?? WITHDRAWAL_METHODS,
      options.currencies ?? ['PKR'],
      JSON.stringify(options.ipWhitelist ?? { enabled: false, entries: [] }),
      now,
    ],
  );
  await database.pool.query('insert into merchant_wallets (merchant_id) values ($1)', [merchantId]);
  const key = await createApiKey(service, merchantId);
  const merchant = { url, merchantId, ...key };
  if (options.balance !== undefined) await fundMerchant(service, merchant, options.balance);
  return merchant;
}

/** One more API key for a merchant. */
export async function createApiKey(
  { database, app }: Service,
  merchantId: string,
): Promise<Pick<TestMerchant, 'keyId' | 'apiKey' | 'signingSecret'>> {
  const keyId = randomUUID();
  const apiKey = `mk_live_${letters(32)}`;
  const signingSecret = `sksec_${letters(40)}`;
  const { sealed, sealKeyId } = app.deps.vault.seal(signingSecret, { merchantId, keyId });
  await database.pool.query(
    `insert into api_keys (merchant_id, key_id, key_hash, prefix, sealed_secret, seal_key_id, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      merchantId,
      keyId,
      Buffer.from(hash('sha256', apiKey), 'hex'),
      apiKey.slice(8, 16),
      sealed,
      sealKeyId,
      new Date(app.deps.clock.now()).toISOString(),
    ],
  );
  return { keyId, apiKey, signingSecret };
}

/** Credits a merchant's wallet through the engine. */
export async function fundMerchant(
  { app }: Service,
  { merchantId }: { readonly merchantId: string },
  amount: string,
): Promise<void> {
  const decision = await app.deps.engine.submit({
    kind: 'adjust-wallet',
    commandId: randomUUID(),
    merchantId,
    adjustment: 'credit',
    amount: money(amount),
    reason: 'test funds',
    ...BY_TWO,
  });
  if (!decision.ok) throw new Error(decision.refusal.message);
}

/** A member with approved accounts, one for each method asked for, in that order. */
export interface TestMember {
  readonly memberId: string;
  readonly username: string;
  readonly accounts: readonly Pick<
    MemberAccount,
    'accountId' | 'walletType' | 'accountNumber' | 'accountTitle' | 'qrPayload'
  >[];
}

interface MemberOptions {
  readonly name?: string;
  readonly methods?: readonly WalletType[];
  /** In PKR. */
  readonly float?: string;
  readonly maxOpenOrders?: number;
  readonly online?: boolean;
  /** Of the orders that every account takes; all by default. */
  readonly currencies?: readonly Currency[];
  /** Of every account; per order and per day, in PKR. */
  readonly limits?: {
    readonly minimumPerOrder?: string;
    readonly maximumPerOrder?: string;
    readonly maximumPerDay?: string;
  };
  /** Without one the member cannot sign in. */
  readonly password?: string;
}

/** A member with float and approved accounts, online by default. */
export async function createMember(
  service: Service,
  options: MemberOptions = {},
): Promise<TestMember> {
  const { database, app } = service;
  const memberId = randomUUID();
  const username = `member-${memberId.slice(0, 8)}`;
  const now = new Date(app.deps.clock.now()).toISOString();
  await database.pool.query(
    `insert into members (member_id, name, username, password_hash, max_open_orders, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [
      memberId,
      options.name ?? 'Test Member',
      username,
      options.password === undefined ? UNUSABLE : await hashPassword(options.password),
      options.maxOpenOrders ?? 10,
      now,
    ],
  );
  const accounts = (options.methods ?? WALLET_TYPES).map((walletType) => ({
    accountId: randomUUID(),
    walletType,
    accountNumber: `03${String(randomInt(1_000_000_000)).padStart(9, '0')}`,
    accountTitle: `${walletType} of ${username}`,
    qrPayload: walletType.endsWith('QR') ? `qr:${letters(24)}` : null,
  }));
  const {
    minimumPerOrder = null,
    maximumPerOrder = null,
    maximumPerDay = null,
  } = options.limits ?? {};
  for (const { accountId, walletType, accountNumber, accountTitle, qrPayload } of accounts) {
    await database.pool.query(
      `insert into member_accounts (account_id, member_id, wallet_type, account_number, account_title, qr_payload, status, minimum_per_order,
         maximum_per_order, maximum_per_day, currencies, created_at) values ($1, $2, $3, $4, $5, $6, 'approved', $7, $8, $9, $10, $11)`,
      [
        accountId,
        memberId,
        walletType,
        accountNumber,
        accountTitle,
        qrPayload,
        minimumPerOrder,
        maximumPerOrder,
        maximumPerDay,
        options.currencies ?? null,
        now,
      ],
    );
  }
  await floatMember(service, memberId, options.float ?? '100000');
  if (options.online ?? true) await setPresence(service, memberId, true);
  return { memberId, username, accounts };
}

export async function floatMember(
  { app }: Service,
  memberId: string,
  amount: string,
): Promise<void> {
  if (money(amount) === 0n) return;
  const decision = await app.deps.engine.submit({
    kind: 'adjust-float',
    commandId: randomUUID(),
    memberId,
    amount: money(amount),
    reason: 'test float',
    ...BY_TWO,
  });
  if (!decision.ok) throw new Error(decision.refusal.message);
}

/** Sets a member online or offline through the engine; a suspended one only as an operator. */
export async function setPresence(
  { app }: Service,
  memberId: string,
  online: boolean,
  actor: Actor = { kind: 'member', id: memberId },
): Promise<Member> {
  const decision = await app.deps.engine.submit({
    kind: 'update-member',
    commandId: randomUUID(),
    memberId,
    online,
    actor,
  });
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision.result;
}

/** Sets every member offline, so that they get no orders of the next test. */
export async function everybodyOffline(service: Service): Promise<void> {
  const { rows } = await service.database.pool.query('select member_id from members where online');
  for (const { member_id } of rows) await setPresence(service, member_id, false, OPERATOR);
}

/**
 * Signs a member in who was created with this password; answers the token for `Authorization:
 * Bearer`.
 */
export async function signInMember(
  { url }: Service,
  { username }: { readonly username: string },
  password: string,
): Promise<string> {
  const response = await fetch(`${url}/api/member/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  if (response.status !== 200)
    throw new Error(`signing in answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: { token: string } }).data.token;
}

/**
 * The body's text with its signature. Numbers may be given as `JSON.rawJSON` to be sent as written.
 */
export function signBody(body: Readonly<Record<string, unknown>>, signingSecret: string): string {
  const text = JSON.stringify(body);
  const scan = scanObject(text);
  if (!scan.ok) throw new Error('the body is not one JSON object');
  const signature = hash('md5', canonicalString(scan.members) + signingSecret);
  return JSON.stringify({ ...body, signature });
}

/** Sends a signed order creation, with a fresh Idempotency-Key unless one is given. */
export function signedOrder(
  merchant: TestMerchant,
  body: Readonly<Record<string, unknown>>,
  options: { idempotencyKey?: string } = {},
): Promise<Response> {
  return fetch(`${merchant.url}/api/merchant/orders`, {
    method: 'POST',
    headers: {
      'SVC-API-Key': merchant.apiKey,
      'Idempotency-Key': options.idempotencyKey ?? randomUUID(),
      'Content-Type': 'application/json',
    },
    body: signBody(body, merchant.signingSecret),
  });
}

export interface CreatedOrder {
  readonly orderId: string;
  readonly orderReference: string;
  readonly status: Status;
  readonly stage: Stage;
  readonly merchantOrderRef: string | null;
  readonly paymentPageUrl: string;
  readonly expiresAt: string;
}

/**
 * Creates an order with a unique reference (a repeated body would be a replay); answers its `data`.
 */
export async function createOrder(
  merchant: TestMerchant,
  body: Readonly<Record<string, unknown>> = {},
): Promise<CreatedOrder> {
  const full = {
    orderType: 'Deposit',
    amount: 1500,
    walletType: 'ProviderA',
    merchantOrderRef: `ref-${randomUUID()}`,
    ...body,
  };
  const response = await signedOrder(merchant, full);
  if (response.status !== 200)
    throw new Error(`order creation answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: CreatedOrder }).data;
}

/** An order's row as the merchant's status endpoint shows it. */
export async function orderStatus(
  merchant: TestMerchant,
  orderId: string,
): Promise<Record<string, unknown> & { status: Status; stage: Stage }> {
  const response = await fetch(`${merchant.url}/api/merchant/orders/${orderId}/status`, {
    headers: { 'SVC-API-Key': merchant.apiKey },
  });
  return (
    (await response.json()) as { data: Record<string, unknown> & { status: Status; stage: Stage } }
  ).data;
}

/** Advances the sandbox clock and runs what falls due on the way. */
export async function advance({ app }: Service, seconds: number): Promise<void> {
  if (app.deps.advanceClock === undefined) throw new Error('the service has no sandbox clock');
  await app.deps.advanceClock(seconds);
}
