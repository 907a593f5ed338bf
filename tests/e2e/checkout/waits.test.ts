import { afterAll, afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { completeOrder, payDeposit } from '../../support/outcomes.ts';
import { openPage } from '../../support/page-client.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** A page that waits for its outcome: `GET /state?wait=&since=`. */

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
const member = await createMember(service, { float: '10000000', maxOpenOrders: 1000 });
const other = await startService({ ROLES: 'http' }, service);
const stopping = await startService({ ROLES: 'http' }, service);
afterAll(() => other.close());

/** A deposit that its customer has confirmed, and the version that the page shows. */
async function confirmed() {
  const order = await createOrder(merchant);
  await payDeposit(service, order);
  return { order, version: (await openPage(order).state()).version as string };
}

async function ask(paymentPageUrl: string, query: string) {
  const [base, link] = paymentPageUrl.split('?');
  const response = await fetch(`${base}/state?${link}&${query}`);
  return { status: response.status, data: ((await response.json()) as { data: Answer }).data };
}
interface Answer {
  readonly view: string;
  readonly version: string;
}

describe('a page that waits for its outcome', () => {
  // Every ten seconds the service looks again by itself: here it never does.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  test('is answered when the order ends', async () => {
    const { order, version } = await confirmed();
    const answer = ask(order.paymentPageUrl, `wait=25&since=${version}`);
    await completeOrder(service, order, member);
    expect(await answer).toMatchObject({ status: 200, data: { view: 'completed' } });
  });

  test('is answered by a process that another one notifies', async () => {
    const { order, version } = await confirmed();
    const there = order.paymentPageUrl.replace(service.url, other.url);
    const answer = ask(there, `wait=25&since=${version}`);
    await completeOrder(service, order, member);
    expect(await answer).toMatchObject({ status: 200, data: { view: 'completed' } });
  });

  test.each(['since=', 'wait=0&since=', 'wait=25&since=older', 'wait=25'])(
    'is answered at once with %s',
    async (query) => {
      const { order, version } = await confirmed();
      const known = query.endsWith('since=') ? `${query}${version}` : query;
      expect((await ask(order.paymentPageUrl, known)).data).toMatchObject({ version });
    },
  );

  test('is answered as it was when the time is over', async () => {
    const { order, version } = await confirmed();
    expect((await ask(order.paymentPageUrl, `wait=1&since=${version}`)).data).toMatchObject({
      version,
    });
  });

  test('waits in four tabs; a fifth is answered at once', async () => {
    const { order, version } = await confirmed();
    const tabs = Array.from({ length: 5 }, () =>
      ask(order.paymentPageUrl, `wait=25&since=${version}`),
    );
    await Promise.race(tabs);
    await completeOrder(service, order, member);
    const views = (await Promise.all(tabs)).map(({ data }) => data.view);
    expect(views.sort()).toEqual([...Array(4).fill('completed'), 'verifying']);
  });

  test.each(['-1', '26', '1.5', 'x'])('a wait of %s is refused', async (wait) => {
    const { order } = await confirmed();
    expect((await ask(order.paymentPageUrl, `wait=${wait}`)).status).toBe(400);
  });
});

test('a page that waits is answered when the service stops', async () => {
  const { order, version } = await confirmed();
  const there = order.paymentPageUrl.replace(service.url, stopping.url);
  const answer = ask(there, `wait=25&since=${version}`);
  await ask(there, `since=${version}`);
  await stopping.close();
  expect((await answer).data).toMatchObject({ version });
});
