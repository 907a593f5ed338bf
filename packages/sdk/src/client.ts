import { randomUUID } from 'node:crypto';
import type { Currency, OrderType, Stage, Status, WalletType } from '@munshi/core';
import { signOrderBody } from './sign.ts';

/** What an order is created from. Amounts are decimal text, `"1500.50"`, so that they stay exact. */
export interface NewOrder {
  readonly orderType: OrderType;
  readonly amount: string;
  readonly walletType: WalletType;
  readonly currency?: Currency;
  readonly merchantOrderRef?: string;
  readonly customerReference?: string;
  readonly customerAccountNumber?: string;
  readonly customerAccountName?: string;
  readonly callbackUrl?: string;
  readonly successUrl?: string;
  readonly failureUrl?: string;
  readonly metadata?: string;
  readonly txnRefDigitsRequired?: number;
  readonly maxRetryCount?: number;
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

/** Amounts as exact decimal text, times as ISO 8601 UTC. */
export interface OrderStatus {
  readonly orderId: string;
  readonly orderReference: string;
  readonly status: Status;
  readonly stage: Stage;
  readonly amount: string;
  readonly fee: string | null;
  readonly currency: Currency;
  readonly orderType: OrderType;
  readonly merchantOrderRef: string | null;
  readonly queuedAt: string;
  readonly confirmedAt: string | null;
  readonly cancelledAt: string | null;
  readonly lifecycle: Readonly<Record<string, string | null>>;
}

export interface Balance {
  readonly availableBalance: string;
  readonly reservedBalance: string;
  readonly frozenBalance: string;
  readonly currency: Currency;
}

/** An answer other than success. Branch on `status` and, for signature errors, on `code`; the message is for people. */
export class MunshiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: string;
  constructor(status: number, body: string) {
    const read = parse(body) as { error?: string; title?: string; code?: string } | undefined;
    super(read?.error ?? read?.title ?? `the service answered ${status}`);
    this.status = status;
    this.code = read?.code;
    this.body = body;
  }
}

export interface Client {
  /** Creates an order once: retried with the same Idempotency-Key, which is made when none is given. */
  createOrder(order: NewOrder, options?: { readonly idempotencyKey?: string }): Promise<CreatedOrder>;
  /** By orderId or orderReference. */
  orderStatus(id: string): Promise<OrderStatus>;
  /** The latest order with the merchant's own reference. */
  orderStatusByReference(merchantOrderRef: string): Promise<OrderStatus>;
  balance(): Promise<Balance>;
}

interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}

/** Answers after which the same request may succeed: an unexpected error, or a service that is briefly away. */
const RETRIED = new Set([500, 503]);
const ATTEMPTS_MAX = 4;

export function createClient({ baseUrl, apiKey, signingSecret }: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, '');

  async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const headers = { ...(init.headers as Record<string, string>), 'SVC-API-Key': apiKey };
      const response = await fetch(`${base}${path}`, { ...init, headers }).catch((error: Error) => error);
      if (!(response instanceof Error)) {
        const text = await response.text();
        if (response.ok) return (parse(text) as { data: T }).data;
        if (!RETRIED.has(response.status) || attempt === ATTEMPTS_MAX) throw new MunshiError(response.status, text);
      } else if (attempt === ATTEMPTS_MAX) throw response;
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt));
    }
  }

  return {
    createOrder: (order, { idempotencyKey = randomUUID() } = {}) =>
      request('/api/merchant/orders', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
        body: signedBody(order, signingSecret),
      }),
    orderStatus: (id) => request(`/api/merchant/orders/${encodeURIComponent(id)}/status`),
    orderStatusByReference: (reference) => request(`/api/merchant/orders/status?merchantOrderRef=${encodeURIComponent(reference)}`),
    balance: () => request('/api/merchant/orders/balance'),
  };
}

/** The JSON text of an order with its signature; the amount is written as it was given. */
export function signedBody(order: NewOrder, signingSecret: string): string {
  if (!/^\d+(\.\d+)?$/.test(order.amount)) throw new TypeError(`amount must be decimal text such as "1500.50"; it is "${order.amount}"`);
  const { amount, ...rest } = order;
  const unsigned = `{"amount":${amount},${JSON.stringify(rest).slice(1)}`;
  return `${unsigned.slice(0, -1)},"signature":"${signOrderBody(unsigned, signingSecret)}"}`;
}

const MONEY = new Set(['amount', 'fee', 'availableBalance', 'reservedBalance', 'frozenBalance']);

/** Amounts come as JSON numbers; their text is kept, because a JavaScript number does not hold every one of them. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && MONEY.has(key) ? (context?.source ?? String(value)) : value,
    );
  } catch {
    return undefined;
  }
}
