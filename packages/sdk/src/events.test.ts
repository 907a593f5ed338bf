import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient, type EventsOptions, type ReceivedEvent, webhooks } from './index.ts';

const OLD = 'sksec_old';
const SECRET = 'sksec_0123456789abcdefghijklmnopqrstuvwxyzABCD';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const delivery = (orderId: string, secret = SECRET) => {
  const body = `{"eventType":"order.failed","orderId":"${orderId}","amount":99999999999999.9999}`;
  return {
    deliveryId: `of ${orderId}`,
    headers: { 'X-SVC-Signature': webhooks.sign(body, secret) },
    body,
  };
};
type Answer = (response: ServerResponse) => void;
const page =
  (next: string, ...data: readonly object[]): Answer =>
  (response) =>
    response.end(JSON.stringify({ data, next }));
/** What the service answers where it is away, refuses, or holds the request. */
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end('{"error":"No."}');
const lost: Answer = (response) => response.destroy();
const held: Answer = () => {};

/** A feed that gives the listed answers in turn, and the requests that came. */
async function feed(...answers: readonly Answer[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url?.replace('/api/merchant/events?', '') ?? '');
    answers[asked.length - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl, apiKey: 'mk_live_key', signingSecret: [SECRET, OLD] });
  return { asked, client };
}

/** What the loop gives until it ends by itself. */
async function all(
  { client }: Awaited<ReturnType<typeof feed>>,
  options: EventsOptions,
): Promise<readonly ReceivedEvent[]> {
  const events = [];
  for await (const event of client.events(options)) events.push(event);
  return events;
}

test('events come page after page, verified and exact, with the cursor to store once one is handled', async () => {
  const pages = await feed(
    page('b', delivery('one'), delivery('two', OLD)),
    page('c', delivery('three')),
    page('c'),
  );
  const events = await all(pages, { wait: 0 });
  expect(events.map(({ event, next }) => [(event as { orderId: string }).orderId, next])).toEqual([
    ['one', undefined],
    ['two', 'b'],
    ['three', 'c'],
  ]);
  expect(events[0]).toMatchObject({
    ...delivery('one'),
    event: { eventType: 'order.failed', amount: '99999999999999.9999' },
  });
  expect(pages.asked).toEqual(['wait=0', 'after=b&wait=0', 'after=c&wait=0']);
});

test('a lost connection or an error of the service does not end them: they go on from the cursor', async () => {
  const now = { 'retry-after': '0' };
  const pages = await feed(
    page('b', delivery('one')),
    lost,
    status(503, now),
    status(429, now),
    page('c', delivery('two')),
    page('c'),
  );
  expect(await all(pages, { after: 'a', wait: 0 })).toHaveLength(2);
  expect(pages.asked.slice(1, 5)).toEqual(Array(4).fill('after=b&wait=0'));
});

test('what is from now on is asked for at once, so that nothing falls between', async () => {
  const stop = new AbortController();
  const pages = await feed(page('b'), page('c', delivery('one')), held);
  for await (const { next } of pages.client.events({ after: 'now', signal: stop.signal })) {
    expect(next).toBe('c');
    break;
  }
  expect(pages.asked).toEqual(['after=now&wait=0', 'after=b&wait=25']);
});

test('a signal ends the loop, also while an answer is held or a pause lasts', async () => {
  for (const answer of [held, status(503, { 'retry-after': '3600' })]) {
    const stop = new AbortController();
    const pages = await feed((response) => {
      answer(response);
      setImmediate(() => stop.abort());
    });
    expect(await all(pages, { signal: stop.signal })).toEqual([]);
  }
});

test('a refusal, and an event whose signature is of no secret, end the loop with an error', async () => {
  const refused = await feed(status(400));
  await expect(all(refused, { after: 'x' })).rejects.toMatchObject({ name: 'ValidationError' });
  const forged = await feed(page('b', delivery('one', 'sksec_other')));
  await expect(all(forged, {})).rejects.toMatchObject({ name: 'WebhookSignatureError' });
});

test('a page is given as it is answered', async () => {
  const forged = delivery('one', 'sksec_other');
  const { asked, client } = await feed(page('b', forged));
  expect(await client.eventPage({ after: 'a', limit: 10, wait: 5 })).toEqual({
    data: [forged],
    next: 'b',
  });
  expect(asked).toEqual(['after=a&limit=10&wait=5']);
});
