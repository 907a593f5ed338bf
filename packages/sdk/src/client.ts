import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ConnectionError, errorOf, ServiceError, ValidationError } from './errors.ts';
import {
  type EventPage,
  type EventPageOptions,
  type EventsOptions,
  follow,
  type ReceivedEvent,
} from './events.ts';
import { parseExact } from './exact-json.ts';
import { pauseBeforeRetry } from './retry.ts';
import { signOrderBody } from './sign.ts';
import type { Balance, CreatedOrder, NewOrder, OrderStatus, Status } from './types.ts';
import { webhooks } from './webhooks.ts';

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
  /**
   * Follows the feed of outcomes, and verifies each event. Goes on after lost connections and
   * errors of the service; throws the refusals, and WebhookSignatureError.
   */
  events(options?: EventsOptions): AsyncGenerator<ReceivedEvent, void>;
  /** One page of the feed as it is answered, unverified. */
  eventPage(options?: EventPageOptions): Promise<EventPage>;
  /** Has the outcomes since a time (ISO 8601) sent again to the callback URLs of their orders. */
  resendEvents(since: string | Date): Promise<{ readonly orders: number }>;
  readonly sandbox: {
    /** Takes an order, by orderId or orderReference, to a status, where the service is a sandbox. */
    move(
      id: string,
      to: { readonly to: Status; readonly reason?: string | undefined },
    ): Promise<OrderStatus>;
  };
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The first one signs orders; during a rotation, events may be signed with any. */
  readonly signingSecret: string | readonly [string, ...string[]];
  /** Of each attempt, until its whole answer is there; 15,000 by default. */
  readonly timeoutMs?: number;
  /** Attempts in all, 4 by default. */
  readonly attemptsMax?: number;
}

interface Request {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** How long the service may hold its answer. */
  readonly holdMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Without end, however long `Retry-After` asks to wait. */
  readonly patient?: boolean;
}

const asJson = (body: object): Request => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * A client of the merchant API. Requests that time out, cannot connect or are answered 429 or 5xx
 * are tried again, after growing pauses or as `Retry-After` asks; the last failure is thrown.
 * Refusals are thrown at once. All are MunshiErrors, and reject the promise: no call throws.
 */
export function createClient({
  baseUrl,
  apiKey,
  signingSecret,
  timeoutMs = 15_000,
  attemptsMax = 4,
}: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, '');
  const secrets = typeof signingSecret === 'string' ? ([signingSecret] as const) : signingSecret;

  /** The whole answer of a success. */
  async function request<T>(path: string, init: Request = {}): Promise<T> {
    const { patient = false } = init;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(path, init);
      const failed = answer instanceof ConnectionError;
      if (!failed && answer.ok) return readAnswer(answer);
      const pauseMs = pauseBeforeRetry({ attempt, patient, ...(failed ? {} : answer) });
      if ((attempt >= attemptsMax && !patient) || pauseMs === undefined)
        throw failed ? answer : errorOf(answer.status, answer.text);
      await setTimeout(pauseMs, undefined, { signal: init.signal });
    }
  }

  const data = async <T>(path: string, init?: Request): Promise<T> =>
    (await request<{ data: T }>(path, init)).data;

  async function send(path: string, { headers, method, body, holdMs = 0, signal }: Request) {
    const limit = AbortSignal.timeout(timeoutMs + holdMs);
    try {
      const response = await fetch(`${base}${path}`, {
        ...(method && { method }),
        ...(body && { body }),
        headers: { ...headers, 'SVC-API-Key': apiKey },
        signal: signal ? AbortSignal.any([limit, signal]) : limit,
      });
      return {
        ok: response.ok,
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        text: await response.text(),
      };
    } catch (cause) {
      if (signal?.aborted) throw cause;
      return new ConnectionError(`no answer from ${base}: ${reasonOf(cause)}`, { cause });
    }
  }

  const readPage = (
    { after, limit, wait = 0, signal }: EventPageOptions,
    patient: boolean,
  ): Promise<EventPage> => {
    const query = new URLSearchParams({
      ...(after !== undefined && { after }),
      ...(limit !== undefined && { limit: String(limit) }),
      wait: String(wait),
    });
    return request(`/api/merchant/events?${query}`, { holdMs: wait * 1000, signal, patient });
  };

  async function* events(options: EventsOptions = {}): AsyncGenerator<ReceivedEvent, void> {
    for await (const delivery of follow((page) => readPage(page, true), options)) {
      const { body, headers } = delivery;
      yield { ...delivery, event: webhooks.verify(body, headers, secrets) };
    }
  }

  return {
    createOrder: async (order, { idempotencyKey = randomUUID() } = {}) =>
      data('/api/merchant/orders', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
        body: signedBody(order, secrets[0]),
      }),
    orderStatus: async (id) => data(`/api/merchant/orders/${encodeURIComponent(id)}/status`),
    orderStatusByReference: async (reference) =>
      data(`/api/merchant/orders/status?merchantOrderRef=${encodeURIComponent(reference)}`),
    balance: async () => data('/api/merchant/orders/balance'),
    events,
    eventPage: async (options = {}) => readPage(options, false),
    resendEvents: async (since) =>
      data(
        '/api/merchant/events/resend',
        asJson({ since: since instanceof Date ? since.toISOString() : since }),
      ),
    sandbox: {
      move: async (id, to) =>
        data(`/api/merchant/sandbox/orders/${encodeURIComponent(id)}`, asJson(to)),
    },
  };
}

function readAnswer<T>({ status, text }: { readonly status: number; readonly text: string }): T {
  try {
    return parseExact(text) as T;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ServiceError(`the service answered ${status} without JSON`, { status, cause });
  }
}

/** The reason of a failed `fetch` is in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error
    ? cause.message || String((cause as { code?: string }).code)
    : message;
}

/**
 * The JSON text of an order with its signature; the amount is written as it was given. Throws
 * ValidationError when the amount is not plain decimal text.
 */
export function signedBody(order: NewOrder, signingSecret: string): string {
  const { amount, ...rest } = order;
  if (typeof amount !== 'string' || !/^\d+(\.\d+)?$/.test(amount)) {
    const message = `amount must be decimal text such as "1500.50", so that no digit is lost; it is the ${typeof amount} "${amount}"`;
    throw new ValidationError(message, { fields: { amount: [message] } });
  }
  const fields = JSON.stringify(rest).slice(1, -1);
  const unsigned = `{"amount":${amount}${fields === '' ? '' : `,${fields}`}}`;
  return `${unsigned.slice(0, -1)},"signature":"${signOrderBody(unsigned, signingSecret)}"}`;
}
