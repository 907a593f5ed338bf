import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { WebhookSignatureError, webhooks } from '@munshi/sdk';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Signing secrets, one of which must match. Without any, nothing is verified. */
  readonly secrets: readonly string[];
  /** The status that a verified webhook is answered with. */
  readonly answer: number;
  /** So many attempts of each delivery are answered 500 first. */
  readonly failFirst: number;
  /** Seconds until the answer; the service stops waiting after five. */
  readonly delay: number;
  /** Never answer. */
  readonly hang: boolean;
  /** Print the bodies too, indented. */
  readonly bodies: boolean;
}

/** The fields of an event that are printed; any may be missing in what others send. */
interface Event {
  readonly eventType?: string;
  readonly orderId?: string;
  readonly orderReference?: string;
  readonly status?: string;
  readonly reason?: string;
}

const BODY_BYTES_MAX = 1024 * 1024;

/**
 * A webhook receiver for development: verifies each webhook, prints it and whether it is a
 * duplicate, and answers as `options` say, with errors too. Resolves when it listens.
 */
export async function listen(
  options: ListenOptions,
  print: (line: string) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  /** How many attempts came, by delivery id. */
  const attempts = new Map<string, number>();
  /** The deliveries that were answered with success, by order and event type. */
  const acknowledged = new Map<string, string>();

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413).end();
    const deliveryId = String(request.headers['x-svc-delivery-id'] ?? '');
    const attempt = (attempts.get(deliveryId) ?? 0) + 1;
    attempts.set(deliveryId, attempt);
    const event = readEvent(body);
    const key = `${event.orderId} ${event.eventType}`;
    const verified = verify(request, body);

    print(`${new Date().toISOString()} ${describeRequest(request)}: ${verified}`);
    print(`   ${describeOrder(event)}`);
    print(`   ${describeDelivery(request, attempt)}`);
    const before = acknowledged.get(key);
    if (before !== undefined)
      print(
        `   a duplicate: ${event.eventType} of this order was acknowledged before, in delivery ${before}`,
      );
    if (options.bodies) print(indent(body));

    if (verified === MISMATCH) return answer(response, 401, 'the signature does not match\n');
    if (options.hang) return print('   → no answer');
    const status = attempt <= options.failFirst ? 500 : options.answer;
    if (status >= 200 && status <= 299) acknowledged.set(key, deliveryId);
    await setTimeout(options.delay * 1000);
    answer(response, status, '');
  });

  function verify({ headers }: IncomingMessage, body: Buffer): string {
    if (options.secrets.length === 0) return 'not verified: no secret given';
    try {
      webhooks.verify(body, headers, options.secrets);
    } catch (error) {
      if (error instanceof WebhookSignatureError) return MISMATCH; // others: it is not JSON
    }
    return 'signature matches';
  }

  function answer(response: ServerResponse, status: number, text: string) {
    print(`   → ${status}`);
    response.writeHead(status).end(text);
  }

  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const MISMATCH = 'SIGNATURE DOES NOT MATCH';

const describeRequest = ({ method, url, headers }: IncomingMessage) =>
  `${method} ${url} ${headers['x-svc-event'] ?? '(no X-SVC-Event)'}`;

const describeOrder = ({ orderId, orderReference, status, reason }: Event) =>
  `order ${orderReference ?? orderId ?? '?'}, ${status ?? '?'}${reason === undefined ? '' : `, "${reason}"`}`;

function describeDelivery({ headers }: IncomingMessage, attempt: number): string {
  const sent = Number(headers['x-svc-timestamp']);
  return [
    `delivery ${headers['x-svc-delivery-id'] ?? '?'}`,
    `attempt ${attempt} seen here`,
    `key ${headers['x-svc-key-prefix'] ?? '(none)'}`,
    `sent ${Number.isFinite(sent) ? new Date(sent * 1000).toISOString() : '?'}`,
  ].join(', ');
}

/** Undefined when it is larger than any webhook. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readEvent(body: Buffer): Event {
  try {
    return Object(JSON.parse(body.toString('utf8'))) as Event;
  } catch {
    return {};
  }
}

function indent(body: Buffer): string {
  const event = readEvent(body);
  const text =
    Object.keys(event).length === 0 ? body.toString('utf8') : JSON.stringify(event, null, 2);
  return text.replaceAll(/^/gm, '     ');
}
