import { hash, randomUUID } from 'node:crypto';
import { type Answer, type WireRequest, wireRequest } from './connection.ts';
import type { Member, Merchant } from './seed.ts';
import type { Step } from './traffic.ts';

let serial = 0;
/** Identifies this run, so that runs on one database do not collide. */
const RUN = `${process.pid}-${Date.now().toString(36)}`;
const CALLBACK = 'https://merchant.example/webhooks/munshi';

/** Between 500 and 10,000 with two decimals, so that few orders have equal amounts. */
const amountOf = (n: number) => `${500 + ((n * 7919) % 9500)}.${String(10 + ((n * 31) % 89))}`;

interface CreationOptions {
  /** The order's callback URL. */
  readonly callbackUrl?: string;
  readonly walletType?: string;
}

/** A new deposit, signed as a merchant's backend would, with a body of about 470 bytes. */
export function depositRequest(
  { apiKey, signingSecret }: Merchant,
  { callbackUrl = CALLBACK, walletType = 'ProviderA' }: CreationOptions = {},
): WireRequest {
  serial += 1;
  const [amount, reference] = [amountOf(serial), `${RUN}-${serial}`];
  const canonical = `amount=${amount}&callbackurl=${callbackUrl}&currency=PKR&customerreference=customer-${serial}&merchantorderref=${reference}&metadata=cart 7, two items&ordertype=Deposit&successurl=https://merchant.example/thank-you&wallettype=${walletType}`;
  const body = `{"orderType":"Deposit","amount":${amount},"walletType":"${walletType}","currency":"PKR","merchantOrderRef":"${reference}","customerReference":"customer-${serial}","callbackUrl":"${callbackUrl}","successUrl":"https://merchant.example/thank-you","metadata":"cart 7, two items","signature":"${hash('md5', canonical + signingSecret)}"}`;
  return creation(apiKey, body);
}

/** A withdrawal to a customer's account, as large as the deposit. */
export function withdrawalRequest(
  { apiKey, signingSecret }: Merchant,
  { callbackUrl = CALLBACK, walletType = 'ProviderA' }: CreationOptions = {},
): WireRequest {
  serial += 1;
  const [amount, reference] = [amountOf(serial), `${RUN}-${serial}`];
  const canonical = `amount=${amount}&callbackurl=${callbackUrl}&currency=PKR&customeraccountname=Ayesha Khan&customeraccountnumber=03001234567&customerreference=customer-${serial}&merchantorderref=${reference}&metadata=cart 7, two items&ordertype=Withdrawal&wallettype=${walletType}`;
  const body = `{"orderType":"Withdrawal","amount":${amount},"walletType":"${walletType}","currency":"PKR","merchantOrderRef":"${reference}","customerReference":"customer-${serial}","customerAccountNumber":"03001234567","customerAccountName":"Ayesha Khan","callbackUrl":"${callbackUrl}","metadata":"cart 7, two items","signature":"${hash('md5', canonical + signingSecret)}"}`;
  return creation(apiKey, body);
}

const creation = (apiKey: string, body: string) =>
  wireRequest({
    method: 'POST',
    path: '/api/merchant/orders',
    headers: {
      'content-type': 'application/json',
      'svc-api-key': apiKey,
      'idempotency-key': randomUUID(),
    },
    body,
  });

/** How a created order is identified. */
export interface CreatedOrder {
  readonly orderId: string;
  readonly orderReference: string;
  readonly status: string;
  readonly merchantOrderRef: string;
  readonly paymentPageUrl: string;
  readonly expiresAt: string;
}

/** The order of a 200; undefined for anything else. */
const createdOrder = ({ status, body }: Answer): CreatedOrder | undefined =>
  status === 200 ? (JSON.parse(body) as { data: CreatedOrder }).data : undefined;

const isCreated = ({ status, body }: Answer) =>
  status === 200 && body.startsWith('{"data":{"orderId":"');

/** A creation; right if it is answered with an order. */
export const creationStep = (request: WireRequest): Step => ({ request, isRight: isCreated });

/** A creation that records its order. */
export const keptCreation = (request: WireRequest, keep: (order: CreatedOrder) => void): Step => ({
  request,
  isRight(answer) {
    const order = createdOrder(answer);
    if (order !== undefined) keep(order);
    return order !== undefined;
  },
});

/**
 * A status look-up by `orderId`, `orderReference` or `merchantOrderRef`, right if it answers that
 * order.
 */
export function statusStep(
  { apiKey }: Merchant,
  order: CreatedOrder,
  by: 'orderId' | 'orderReference' | 'merchantOrderRef' = 'orderId',
): Step {
  const path =
    by === 'orderId'
      ? `/api/merchant/orders/${order.orderId}/status`
      : `/api/merchant/orders/status?${by}=${order[by]}`;
  const start = `{"data":{"orderId":"${order.orderId}"`;
  return {
    request: wireRequest({ method: 'GET', path, headers: { 'svc-api-key': apiKey } }),
    isRight: ({ status, body }) => status === 200 && body.startsWith(start),
  };
}

/** A balance look-up; right if it answers this amount. */
export const balanceStep = ({ apiKey }: Merchant, available: string): Step => ({
  request: wireRequest({
    method: 'GET',
    path: '/api/merchant/orders/balance',
    headers: { 'svc-api-key': apiKey },
  }),
  isRight: ({ status, body }) =>
    status === 200 && body.startsWith(`{"data":{"availableBalance":${available},`),
});

/** What the payment page's script sends; right if the answer has this status. */
export function pageStep(
  { paymentPageUrl }: CreatedOrder,
  action: 'open' | 'confirm',
  expected: string,
): Step {
  const { pathname, search } = new URL(paymentPageUrl);
  const path = `${pathname}/${action}${search}`;
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const body = action === 'confirm' ? '{"transactionDigits":"1234"}' : '{}';
  return {
    request: wireRequest({ method: 'POST', path, headers, body }),
    isRight: ({ status, body }) => status === 200 && body.includes(`"status":"${expected}"`),
  };
}

/**
 * A member confirms a deposit's receipt or a withdrawal's payout; right if the order is completed.
 */
export const memberConfirmStep = (orderId: string, { token }: Member): Step => ({
  request: wireRequest({
    method: 'POST',
    path: `/api/member/orders/${orderId}/confirm`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  }),
  isRight: ({ status, body }) => status === 200 && body.includes('"status":"Completed"'),
});
