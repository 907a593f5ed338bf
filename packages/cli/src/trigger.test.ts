import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { readStatus, type TriggerOptions, trigger } from './trigger.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const ORDER = {
  orderId: 'one',
  orderReference: 'ORD-1',
  orderType: 'Deposit',
  amount: 750.5,
  currency: 'PKR',
};

/** What is printed and asked of a service that has this call, or none. */
async function run(options: Partial<TriggerOptions>, { sandbox = true } = {}) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const path = request.url?.replace('/api/merchant', '') ?? '';
    const body = text === '' ? {} : JSON.parse(text);
    const refuse = (error: string) => response.writeHead(404).end(JSON.stringify({ error }));
    const give = (data: object) => response.end(JSON.stringify({ data }));
    if (path.startsWith('/sandbox/') && !sandbox) return refuse('Not found.');
    if (path === '/sandbox/orders/none') return refuse('Order not found.');
    asked.push({ path, body });
    if (path === '/orders')
      return give({ orderId: 'one', paymentPageUrl: 'https://pay.example/pay/one' });
    if (path.endsWith('/status')) return give({ ...ORDER, status: 'Queued' });
    return give({ ...ORDER, status: body.to });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const client = createClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'mk_live_key',
    signingSecret: 'sksec_secret',
  });
  const lines: string[] = [];
  const all = { to: 'Rejected', withdrawal: false, json: false } as const;
  const error = await trigger(client, { ...all, ...options }, (line) => lines.push(line)).catch(
    (thrown: Error) => thrown.message,
  );
  return { asked, lines, error };
}

test('an order that is named is moved, with the reason', async () => {
  const { asked, lines } = await run({ order: 'ORD-1', reason: 'not received' });
  expect(asked).toEqual([
    { path: '/orders/ORD-1/status', body: {} },
    { path: '/sandbox/orders/one', body: { to: 'Rejected', reason: 'not received' } },
  ]);
  expect(lines).toEqual(['ORD-1, a deposit of 750.5 PKR', '   Queued → Rejected']);
});

test.each([
  ['Rejected', false, 'Deposit', undefined],
  ['Expired', false, 'Deposit', undefined],
  ['Completed', true, 'Withdrawal', '03001230004'],
  ['AwaitingMemberPayout', false, 'Withdrawal', '03001230004'],
  // Only an order that waits for its customer's account is sure to be Awaiting.
  ['Awaiting', false, 'Withdrawal', undefined],
  ['CancelledTimeout', false, 'Withdrawal', undefined],
] as const)(
  'for %s, with --withdrawal %s, a %s is made that can become it',
  async (to, withdrawal, orderType, account) => {
    const { asked, lines } = await run({ to, withdrawal });
    expect(asked[0]).toMatchObject({ path: '/orders', body: { orderType } });
    expect(asked[0]?.body['customerAccountNumber']).toBe(account);
    expect(lines).toContain('   made for this; its payment page: https://pay.example/pay/one');
  },
);

test('an order that is there already stays as it is', async () => {
  const { lines } = await run({ order: 'ORD-1', to: 'Queued' });
  expect(lines.at(-1)).toBe('   Queued');
});

test('--json answers the status of the order', async () => {
  const { lines } = await run({ json: true });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...ORDER, amount: '750.5', status: 'Rejected' },
  ]);
});

test('where the service is no sandbox, no order is made', async () => {
  const { asked, error } = await run({ withdrawal: true }, { sandbox: false });
  expect(error).toContain('the service is no sandbox');
  expect(asked).toEqual([]);
});

test('a status is read however it is written', () => {
  expect(
    ['rejected', 'manual-review', 'CancelledTimeout', 'paid', 'frozen', 'confirmed'].map(
      readStatus,
    ),
  ).toEqual(['Rejected', 'ManualReview', 'CancelledTimeout', undefined, undefined, undefined]);
});
