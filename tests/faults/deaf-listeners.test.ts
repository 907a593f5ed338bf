import { afterAll, expect } from 'vitest';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  signInMember,
  type TestMember,
} from '../support/fixtures.ts';
import { openPage } from '../support/page-client.ts';
import { startProcess } from '../support/process.ts';
import { serviceTest } from '../support/service-test.ts';

/**
 * Two processes, of which one reaches the database through a line that can go dead without a word.
 */
const { test, service } = await serviceTest({ ROLES: 'http' });
const proxy = await startDatabaseProxy(service.target);
const far = await startProcess({ ...service, target: proxy.target }, { ROLES: 'http' });
afterAll(async () => {
  expect(await far.stop()).toBe(0);
  await proxy.close();
});

/** What a member's browser has received so far, and whether the stream has ended. */
async function listen(token: string) {
  const received = { text: '', ended: false };
  const connect = () =>
    fetch(`${far.url}/api/member/events`, { headers: { Authorization: `Bearer ${token}` } });
  let response = await connect();
  // Its other connections may be found dead by those who ask first.
  while (response.status === 503) response = await connect();
  expect(response.status).toBe(200);
  const read = async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      received.text += Buffer.from(chunk).toString();
    received.ended = true;
  };
  read().catch(() => {});
  await expect.poll(() => received.text).toContain('retry:');
  return received;
}

test('a listening connection whose host is gone without a word is replaced: members look again, and have events of what happens from then on', async () => {
  const password = 'a long enough password';
  const merchant = await createMerchant(service);
  const member: TestMember = await createMember(service, {
    methods: ['ProviderA'],
    password,
    maxOpenOrders: 10_000,
    float: '1000000',
  });
  const token = await signInMember({ ...service, url: far.url }, member, password);
  const expectReceived = async (received: { readonly text: string }) => {
    // Where the channel listens cannot be seen from outside: there are changes until one
    // arrives.
    const change = async () => {
      await openPage(await createOrder(merchant, { amount: 10 })).data('open');
      return received.text;
    };
    await expect.poll(change, { interval: 200 }).toContain('event: assigned');
  };
  const before = await listen(token);
  await expectReceived(before);
  proxy.strand();
  await expect.poll(() => before.ended).toBe(true);
  await expectReceived(await listen(token));
});
