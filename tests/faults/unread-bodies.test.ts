import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { createMerchant } from '../support/fixtures.ts';
import { get } from '../support/merchant-client.ts';
import { pace } from '../support/pace.ts';
import { startProcess } from '../support/process.ts';
import { expectWithin, TIMED } from '../support/promises.ts';
import { serviceTest } from '../support/service-test.ts';
import { report, size } from './support/size.ts';

/** Strangers send bodies that nobody wants, as fast as they can, over and over. */
const FLOODERS = size('FLOODERS', { short: 4, full: 10 });
const ASKED = size('ASKED_BESIDE_BODIES', { short: 300, full: 2_000 });
const { test, service } = await serviceTest({ ROLES: 'http' });

/** In a thread of its own, so that the measured clients have theirs. */
const FLOOD = `
const { connect } = require('node:net');
const { workerData, parentPort } = require('node:worker_threads');
const piece = Buffer.alloc(262144, '0');
const figures = { connections: 0, answered: 0, bytes: 0 };
let on = true;
function begin() {
  if (!on) return;
  const socket = connect(workerData.port, workerData.host);
  const push = () => { while (on && socket.writable && socket.write(piece)); };
  figures.connections += 1;
  socket.on('connect', () => {
    socket.write('POST /nope HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 99999999999\\r\\n\\r\\n');
    push();
  });
  socket.on('drain', push);
  socket.once('data', () => { figures.answered += 1; });
  socket.on('error', () => {});
  socket.on('close', () => { figures.bytes += socket.bytesWritten; setImmediate(begin); });
  parentPort.once('message', () => socket.destroy());
}
parentPort.setMaxListeners(0);
parentPort.once('message', () => { on = false; setImmediate(() => { parentPort.postMessage(figures); process.exit(); }); });
for (let n = 0; n < workerData.count; n += 1) begin();
`;

test(`${FLOODERS} connections that send bodies which nobody wants: everybody else is answered`, async () => {
  const server = await startProcess(service, { ROLES: 'http' });
  const merchant = { ...(await createMerchant(service, { balance: '1000' })), url: server.url };
  /** 200 balances a second; answers the milliseconds of each. */
  const measure = async () => {
    const started = performance.now();
    const asked = Array.from({ length: ASKED }, async (_, number) => {
      await pace(number * 5);
      const sent = performance.now();
      expect(await get(merchant, '/orders/balance')).toMatchObject({ status: 200 });
      return performance.now() - sent;
    });
    const took = (await Promise.all(asked)).sort((a, b) => a - b);
    const seconds = (performance.now() - started) / 1_000;
    return {
      p99: Math.round(took[Math.floor(took.length * 0.99)] as number),
      perSecond: Math.round(ASKED / seconds),
    };
  };
  await measure();
  const before = await measure();
  const { hostname, port } = new URL(server.url);
  const flood = new Worker(FLOOD, {
    eval: true,
    workerData: { host: hostname, port: Number(port), count: FLOODERS },
  });
  const during = await measure();
  flood.postMessage('stop');
  const [{ connections, bytes }] = await once(flood, 'message');
  report('unread-bodies', {
    flooders: FLOODERS,
    p99Before: before.p99,
    p99During: during.p99,
    perSecondBefore: before.perSecond,
    perSecondDuring: during.perSecond,
    connections,
    megabytes: Math.round(bytes / 1_000_000),
  });
  // No connection is read for ever: each that was closed has made room for another.
  expect(connections).toBeGreaterThan(FLOODERS);
  if (TIMED) expect(during.perSecond).toBeGreaterThan(before.perSecond / 2);
  // The flood is sent from this machine, and takes its processors' time too.
  expectWithin('a balance beside bodies that nobody wants', during.p99, 25 * FLOODERS);
  expect(await server.stop()).toBe(0);
});
