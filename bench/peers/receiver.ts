import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Receivers of webhooks in a process of their own: `healthy` ones answer 200, `hanging` ones never.
 * The parent says what to expect. It reports the end of the warm-up and then the end: the time from
 * the last request of the warm-up (or the first of all) to the last one, and every delay after the
 * first.
 */
const [healthy = 1, hanging = 0] = process.argv.slice(2).map(Number);
let expected = Number.POSITIVE_INFINITY;
let warmUp = 0;
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
      if (arrivals.length === warmUp) process.send?.({ warm: true });
      if (arrivals.length === expected) report();
    });
  });
const silent = () =>
  listen((request) => {
    hung += 1;
    request.resume();
  });

function report() {
  const first = arrivals[0] ?? 0;
  process.send?.({
    done: true,
    ms: (arrivals.at(-1) ?? 0) - (arrivals[warmUp - 1] ?? first),
    delays: arrivals.map((at) => at - first),
    hung,
  });
}

process.on('message', (message: { expect: number; warmUp: number }) => {
  ({ expect: expected, warmUp } = message);
  arrivals = [];
  hung = 0;
});
const ports = {
  healthy: await Promise.all(Array.from({ length: healthy }, answering)),
  hanging: await Promise.all(Array.from({ length: hanging }, silent)),
};
process.send?.({ ports });
