import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { askForStream, follow, type LiveEvent, type LiveState, readEvent } from './events.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A face whose streams the test holds. */
async function serve(statusNow = () => 200, begin: Promise<unknown> = Promise.resolve()) {
  const streams: ServerResponse[] = [];
  const server = createServer(async (_request, response) => {
    await begin;
    response.writeHead(statusNow(), { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    streams.push(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, streams };
}

function listen(url: string) {
  const events: LiveEvent[] = [];
  const states: LiveState[] = [];
  const onPoll = vi.fn();
  const onSignedOut = vi.fn();
  closing.push(
    follow({
      ask: () => askForStream(url),
      onEvent: (event) => events.push(event),
      onState: (state) => states.push(state),
      onPoll,
      onSignedOut,
    }),
  );
  return { events, states, onPoll, onSignedOut };
}

test('events come one by one, however the bytes are cut, and heartbeats are none', async () => {
  const { url, streams } = await serve();
  const received = listen(url);
  await expect.poll(() => streams.length).toBe(1);
  streams[0]?.write('retry: 3000\n\n:\n\nevent: order\ndata: {"order');
  streams[0]?.write('Id":"1"}\n\nevent: claim\ndata: nonsense\n\n');
  await expect
    .poll(() => received.events)
    .toEqual([
      { kind: 'order', data: { orderId: '1' } },
      { kind: 'claim', data: {} },
    ]);
  expect(received.states.at(-1)).toMatchObject({ live: true });
});

test('a stream that ends is not live, and is read again when it is back', async () => {
  const { url, streams } = await serve();
  const received = listen(url);
  await expect.poll(() => streams.length).toBe(1);
  const polls = received.onPoll.mock.calls.length;
  streams[0]?.end();
  await expect.poll(() => received.states.at(-1)?.live).toBe(false);
  expect(received.states.at(-1)?.lastSeenAt).not.toBeNull();
  await expect.poll(() => received.states.at(-1)?.live).toBe(true);
  expect(received.onPoll.mock.calls.length).toBeGreaterThan(polls);
});

test('what there is is read once the stream has begun', async () => {
  const { url } = await serve();
  const received = listen(url);
  await expect.poll(() => received.states.at(-1)?.live).toBe(true);
  expect(received.onPoll).toHaveBeenCalledTimes(1);
});

test('without a stream it is read all the same, and again once there is one', async () => {
  const begin = Promise.withResolvers<void>();
  const { url } = await serve(() => 200, begin.promise);
  const received = listen(url);
  await expect.poll(() => received.onPoll.mock.calls.length, { timeout: 5_000 }).toBe(1);
  expect(received.states).toEqual([]);
  begin.resolve();
  await expect.poll(() => received.states.at(-1)?.live).toBe(true);
  expect(received.onPoll).toHaveBeenCalledTimes(2);
});

test('an ended session is reported, and its person followed again once they are back', async () => {
  let status = 401;
  const { url } = await serve(() => status);
  const received = listen(url);
  await expect.poll(() => received.onSignedOut.mock.calls.length).toBe(1);
  status = 200;
  await expect.poll(() => received.states.at(-1)?.live).toBe(true);
});

test('a block without an event is nothing', () => {
  expect(readEvent(': heartbeat')).toBeUndefined();
  expect(readEvent('data: {"a":1}')).toBeUndefined();
});
