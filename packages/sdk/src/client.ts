import { randomUUID } from 'node:crypto';
import { parseExact } from './exact-json.ts';
import { pauseBeforeRetry } from './retry.ts';
import { signOrderBody } from './sign.ts';
import type { Balance, CreatedOrder, NewOrder, OrderStatus } from './types.ts';

/**
 * An answer other than success. Branch on `status` and, for signature errors, on `code`; the
 * message is for people.
 */
export class MunshiError extends Error {
  override readonly name = 'MunshiError';
  readonly status: number;
  readonly code: string | undefined;
  /** Quote it when you report an error to the operator. */
  readonly traceId: string | undefined;
  readonly body: string;
  constructor(status: number, body: string) {
    const read = readBody(body) as
      | { error?: string; title?: string; code?: string; traceId?: string }
      | undefined;
    super(read?.error ?? read?.title ?? `the service answered ${status}`);
    this.status = status;
    this.code = read?.code;
    this.traceId = read?.traceId;
    this.body = body;
  }
}

export interface Client {
  /**
   * Creates an order once: every attempt has the same Idempotency-Key, a random one by default.
   */
  createOrder(
    order: NewOrder,
    options?: { readonly idempotencyKey?: string },
  ): Promise<CreatedOrder>;
  /** By orderId or orderReference. */
  orderStatus(id: string): Promise<OrderStatus>;
  /** The latest order with this reference of yours. */
  orderStatusByReference(merchantOrderRef: string): Promise<OrderStatus>;
  balance(): Promise<Balance>;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signingSecret: string;
  /** Of each attempt, until its whole answer is there; 15,000 by default. */
  readonly timeoutMs?: number;
  /** Attempts in all, 4 by default. */
  readonly attemptsMax?: number;
}

/**
 * A client of the merchant API. Requests that time out, cannot connect or are answered 429 or 5xx
 * are tried again, after growing pauses or as `Retry-After` asks; the last failure is thrown.
 * Refusals are thrown at once, as MunshiError.
 */
export function createClient({
  baseUrl,
  apiKey,
  signingSecret,
  timeoutMs = 15_000,
  attemptsMax = 4,
}: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, '');

  async function request<T>(
    path: string,
    init: {
      readonly method?: string;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    } = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(path, init).catch((error: Error) => error);
      const failed = answer instanceof Error;
      if (!failed && answer.ok) return (parseExact(answer.text) as { data: T }).data;
      const pauseMs = pauseBeforeRetry(failed ? { attempt } : { attempt, ...answer });
      if (attempt >= attemptsMax || pauseMs === undefined)
        throw failed ? answer : new MunshiError(answer.status, answer.text);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async function send(
    path: string,
    { headers, ...init }: { readonly headers?: Record<string, string> },
  ) {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${base}${path}`, {
      ...init,
      headers: { ...headers, 'SVC-API-Key': apiKey },
      signal,
    });
    return {
      ok: response.ok,
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    };
  }

  return {
    createOrder: (order, { idempotencyKey = randomUUID() } = {}) =>
      request('/api/merchant/orders', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
        body: signedBody(order, signingSecret),
      }),
    orderStatus: (id) => request(`/api/merchant/orders/${encodeURIComponent(id)}/status`),
    orderStatusByReference: (reference) =>
      request(`/api/merchant/orders/status?merchantOrderRef=${encodeURIComponent(reference)}`),
    balance: () => request('/api/merchant/orders/balance'),
  };
}

/**
 * The JSON text of an order with its signature; the amount is written as it was given. Throws
 * TypeError when the amount is not plain decimal text.
 */
export function signedBody(order: NewOrder, signingSecret: string): string {
  if (typeof order.amount !== 'string' || !/^\d+(\.\d+)?$/.test(order.amount)) {
    throw new TypeError(
      `amount must be decimal text such as "1500.50", so that no digit is lost; it is ${JSON.stringify(order.amount)}`,
    );
  }
  const { amount, ...rest } = order;
  const fields = JSON.stringify(rest).slice(1, -1);
  const unsigned = `{"amount":${amount}${fields === '' ? '' : `,${fields}`}}`;
  return `${unsigned.slice(0, -1)},"signature":"${signOrderBody(unsigned, signingSecret)}"}`;
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
