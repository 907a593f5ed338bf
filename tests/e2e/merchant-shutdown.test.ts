import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMember, createMerchant, type TestMerchant } from '../support/fixtures.ts';
import { get, postOrder } from '../support/merchant-client.ts';
import { startProcess } from '../support/process.ts';
import { type Service, startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';

/** A server that is told to end answers what it has accepted, tells its clients to go elsewhere, and ends. */
let service: Service;
beforeAll(async () => {
  service = await startService();
  await createMember(service, { float: '10000000', maxOpenOrders: 100_000 });
});
afterAll(async () => {
  await expectSound(service);
  await service.close();
});

const order = (n: number) => ({
  amount: 10,
  customerReference: randomUUID(),
  ...(n % 3 === 0 ? { orderType: 'Withdrawal', walletType: 'TillID', customerAccountNumber: '0300' } : { orderType: 'Deposit', walletType: 'ProviderA' }),
});

test.each([1, 2, 3])('SIGTERM under load ends a process with 0, and no order is without its answer: round %i', async () => {
  const process = await startProcess(service, { ROLES: 'http' });
  const one = { ...(await createMerchant(service, { balance: '1000000' })), url: process.url };
  const answered = new Map<string, string>();
  const refused: string[] = [];
  let ending = false;
  // Each client sends one order after the other until nobody takes its connection.
  const client = async (number: number) => {
    for (let n = number; ; n += 1) {
      const idempotencyKey = randomUUID();
      const reply = await postOrder(one, order(n), { idempotencyKey }).catch(() => undefined);
      if (reply === undefined) {
        expect(ending).toBe(true);
        refused.push(idempotencyKey);
        return;
      }
      expect(reply).toMatchObject({ status: 200 });
      answered.set(idempotencyKey, reply.json.data.orderId);
    }
  };
  const clients = Promise.all(Array.from({ length: 24 }, (_, number) => client(number)));
  await expect.poll(() => answered.size, { timeout: 20_000, interval: 2 }).toBeGreaterThan(100);
  ending = true;
  expect(await process.stop('SIGTERM')).toBe(0);
  await clients;
  const { rows } = await service.database.pool.query('select order_id, idempotency_key from orders where merchant_id = $1', [one.merchantId]);
  expect(Object.fromEntries(rows.map((row) => [row.idempotency_key, row.order_id]))).toEqual(Object.fromEntries(answered));
  // What was not taken can be sent to another server, with the same key.
  for (const idempotencyKey of refused.slice(0, 3)) {
    expect(await postOrder({ ...one, url: service.url }, order(1), { idempotencyKey })).toMatchObject({ status: 200 });
  }
});

/** A request on a connection that is kept; the answer is read to its end. */
async function ask(merchant: TestMerchant, agent: Agent): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${merchant.url}/api/merchant/orders/balance`, { agent, headers: { 'SVC-API-Key': merchant.apiKey } }, resolve)
      .on('error', reject)
      .end();
  });
  for await (const _ of answer);
  return answer;
}

test('a kept connection gets one more answer, which says that it ends; new connections are refused', async () => {
  const other = await startService({ ROLES: 'http' }, service);
  const merchant = { ...(await createMerchant(service)), url: other.url };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask(merchant, agent)).headers.connection).toBe('keep-alive');
  const closed = other.close();
  await expect.poll(() => other.app.http.server.listening, { interval: 1 }).toBe(false);
  const last = await ask(merchant, agent);
  expect(last).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
  await expect(get(merchant, '/orders/balance')).rejects.toThrow();
  await closed;
});

test('connections that are silent or stop halfway do not keep a process from ending with 0', async () => {
  const process = await startProcess(service, { ROLES: 'http' });
  const { hostname, port } = new URL(process.url);
  const open = (bytes: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes, () => resolve()));
      socket.on('error', () => {});
    });
  await Promise.all([
    open(''),
    open('GET /healthz HTTP/1.1\r\n'),
    open('POST /api/merchant/orders HTTP/1.1\r\nHost: x\r\nSVC-API-Key: mk_x\r\nContent-Length: 100\r\n\r\n{'),
  ]);
  const merchant = { ...(await createMerchant(service)), url: process.url };
  expect(await get(merchant, '/orders/balance')).toMatchObject({ status: 200 });
  expect(await process.stop('SIGTERM')).toBe(0);
});
