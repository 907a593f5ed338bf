import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { createMerchant, type TestMerchant } from '../support/fixtures.ts';
import { get } from '../support/merchant-client.ts';
import { TEST_MS } from '../support/patience.ts';
import { startProcess } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';
import type { Request } from './support/client.ts';
import { startFleet } from './support/fleet.ts';
import { expectKept } from './support/kept.ts';
import { report, SEED, seeded, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

const STOPS = size('SERVER_STOPS', { short: 2, full: 50 });

/**
 * A server that gets SIGTERM answers what it has accepted, sends its clients elsewhere, and
 * ends.
 */
const { test, service } = await serviceTest({ ROLES: 'http' });

test(`SIGTERM of one of three server processes under load, ${STOPS} times: each ends with 0, and nothing that it did is without its answer`, {
  timeout: TEST_MS + STOPS * 60_000,
}, async () => {
  const random = seeded();
  const fleet = await startFleet(service, 3);
  // A client may use a kept connection in the moment in which it is closed. Such a request must not
  // have been carried out.
  const carriedOut: string[] = [];
  const onCut = async ({ headers }: Request) => {
    const key = headers?.['Idempotency-Key'];
    const { rows } = await service.database.pool.query(
      'select order_id from orders where idempotency_key = $1',
      [key],
    );
    carriedOut.push(...rows.map((row) => row.order_id));
  };
  const traffic = await startTraffic(service, fleet, { onCut });
  for (let stop = 0; stop < STOPS; stop += 1) {
    await traffic.progress(50 + random(150));
    const ending = random(fleet.size);
    expect(await fleet.end(ending, 'SIGTERM')).toBe(0);
    await fleet.restart(ending);
  }
  await traffic.stop();
  await expectKept(service, traffic);
  await traffic.close();
  await fleet.close();
  const { answered, cut, refused, unavailable, late, slowestMs } = traffic.client.seen;
  expect({ carriedOut, unavailable, late }).toEqual({ carriedOut: [], unavailable: 0, late: 0 });
  report('server-stops', {
    stops: STOPS,
    seed: SEED,
    orders: traffic.answered.wishes.length,
    answered,
    refused,
    cut,
    slowestMs,
  });
});

/** A request on a connection that is kept; the answer is read to its end. */
async function ask(merchant: TestMerchant, agent: Agent): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(
      `${merchant.url}/api/merchant/orders/balance`,
      { agent, headers: { 'SVC-API-Key': merchant.apiKey } },
      resolve,
    )
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
  const closed = other.app.close();
  await expect.poll(() => other.app.http.server.listening, { interval: 1 }).toBe(false);
  const last = await ask(merchant, agent);
  expect(last).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
  await expect(get(merchant, '/orders/balance')).rejects.toThrow();
  await closed;
  await other.close();
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
    open(
      'POST /api/merchant/orders HTTP/1.1\r\nHost: x\r\nSVC-API-Key: mk_x\r\nContent-Length: 100\r\n\r\n{',
    ),
  ]);
  const merchant = { ...(await createMerchant(service)), url: process.url };
  expect(await get(merchant, '/orders/balance')).toMatchObject({ status: 200 });
  expect(await process.stop('SIGTERM')).toBe(0);
});
