import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readSignature, WALLET_TYPES, type WalletType } from '@munshi/core';
import { type Call, caller, callerWith, type Json, type Send } from './calls.ts';
import { FEES, OTHERS, SHOPS, type ShopName, WORKERS } from './people.ts';

/** Who acts in the demo's past, each through their own face. */
export interface World {
  readonly support: Call;
  readonly admin: Call;
  readonly shops: ReadonlyMap<ShopName, Shop>;
  /** By memberId. */
  readonly members: ReadonlyMap<string, Call>;
  readonly others: readonly { readonly memberId: string; readonly call: Call }[];
}

export interface Shop {
  readonly merchantId: string;
  create(order: NewOrder): Promise<Created>;
}

export interface NewOrder {
  readonly orderType: 'Deposit' | 'Withdrawal';
  readonly walletType: WalletType;
  /** As written, with at most two decimals. */
  readonly amount: string;
  readonly currency?: 'PKR' | 'INR' | 'BDT';
  readonly merchantOrderRef?: string;
  readonly customerReference?: string;
  readonly customerAccountNumber?: string;
  readonly customerAccountName?: string;
  readonly maxRetryCount?: number;
}

export interface Created {
  readonly orderId: string;
  /** What the customer does on the payment page. */
  page(action: string, body?: object): Promise<Json>;
}

/** Makes everybody, with money, accounts, fee rules and exchange rates, as operators would. */
export async function createWorld(send: Send, admin: Call, support: Call): Promise<World> {
  for (const [currency, rate] of [
    ['INR', 3.31],
    ['BDT', 2.28],
  ])
    await admin('POST', '/api/operator/exchange-rates', { currency, rate });
  const shops = new Map<ShopName, Shop>();
  for (const shop of SHOPS) shops.set(shop.name, await createShop(send, admin, shop));
  const members = new Map<string, Call>();
  for (const [index, worker] of WORKERS.entries()) {
    const { memberId, call } = await createMember(send, admin, worker);
    for (const walletType of WALLET_TYPES)
      await addAccount(admin, memberId, worker.name, walletType, index);
    await admin('POST', `/api/operator/members/${memberId}/float-adjustments`, {
      amount: worker.float,
      reason: 'Opening float, by bank transfer',
    });
    await call('POST', '/api/member/presence', { online: true });
    members.set(memberId, call);
  }
  const others = [];
  for (const other of OTHERS) others.push(await createMember(send, admin, other));
  return { support, admin, shops, members, others };
}

async function createShop(
  send: Send,
  admin: Call,
  { credit, ...shop }: (typeof SHOPS)[number],
): Promise<Shop> {
  const made = await admin('POST', '/api/operator/merchants', shop);
  const merchantId = String(made['merchantId']);
  const key = await admin('POST', `/api/operator/merchants/${merchantId}/api-keys`);
  for (const fee of FEES) await admin('POST', '/api/operator/fee-rules', { merchantId, ...fee });
  await admin('POST', `/api/operator/merchants/${merchantId}/adjustments`, {
    kind: 'credit',
    amount: credit,
    reason: 'Opening balance, by bank transfer',
  });
  return {
    merchantId,
    async create(order) {
      const call = callerWith(send, {
        'svc-api-key': String(key['apiKey']),
        'idempotency-key': randomUUID(),
      });
      const created = await call(
        'POST',
        '/api/merchant/orders',
        signed({ ...order, amount: Number(order.amount) }, String(key['signingSecret'])),
      );
      return {
        orderId: String(created['orderId']),
        page: pageOf(send, new URL(String(created['paymentPageUrl']))),
      };
    },
  };
}

function signed(order: object, secret: string): object {
  const reading = readSignature(JSON.stringify({ ...order, signature: 'unsigned' }));
  if (!reading.ok) throw new Error(`the demo cannot sign an order: ${reading.code}`);
  const signature = createHash('md5')
    .update(reading.canonical + secret)
    .digest('hex');
  return { ...order, signature };
}

function pageOf(send: Send, { pathname, search }: URL): Created['page'] {
  const call = callerWith(send, {});
  return (action, body = {}) => call('POST', `${pathname}/${action}${search}`, body);
}

async function createMember(
  send: Send,
  admin: Call,
  { name, username }: { readonly name: string; readonly username: string },
) {
  const password = randomBytes(12).toString('base64url');
  const made = await admin('POST', '/api/operator/members', {
    name,
    username,
    password,
    maxOpenOrders: 12,
  });
  const session = await callerWith(send, {})('POST', '/api/member/session', {
    username,
    password,
  });
  return { memberId: String(made['memberId']), call: caller(send, String(session['token'])) };
}

async function addAccount(
  admin: Call,
  memberId: string,
  accountTitle: string,
  walletType: WalletType,
  index: number,
): Promise<void> {
  const accountNumber = `03${21 + index}${WALLET_TYPES.indexOf(walletType)}48${index}0217`;
  const qrPayload = walletType.endsWith('QR') ? { qrPayload: `demo:${accountNumber}` } : {};
  const account = { walletType, accountNumber, accountTitle, ...qrPayload };
  const { accountId } = await admin('POST', `/api/operator/members/${memberId}/accounts`, account);
  await admin('POST', `/api/operator/member-accounts/${accountId}/approve`);
}
