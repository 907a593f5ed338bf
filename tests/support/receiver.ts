import { createHmac } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it arrived. */
export interface Received {
  readonly at: number;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly json: any;
}

/** A status to answer, or a handler of the request. */
export type Behaviour = number | ((received: Received, response: ServerResponse) => void);

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** The number of connections opened so far. */
  readonly connections: number;
  /** Sets what it does from now on. */
  behave(behaviour: Behaviour): void;
  /** Resolves when that many webhooks have arrived in all. */
  arrived(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

/** A webhook receiver on 127.0.0.1 that keeps what it receives, and answers 200 by default. */
export async function startReceiver(behaviour: Behaviour = 200): Promise<Receiver> {
  let now = behaviour;
  let connections = 0;
  const received: Received[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const at = Date.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const one: Received = {
      at,
      url: request.url ?? '',
      headers: request.headers,
      body,
      json: JSON.parse(body.toString('utf8')),
    };
    received.push(one);
    response.on('error', () => {});
    if (typeof now === 'number') response.writeHead(now).end();
    else now(one, response);
    for (const waiter of waiting) if (received.length >= waiter.count) waiter.resolve();
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    get connections() {
      return connections;
    },
    behave(next) {
      now = next;
    },
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve(received);
        else waiting.push({ count, resolve: () => resolve(received) });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The value that X-SVC-Signature must have. */
export const signatureOf = (body: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
