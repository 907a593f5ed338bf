import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openEnvironment } from './environment.ts';
import { killAll, type RunningServer, startServer } from './processes.ts';
import { type CreatedOrder, depositRequest, withdrawalRequest } from './requests.ts';
import { type Member, type Merchant, seedMembers, seedMerchants } from './seed.ts';

/**
 * `npm run bench:routes`: what a request of each route costs the server in processor time, over all
 * its threads, one request after the other. Whoever may send a request may send many, so an
 * expensive route is a risk (docs/security.md). Without Postgres.
 */

const { values } = parseArgs({ options: { times: { type: 'string', default: '1000' } } });
const TIMES = Number(values.times);
/** Requests of a route whose own limit ends it early. */
const SELDOM = Math.min(TIMES, 60);

interface Asked {
  readonly who: 'stranger' | 'customer' | 'member' | 'merchant';
  readonly what: string;
  readonly times?: number;
  /** The statuses of a request that did what it should. */
  readonly status: number;
  request(at: number): readonly [path: string, init?: RequestInit];
}

const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
const html = { Accept: 'text/html', 'Accept-Encoding': 'br' };
const post = (
  path: string,
  body: object,
  headers: Record<string, string> = {},
): readonly [string, RequestInit] => [
  path,
  { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) },
];

/** A request of the load's client, for fetch. */
function wire(text: string): readonly [string, RequestInit] {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.split(': ') as [string, string])
    .filter(([name]) => !/^(host|content-length|connection)$/i.test(name));
  return [first.split(' ')[1] as string, { method: 'POST', headers, body }];
}

interface Cast {
  readonly merchant: Merchant;
  readonly member: Member;
  /**
   * A deposit to be paid by account, and by a QR code of the longest content; one that nobody can
   * take; a withdrawal that a member holds.
   */
  readonly pay: CreatedOrder;
  readonly code: CreatedOrder;
  readonly waiting: CreatedOrder;
  readonly payout: CreatedOrder;
}

const pathOf = ({ paymentPageUrl }: CreatedOrder, action = '') => {
  const { pathname, search } = new URL(paymentPageUrl);
  return `${pathname}${action}${search}`;
};

function routes({ merchant, member, pay, code, waiting, payout }: Cast): readonly Asked[] {
  const key = { 'SVC-API-Key': merchant.apiKey };
  const repeated = depositRequest(merchant);
  const signedIn = { Authorization: `Bearer ${member.token}` };
  const mine = (path: string): readonly [string, RequestInit] => [
    `/api/member${path}`,
    { headers: signedIn },
  ];
  return [
    { who: 'stranger', what: 'GET of nothing', status: 404, request: () => ['/nothing'] },
    { who: 'stranger', what: 'GET /healthz', status: 200, request: () => ['/healthz'] },
    { who: 'stranger', what: 'GET /readyz', status: 200, request: () => ['/readyz'] },
    {
      who: 'stranger',
      what: 'GET /openapi/operator.json',
      status: 200,
      request: () => ['/openapi/operator.json'],
    },
    { who: 'stranger', what: 'GET /docs/', status: 200, request: () => ['/docs/'] },
    {
      who: 'stranger',
      what: 'GET /docs/js/scalar.js',
      status: 200,
      times: Math.min(TIMES, 200),
      request: () => ['/docs/js/scalar.js'],
    },
    {
      who: 'stranger',
      what: 'GET /pay/assets/checkout.js',
      status: 200,
      request: () => ['/pay/assets/checkout.js'],
    },
    {
      who: 'stranger',
      what: 'GET /pay/{id}, a wrong link',
      status: 403,
      request: () => [`/pay/${randomUUID()}?expires=1&token=x`, { headers: html }],
    },
    {
      who: 'stranger',
      what: 'GET /pay/{id}, 12 KB of query',
      status: 403,
      request: () => [`/pay/${randomUUID()}?${'a=1&'.repeat(3_000)}`, { headers: html }],
    },
    {
      who: 'stranger',
      what: 'POST /api/merchant/orders, an unknown key',
      status: 401,
      request: () =>
        post('/api/merchant/orders', {}, { 'SVC-API-Key': `mk_live_${'x'.repeat(32)}` }),
    },
    {
      who: 'stranger',
      what: 'POST /api/member/session, wrong',
      status: 401,
      times: SELDOM,
      request: (at) =>
        post('/api/member/session', { username: `nobody-${at}`, password: 'a guess' }),
    },
    {
      who: 'stranger',
      what: 'POST /api/member/session, too many tries',
      status: 429,
      request: () => post('/api/member/session', { username: 'nobody', password: 'a guess' }),
    },
    {
      who: 'customer',
      what: 'GET /pay/{id}',
      status: 200,
      request: () => [pathOf(pay), { headers: html }],
    },
    {
      who: 'customer',
      what: 'GET /pay/{id} with the longest QR code',
      status: 200,
      request: () => [pathOf(code), { headers: html }],
    },
    { who: 'customer', what: 'GET /state', status: 200, request: () => [pathOf(pay, '/state')] },
    { who: 'customer', what: 'GET /qr.png', status: 200, request: () => [pathOf(code, '/qr.png')] },
    {
      who: 'customer',
      what: 'POST /open, opened before',
      status: 200,
      request: () => post(pathOf(pay, '/open'), {}),
    },
    {
      who: 'customer',
      what: 'POST /open, nobody there',
      status: 200,
      request: () => post(pathOf(waiting, '/open'), {}),
    },
    {
      who: 'customer',
      what: 'POST /payer',
      status: 200,
      request: (at) => post(pathOf(code, '/payer'), { accountNumber: `0300${at}999` }),
    },
    {
      who: 'customer',
      what: 'POST /check',
      status: 200,
      request: () => post(pathOf(pay, '/check'), { transactionDigits: '1234' }),
    },
    {
      who: 'customer',
      what: 'POST /claim, not taken',
      status: 409,
      request: () => post(pathOf(pay, '/claim'), { transactionDigits: '1234' }),
    },
    {
      who: 'customer',
      what: 'POST /method, nobody for it',
      status: 409,
      request: () => post(pathOf(pay, '/method'), { walletType: 'ProviderBQR' }),
    },
    {
      who: 'customer',
      what: 'POST /method, to and fro',
      status: 200,
      times: 20,
      request: (at) =>
        post(pathOf(pay, '/method'), { walletType: at % 2 === 0 ? 'TillID' : 'ProviderA' }),
    },
    {
      who: 'customer',
      what: 'POST /method, the 21st',
      status: 409,
      request: () => post(pathOf(pay, '/method'), { walletType: 'TillID' }),
    },
    {
      who: 'customer',
      what: 'POST /account, given before',
      status: 200,
      request: () =>
        post(pathOf(payout, '/account'), { accountNumber: '0300', accountName: 'Ayesha' }),
    },
    {
      who: 'customer',
      what: 'POST /cancel, too late',
      status: 409,
      request: () => post(pathOf(payout, '/cancel'), {}),
    },
    {
      who: 'customer',
      what: 'POST /confirm, again and again',
      status: 200,
      request: () => post(pathOf(pay, '/confirm'), { transactionDigits: '1234' }),
    },
    { who: 'member', what: 'GET /me', status: 200, request: () => mine('/me') },
    { who: 'member', what: 'GET /accounts', status: 200, request: () => mine('/accounts') },
    { who: 'member', what: 'GET /orders', status: 200, request: () => mine('/orders?limit=200') },
    {
      who: 'member',
      what: 'GET /orders?state=closed',
      status: 200,
      request: () => mine('/orders?state=closed&limit=200'),
    },
    {
      who: 'member',
      what: 'GET /orders/{id}',
      status: 200,
      request: () => mine(`/orders/${payout.orderId}`),
    },
    { who: 'member', what: 'GET /session', status: 200, request: () => mine('/session') },
    {
      who: 'member',
      what: 'POST /accounts, one’s own again',
      status: 409,
      request: () =>
        post(
          '/api/member/accounts',
          { walletType: 'TillID', accountNumber: '03001234567', accountTitle: 'Member' },
          signedIn,
        ),
    },
    {
      who: 'member',
      what: 'POST /presence',
      status: 200,
      request: () => post('/api/member/presence', { online: true }, signedIn),
    },
    {
      who: 'member',
      what: 'POST /orders/{id}/report, the same words',
      status: 200,
      request: () =>
        post(
          `/api/member/orders/${payout.orderId}/report`,
          { reason: 'x'.repeat(1_000) },
          signedIn,
        ),
    },
    {
      who: 'merchant',
      what: 'POST /orders',
      status: 200,
      request: () => wire(depositRequest(merchant)),
    },
    {
      who: 'merchant',
      what: 'POST /orders, 60 KB that nobody has signed',
      status: 401,
      request: () =>
        post(
          '/api/merchant/orders',
          { metadata: 'x'.repeat(60_000) },
          { ...key, 'Idempotency-Key': randomUUID() },
        ),
    },
    {
      who: 'merchant',
      what: 'GET /orders/{id}/status',
      status: 200,
      request: () => [`/api/merchant/orders/${pay.orderId}/status`, { headers: key }],
    },
    { who: 'merchant', what: 'POST /orders, a repeat', status: 200, request: () => wire(repeated) },
    {
      who: 'merchant',
      what: 'GET /orders/balance',
      status: 200,
      request: () => ['/api/merchant/orders/balance', { headers: key }],
    },
  ];
}

/** Sends it `times` times, one after the other; throws on an unexpected answer. */
async function ask(
  { url }: RunningServer,
  { what, status, request }: Asked,
  times: number,
  first = 0,
) {
  for (let at = first; at < first + times; at += 1) {
    const [path, init] = request(at);
    const answer = await fetch(url + path, { redirect: 'manual', ...init });
    await answer.arrayBuffer();
    if (answer.status !== status)
      throw new Error(`${what}: answered ${answer.status} instead of ${status}`);
  }
}

async function main() {
  const environment = await openEnvironment();
  try {
    const { database } = environment;
    const [merchant] = (await seedMerchants(database, 1)) as [Merchant];
    const [member] = (await seedMembers(database, 1, {
      methods: ['ProviderA', 'ProviderAQR', 'TillID'],
    })) as readonly [Member];
    await database.pool.query(
      `update member_accounts set qr_payload = repeat('0123456789abcdef', 32) where wallet_type = 'ProviderAQR'`,
    );
    const server = await startServer(environment, { env: { ALLOW_PRIVATE_CALLBACKS: '1' } });
    const create = async (request: string): Promise<CreatedOrder> => {
      const [path, init] = wire(request);
      return ((await (await fetch(server.url + path, init)).json()) as { data: CreatedOrder }).data;
    };
    const cast: Cast = {
      merchant,
      member,
      pay: await create(depositRequest(merchant)),
      code: await create(depositRequest(merchant, { walletType: 'ProviderAQR' })),
      waiting: await create(depositRequest(merchant, { walletType: 'ProviderBQR' })),
      payout: await create(withdrawalRequest(merchant)),
    };
    for (const order of [cast.pay, cast.code])
      await fetch(server.url + pathOf(order, '/open'), { method: 'POST', headers: json });
    await fetch(server.url + pathOf(cast.code, '/payer'), {
      method: 'POST',
      headers: json,
      body: '{"accountNumber":"03001234567"}',
    });

    console.info('| Who | What | µs of processor time |\n|---|---|---|');
    for (const asked of routes(cast)) {
      const times = asked.times ?? TIMES;
      // A route whose state a request uses up gets no warm-up.
      const before = asked.times === undefined ? Math.min(times, 100) : 0;
      if (asked.status === 429)
        await Promise.all(
          Array.from({ length: 11 }, (_, at) =>
            fetch(server.url + asked.request(at)[0], asked.request(at)[1]),
          ),
        );
      await ask(server, asked, before);
      const start = (await server.cpuSeconds()) ?? Number.NaN;
      await ask(server, asked, times, before);
      const micros = ((((await server.cpuSeconds()) ?? Number.NaN) - start) / times) * 1e6;
      console.info(`| ${asked.who} | ${asked.what} | ${Math.round(micros).toLocaleString('en')} |`);
    }
    await server.stop();
  } finally {
    await environment.close();
    killAll();
  }
}

await main();
