import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect } from 'vitest';
import { createMember, createMerchant, createOrder, signInMember } from '../../support/fixtures.ts';
import { createOperator } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const PREFIX = '/munshi';

/** Takes the prefix off; nothing is there outside it. */
const proxy = createServer((incoming, outgoing) => {
  if (!incoming.url?.startsWith(`${PREFIX}/`)) return outgoing.writeHead(404).end('outside');
  const { method, headers } = incoming;
  const passed = request(
    service.url + incoming.url.slice(PREFIX.length),
    { method: method ?? 'GET', headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  incoming.pipe(passed);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PREFIX}`;
const { test, service } = await serviceTest({ PUBLIC_URL: `${publicUrl}/` });
const merchant = await createMerchant(service);
await createMember(service);
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

/** Every address that a page names, as a browser at `base` would ask for it. */
function addressesIn(html: string, base: string): readonly string[] {
  const found = [...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );
  return found
    .filter((address) => !address.startsWith('data:'))
    .map((address) => new URL(address, base).href);
}

async function expectWithin(html: string, base: string) {
  const addresses = addressesIn(html, base);
  expect(addresses.length).toBeGreaterThan(1);
  for (const address of addresses) {
    expect(address.startsWith(`${publicUrl}/`), address).toBe(true);
    if (/\.(css|js)\b/.test(address)) expect((await fetch(address)).status, address).toBe(200);
  }
}

test('a payment page, its assets, forms and redirects stay behind the path of PUBLIC_URL', async () => {
  const { paymentPageUrl, orderId } = await createOrder(merchant);
  expect(paymentPageUrl).toMatch(new RegExp(`^${publicUrl}/pay/${orderId}\\?`));
  const page = openPage({ paymentPageUrl });
  await expectWithin((await page.get()).text, paymentPageUrl);

  const opened = await page.form('open');
  expect(opened.status).toBe(303);
  const back = new URL(opened.headers.get('location') ?? '', page.at('open')).href;
  expect(back).toBe(paymentPageUrl);
  // A refused form is answered one step below the page.
  const refused = await page.form('confirm', { transactionDigits: 'x' });
  expect(refused.status).toBe(400);
  await expectWithin(refused.text, page.at('confirm'));
});

test('cookies are sent back behind the path alone', async () => {
  const { paymentPageUrl, orderId } = await createOrder(merchant);
  const chosen = await fetch(`${paymentPageUrl}&lang=ur`, { headers: { Accept: 'text/html' } });
  expect(chosen.headers.get('set-cookie')).toContain(`; Path=${PREFIX}/pay/${orderId};`);

  const { username, password } = await createOperator(service, 'viewer');
  const signIn = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  };
  const operator = await fetch(`${publicUrl}/api/operator/session`, signIn);
  expect(operator.headers.get('set-cookie')).toContain(`; Path=${PREFIX}/api/operator;`);
});

test('members sign in behind the path too', async () => {
  const member = await createMember(service, { password: 'correct horse' });
  expect(await signInMember({ ...service, url: publicUrl }, member, 'correct horse')).toMatch(
    /^\S{20,}$/,
  );
});

test('the interfaces are found behind the path, and names it', async () => {
  const moved = await fetch(`${publicUrl}/apis`, { redirect: 'manual' });
  const apis = new URL(moved.headers.get('location') ?? '', `${publicUrl}/apis`).href;
  expect(apis).toBe(`${publicUrl}/apis/`);
  const html = await (await fetch(apis)).text();
  const documents = [...html.matchAll(/"url":\s*"([^"]+)"/g)].map(
    ([, address = '']) => new URL(address, apis).href,
  );
  const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(
    ([, address = '']) => new URL(address, apis).href,
  );
  expect([documents.length, scripts.length]).toEqual([3, 1]);
  for (const address of [...documents, ...scripts])
    expect((await fetch(address)).status, address).toBe(200);
  expect(await (await fetch(documents[0] as string)).json()).toMatchObject({
    servers: [{ url: publicUrl }],
  });
});
