import { randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { signedBody } from '../../packages/sdk/src/index.ts';
import type { SoakService } from './service.ts';

const KINDS = ['status', 'creation', 'page', 'confirmation'] as const;
type Kind = (typeof KINDS)[number];
/** Shares of a hundred requests. Members' look-ups of their orders come on top. */
const SHARES: Readonly<Record<Exclude<Kind, 'confirmation'>, number>> = {
  status: 65,
  creation: 20,
  page: 5,
};
/** Orders that merchants still ask about. */
const RECENT_MAX = 2_000;
const METHODS = ['ProviderA', 'ProviderB', 'TillID'] as const;

export interface Load {
  /** Answers and latencies since the start. */
  readonly counts: Readonly<Record<Kind, number>>;
  latencies(kind: Kind): readonly number[];
  /** The first few wrong answers. */
  readonly wrong: readonly string[];
  /** Requests that wait for their answers. */
  readonly waiting: () => number;
  stop(): Promise<void>;
}

interface Open {
  readonly orderId: string;
  /** Path and query of the page, without an action. */
  readonly path: string;
  readonly query: string;
}

/**
 * Sends requests at a fixed rate, whether or not earlier ones are answered. Members confirm when
 * their event streams say so.
 */
export function startLoad(service: SoakService, perSecond: number): Load {
  const { url, apiKey } = service;
  const pool = new Pool(url, { connections: 64 });
  const streams = new Pool(url, { connections: service.members.length, bodyTimeout: 0 });
  const counts: Record<Kind, number> = { status: 0, creation: 0, page: 0, confirmation: 0 };
  const latencies: Record<Kind, number[]> = {
    status: [],
    creation: [],
    page: [],
    confirmation: [],
  };
  const wrong: string[] = [];
  const recent: Open[] = [];
  const unpaid: Open[] = [];
  const pending = new Set<Promise<void>>();
  let stopping = false;

  async function send(kind: Kind, request: Dispatcher.RequestOptions): Promise<string> {
    const sent = performance.now();
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    counts[kind] += 1;
    latencies[kind].push(performance.now() - sent);
    if (statusCode !== 200 && wrong.length < 20)
      wrong.push(`${request.method} ${request.path} ${statusCode} ${text}`);
    return text;
  }

  async function create() {
    const withdrawal = randomInt(4) === 0;
    const body = signedBody(
      {
        orderType: withdrawal ? 'Withdrawal' : 'Deposit',
        amount: `${randomInt(100, 2000)}.5`,
        walletType: METHODS[randomInt(METHODS.length)] as (typeof METHODS)[number],
        merchantOrderRef: randomUUID(),
        ...(withdrawal && { customerAccountNumber: '03001234567' }),
      },
      service.signingSecret,
    );
    const headers = {
      'content-type': 'application/json',
      'svc-api-key': apiKey,
      'idempotency-key': randomUUID(),
    };
    const { data } = JSON.parse(
      await send('creation', { method: 'POST', path: '/api/merchant/orders', headers, body }),
    );
    const page = new URL(data.paymentPageUrl);
    const open = { orderId: data.orderId as string, path: page.pathname, query: page.search };
    recent.push(open);
    if (recent.length > RECENT_MAX) recent.shift();
    // A third of the customers pay; the others' links expire.
    if (!withdrawal && randomInt(3) === 0) unpaid.push(open);
  }

  async function pay() {
    const open = unpaid.shift();
    if (open === undefined) return create();
    await act(open, 'open', {});
    await act(open, 'confirm', { transactionDigits: '1234' });
  }

  const act = ({ path, query }: Open, action: string, body: object) =>
    send('confirmation', {
      method: 'POST',
      path: `${path}/${action}${query}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });

  async function status() {
    const open = recent[randomInt(Math.max(1, recent.length))];
    if (open === undefined) return create();
    await send('status', {
      method: 'GET',
      path: `/api/merchant/orders/${open.orderId}/status`,
      headers: { 'svc-api-key': apiKey },
    });
  }

  async function page() {
    const open = recent.at(-1 - randomInt(Math.max(1, Math.min(200, recent.length))));
    if (open === undefined) return create();
    await send('page', {
      method: 'GET',
      path: `${open.path}/state${open.query}`,
      headers: { accept: 'application/json' },
    });
  }

  function next(): Promise<unknown> {
    const dice = randomInt(100);
    if (dice < SHARES.status) return status();
    if (dice < SHARES.status + SHARES.creation) return create();
    return dice < SHARES.status + SHARES.creation + SHARES.page ? page() : pay();
  }

  function start(work: Promise<unknown>) {
    const done = work.then(
      () => {},
      (error: Error) => {
        if (!stopping && wrong.length < 20) wrong.push(error.message);
      },
    );
    pending.add(done);
    done.then(() => pending.delete(done));
  }

  /** A member's client, which confirms every assigned order that can be confirmed. */
  async function watch(token: string) {
    const headers = { authorization: `Bearer ${token}` };
    const confirm = async (orderId: string) => {
      const { body } = await pool.request({
        method: 'GET',
        path: `/api/member/orders/${orderId}`,
        headers,
      });
      const { data } = (await body.json()) as { data: { allowedActions: string[] } };
      if (!data.allowedActions.includes('confirm')) return;
      await send('confirmation', {
        method: 'POST',
        path: `/api/member/orders/${orderId}/confirm`,
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      });
    };
    const { body } = await streams.request({ method: 'GET', path: '/api/member/events', headers });
    let rest = '';
    for await (const chunk of body) {
      const blocks = `${rest}${chunk}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const match =
          /^event: (?:assigned|customer-confirmed)\ndata: \{"orderId":"([^"]+)"\}$/m.exec(block);
        if (match !== null) start(confirm(match[1] as string));
      }
    }
  }

  for (const token of service.members) start(watch(token));
  let owed = 0;
  let last = performance.now();
  const clockwork = setInterval(() => {
    const now = performance.now();
    owed += ((now - last) / 1000) * perSecond;
    last = now;
    for (; owed >= 1; owed -= 1) start(next());
  }, 10);

  return {
    counts,
    latencies: (kind) => latencies[kind],
    wrong,
    waiting: () => pending.size - service.members.length,
    async stop() {
      clearInterval(clockwork);
      stopping = true;
      // Every request is answered; event streams end with their pool.
      await pool.close();
      await streams.destroy();
      await Promise.all(pending);
    },
  };
}

/** The webhook receiver: answers 200 and counts. */
export async function startCounter(): Promise<{
  readonly url: string;
  count(): number;
  close(): void;
}> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
