import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isWebhookSignature } from '@munshi/sdk';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Signing secrets that a webhook may be signed with. Without any nothing is verified. */
  readonly secrets: readonly string[];
  /** What a verified webhook is answered with. */
  readonly answer: number;
  /** This many attempts of each delivery are answered 500 before. */
  readonly failFirst: number;
  /** Seconds until the answer. Beyond five the service gives up. */
  readonly delay: number;
  /** Takes the webhook and never answers. */
  readonly hang: boolean;
  /** Prints the bodies, indented. */
  readonly bodies: boolean;
}

const BODY_BYTES_MAX = 1024 * 1024;

/**
 * A receiver for development: verifies each webhook, says what it is and whether it came before,
 * and answers as it is told, errors too. Answers where it listens, and how to end it.
 */
export async function listen(
  options: ListenOptions,
  print: (line: string) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  /** Attempts by delivery id, and events by order: what a receiver keeps to know a duplicate. */
  const attempts = new Map<string, number>();
  const events = new Map<string, string>();

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413).end();
    const deliveryId = String(request.headers['x-svc-delivery-id'] ?? '');
    const attempt = (attempts.get(deliveryId) ?? 0) + 1;
    attempts.set(deliveryId, attempt);
    const signature = request.headers['x-svc-signature'];
    const verified = options.secrets.some((secret) =>
      isWebhookSignature(body, typeof signature === 'string' ? signature : undefined, secret),
    );
    const event = readEvent(body);
    for (const line of describe(request, {
      event,
      attempt,
      verified,
      known: events.get(keyOf(event)),
    }))
      print(line);
    if (options.bodies) print(indent(body));
    if (options.secrets.length > 0 && !verified)
      return answer(response, 401, 'the signature does not fit\n');
    if (options.hang) return print('   → no answer');
    const status = attempt <= options.failFirst ? 500 : options.answer;
    if (status >= 200 && status <= 299) events.set(keyOf(event), deliveryId);
    setTimeout(() => answer(response, status, ''), options.delay * 1000);
  });

  function answer(response: ServerResponse, status: number, text: string) {
    print(`   → ${status}`);
    response.writeHead(status).end(text);
  }

  function describe(
    request: IncomingMessage,
    {
      event,
      attempt,
      verified,
      known,
    }: { event: Event; attempt: number; verified: boolean; known: string | undefined },
  ) {
    const { headers } = request;
    const proof =
      options.secrets.length === 0
        ? 'not verified: no secret given'
        : verified
          ? 'signature fits'
          : 'SIGNATURE DOES NOT FIT';
    const sent = Number(headers['x-svc-timestamp']);
    return [
      `${new Date().toISOString()} ${request.method} ${request.url} ${headers['x-svc-event'] ?? '(no X-SVC-Event)'}: ${proof}`,
      `   order ${event.orderReference ?? event.orderId ?? '?'}, ${event.status ?? '?'}${event.reason === undefined ? '' : `, "${event.reason}"`}`,
      `   delivery ${headers['x-svc-delivery-id'] ?? '?'}, attempt ${attempt} seen here, key ${headers['x-svc-key-prefix'] ?? '(none)'}, ` +
        `sent ${Number.isFinite(sent) ? new Date(sent * 1000).toISOString() : '?'}`,
      ...(known === undefined
        ? []
        : [
            `   a duplicate: ${event.eventType} of this order was acknowledged before, in delivery ${known}`,
          ]),
    ];
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Event {
  readonly eventType?: string;
  readonly orderId?: string;
  readonly orderReference?: string;
  readonly status?: string;
  readonly reason?: string;
}

const keyOf = ({ orderId, eventType }: Event) => `${orderId} ${eventType}`;

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
