import vm from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advance, type CreatedOrder, createMember, createMerchant, createOrder, setPresence, type TestMember, type TestMerchant } from '../support/fixtures.ts';
import { openPage } from '../support/page-client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let merchant: TestMerchant;
let member: TestMember;

beforeAll(async () => {
  service = await startService();
  merchant = await createMerchant(service);
  member = await createMember(service, { float: '1000000', maxOpenOrders: 100 });
});
afterAll(() => service.close());

/** What the page's script does, without a browser: its requests, where it goes, and its timers to be fired by hand. */
async function runScript(order: CreatedOrder) {
  const address = order.paymentPageUrl;
  const { text } = await openPage(order).get();
  const [, script = ''] = /src="([^"]+checkout\.js[^"]*)"/.exec(text) ?? [];
  const source = await (await fetch(new URL(script, address))).text();
  const [main = ''] = /<main[^>]*>/.exec(text) ?? [];
  const decode = (value: string) => value.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
  const dataset = Object.fromEntries(
    [...main.matchAll(/data-([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()),
      decode(value),
    ]),
  );
  const seen = { requests: [] as string[], wentTo: [] as string[], every: [] as [() => void, number][], text: {} as Record<string, string> };
  const pending: Promise<unknown>[] = [];
  const element = (name: string) => ({
    set textContent(value: string) {
      seen.text[name] = value;
    },
  });
  vm.runInNewContext(source, {
    AbortSignal,
    performance,
    setTimeout: () => {},
    setInterval: (work: () => void, ms: number) => seen.every.push([work, ms]),
    navigator: {},
    window: { location: { replace: (to: string) => seen.wentTo.push(new URL(to, address).href) }, addEventListener: () => {} },
    document: { querySelector: (selector: string) => (selector === 'main' ? { dataset } : element(selector)), querySelectorAll: () => [] },
    fetch: (to: string, init: RequestInit) => {
      seen.requests.push(`${init.method} ${to.split('?')[0]?.split('/').at(-1)}`);
      // Read to its end before the script sees it, so that it is done with it one turn later.
      const answer = fetch(new URL(to, address), init).then(async (response) => {
        const text = await response.text();
        return { ok: response.ok, status: response.status, json: async () => JSON.parse(text) };
      });
      pending.push(answer);
      return answer;
    },
  });
  const settle = async () => {
    await Promise.all(pending);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await settle();
  return {
    ...seen,
    /** Ten seconds later. */
    async tick() {
      for (const [work, ms] of seen.every) {
        expect(ms).toBe(10_000);
        work();
      }
      await settle();
    },
  };
}

test('a Queued deposit is opened at once, and the page shows the account', async () => {
  const order = await createOrder(merchant, {});
  const page = await runScript(order);
  expect(page.requests).toEqual(['POST open']);
  expect(page.wentTo).toEqual([order.paymentPageUrl]);
  const opened = await runScript(order);
  expect([opened.requests, opened.wentTo]).toEqual([[], []]);
  expect(opened.text['[data-countdown]']).toMatch(/^(15:00|14:5\d)$/);
});

test('a deposit that waits asks again every 10 seconds, without reloading, until somebody is there', async () => {
  await setPresence(service, member.memberId, false);
  const order = await createOrder(merchant, {});
  const page = await runScript(order);
  await page.tick();
  expect([page.requests, page.wentTo]).toEqual([['POST open', 'POST open'], []]);
  await setPresence(service, member.memberId, true);
  await page.tick();
  expect(page.wentTo).toEqual([order.paymentPageUrl]);
});

test('a page that pays looks at the state, and shows what the order has become', async () => {
  const order = await createOrder(merchant, {});
  await openPage(order).data('open');
  const page = await runScript(order);
  await page.tick();
  expect([page.requests, page.wentTo]).toEqual([['GET state'], []]);
  await openPage(order).data('confirm', { transactionDigits: '1234' });
  await page.tick();
  expect(page.wentTo).toEqual([order.paymentPageUrl]);
});

test('an open page goes to failureUrl when the link expires, with what it already holds', async () => {
  const order = await createOrder(merchant, { failureUrl: 'https://shop.example/failed?a=1' });
  await openPage(order).data('open');
  const page = await runScript(order);
  await advance(service, 900);
  await page.tick();
  expect(page.wentTo).toEqual([`https://shop.example/failed?a=1&svc_order_id=${order.orderId}&svc_order_reference=${order.orderReference}&svc_status=Expired`]);
});
