import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Receivers of webhooks in a process of their own: `healthy` ones answer 200, `hanging` ones never. Told by the parent what
 * to expect, it tells when the healthy ones have had that many: first and last arrival, and every delay after the first.
 */
const [healthy = 1, hanging = 0] = process.argv.slice(2).map(Number);
let expected = Number.POSITIVE_INFINITY;
let arrivals: number[] = [];
let hung = 0;

const listen = (onRequest: Parameters<typeof createServer>[1]) =>
  new Promise<number>((resolve) => {
    const server = createServer({ keepAliveTimeout: 60_000 }, onRequest);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const answering = () =>
  listen((request, response) => {
    request.resume();
    request.once('end', () => {
      response.end();
      arrivals.push(performance.now());
      if (arrivals.length === expected) tell();
    });
  });
const silent = () =>
  listen((request) => {
    hung += 1;
    request.resume();
  });

function tell() {
  const first = arrivals[0] ?? 0;
  process.send?.({ done: true, ms: (arrivals.at(-1) ?? 0) - first, delays: arrivals.map((at) => at - first), hung });
}

process.on('message', (message: { expect: number }) => {
  expected = message.expect;
  arrivals = [];
  hung = 0;
});
const ports = { healthy: await Promise.all(Array.from({ length: healthy }, answering)), hanging: await Promise.all(Array.from({ length: hanging }, silent)) };
process.send?.({ ports });
