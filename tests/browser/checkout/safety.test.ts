import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { advance, type CreatedOrder, orderStatus } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { expectQuiet } from '../checks.ts';
import { asCustomer, type Customer, expectView, submitForm, unfold } from './customer.ts';
import { memberDoes, openShop } from './shop.ts';

const shop = await openShop();
const browser = await sharedBrowser();

const { order } = shop;
const movesOf = async ({ orderId }: CreatedOrder) =>
  (
    await shop.service.database.pool.query('select number from order_moves where order_id = $1', [
      orderId,
    ])
  ).rows.length;

/** Each sets `window.owned` or opens a dialog if any page ever runs it. */
const PAYLOADS = [
  '<script>owned=1</script>',
  '"><script>owned=1</script>',
  "'><script>owned=1</script>",
  '</title><script>owned=1</script>',
  '</p></main></body><script>owned=1</script>',
  '<img src=x onerror=owned=1>',
  '"><img src=x onerror=alert(1)>',
  '<svg onload=owned=1>',
  '<svg><script>owned=1</script></svg>',
  '" onfocus=owned=1 autofocus x="',
  "' onmouseover=owned=1 '",
  'javascript:owned=1',
  '<iframe srcdoc="<script>parent.owned=1</script>">',
  '<details open ontoggle=owned=1>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<form action=//evil.example><button>x',
  '</noscript><style>@import"//evil.example"</style>',
  '{{constructor.constructor("owned=1")()}}',
  '<!--<script>owned=1//-->',
] as const;

type Four = readonly [string, string, string, string];

/** Each in every place. */
const BY_PLACE = PAYLOADS.map((payload): Four => [payload, payload, payload, payload]);

describe('script payloads', () => {
  /** The page shows the texts themselves, and nothing of them has run or been asked for. */
  async function expectTexts({ page, seen }: Customer, ...payloads: string[]): Promise<void> {
    const shown = await page.locator('body').textContent();
    for (const payload of payloads) expect(shown).toContain(payload);
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(await page.locator('main script, main iframe, main img, base').count()).toBe(0);
    expectQuiet(seen, shop.service.url);
  }

  test.each(BY_PLACE)(
    '%s, %s, %s and %s are text in the names of merchant, account and methods, and in the code',
    async (ofMerchant, ofAccount, ofMethod, inCode) => {
      const { service, merchant } = shop;
      const operator = operatorClient(service);
      const { data } = await operator.post('/members', {
        name: 'Member', // a name with an address in it is refused
        username: `m-${randomUUID()}`,
        password: 'a long enough password',
      });
      const added = await operator.post(`/members/${data.memberId}/accounts`, {
        walletType: 'ProviderAQR',
        accountNumber: ofAccount.slice(0, 50),
        accountTitle: ofAccount,
        qrPayload: inCode,
      });
      expect(added.status, added.text).toBe(200);
      const account = [
        added.data.accountId,
        shop.member.accounts.find(({ walletType }) => walletType === 'ProviderAQR')?.accountId,
      ];
      await service.database.pool.query(
        'update merchants set name = $2, display_name = $2 where merchant_id = $1',
        [merchant.merchantId, ofMerchant],
      );
      await service.database.pool.query(
        'update member_accounts set account_title = $2, qr_payload = $3 where account_id = $1',
        [account[1], ofAccount, inCode],
      );
      await operator.patch('/settings', {
        displayNames: {
          methods: { ProviderAQR: ofMethod, TillID: ofMethod },
          providers: { ProviderA: ofMethod },
        },
      });
      const made = await order({
        walletType: 'ProviderAQR',
        merchantOrderRef: `${inCode} ${randomUUID()}`,
        customerReference: inCode,
        metadata: inCode,
      });
      const page = openPage(made);
      await page.data('open');
      await page.data('payer', { accountNumber: '03001234567' });
      await asCustomer(browser, {}, async (customer) => {
        await customer.page.goto(made.paymentPageUrl);
        await expectView(customer.page, 'pay');
        await customer.page.locator('.qr > svg').waitFor();
        await expectTexts(customer, ofMerchant, ofAccount, ofMethod, inCode);
        await submitForm(customer.page, 'check');
        await expectView(customer.page, 'check');
        await expectTexts(customer, ofAccount);
      });
    },
  );

  test.each(BY_PLACE)(
    '%s and %s are text when a customer enters them, %s and %s in the return addresses nothing but an address',
    async (asName, asNumber, inSuccess, inFailure) => {
      const made = await order({
        orderType: 'Withdrawal',
        successUrl: `https://shop.example/?q=${encodeURI(inSuccess)}`,
        failureUrl: `https://shop.example/#${inFailure.replaceAll(' ', '')}`,
      });
      const given = await order({
        orderType: 'Withdrawal',
        customerAccountNumber: asNumber.slice(-50),
        customerAccountName: asName,
        successUrl: `https://shop.example/${encodeURI(inFailure)}`,
      });
      await memberDoes(shop, 'confirm', given);
      await asCustomer(browser, {}, async (customer) => {
        const { page } = customer;
        await page.goto(made.paymentPageUrl);
        await submitForm(page, 'check', {
          accountNumber: asNumber.slice(0, 50),
          accountName: asName,
        });
        await expectView(page, 'check');
        await expectTexts(customer, asName, asNumber.slice(0, 50));
        await page.goto(given.paymentPageUrl);
        await expectView(page, 'paid');
        expect(
          new URL((await page.locator('[data-return]').getAttribute('href')) as string).origin,
        ).toBe('https://shop.example');
        expect(await page.evaluate('window.owned')).toBeUndefined();
        expectQuiet(customer.seen, shop.service.url);
      });
    },
  );
});

describe('links', () => {
  const plain = (text: string, made: CreatedOrder) => {
    expect(text).not.toContain(made.orderReference);
    expect(text).not.toContain('1,500.50');
    expect(text).not.toContain('Corner Shop');
  };

  test('any one byte of the token, the expiry or the id changed: 403 without order data, in the browser and of every address', async () => {
    const [made, other] = [await order(), await order()];
    const { pathname, search } = new URL(made.paymentPageUrl);
    const token = new URLSearchParams(search).get('token') as string;
    const expires = new URLSearchParams(search).get('expires') as string;
    const flip = (text: string, at: number) =>
      text.slice(0, at) +
      (text[at] === 'A' ? 'B' : text[at] === '0' ? '1' : text[at] === '1' ? '0' : 'A') +
      text.slice(at + 1);
    const changed = [
      ...Array.from(token, (_, at) => `${pathname}?expires=${expires}&token=${flip(token, at)}`),
      ...Array.from(
        expires,
        (_, at) =>
          `${pathname}?expires=${expires.slice(0, at)}${(Number(expires[at]) + 1) % 10}${expires.slice(at + 1)}&token=${token}`,
      ),
      `${pathname.replace(made.orderId, other.orderId)}${search}`,
      `${pathname.replace(made.orderId, randomUUID())}${search}`,
      `${pathname}?expires=${expires}`,
      pathname,
    ];
    for (const address of changed) {
      for (const at of ['', '/state', '/qr.png', '/receipt.txt']) {
        const response = await fetch(shop.service.url + address.replace(/(\?|$)/, `${at}$1`), {
          headers: { Accept: 'text/html' },
        });
        expect([address, response.status]).toEqual([address, 403]);
        plain(await response.text(), made);
      }
    }
    await asCustomer(browser, {}, async ({ page }) => {
      await page.goto(shop.service.url + changed[0]);
      await expectView(page, 'link-invalid');
      await unfold(page, page.locator('nav.languages'));
      await page.locator('nav.languages a[lang=ur]').click();
      await page.locator('html[lang=ur] main[data-view="link-invalid"]').waitFor();
    });
  });

  test('GET and HEAD change nothing, however often, for every caller', async () => {
    const made = await order();
    const before = [await orderStatus(shop.merchant, made.orderId), await movesOf(made)];
    const { pathname, search } = new URL(made.paymentPageUrl);
    for (let time = 0; time < 20; time += 1) {
      for (const method of ['GET', 'HEAD']) {
        for (const at of [
          '',
          '/state',
          '/qr.png',
          '/receipt.txt',
          '/open',
          '/confirm',
          '/cancel',
          '/check',
          '/claim',
        ]) {
          await rawRequest(shop.service.url, {
            method,
            path: `${pathname}${at}${search}`,
            headers: [
              ['User-Agent', 'WhatsApp/2.23'],
              ['Purpose', 'prefetch'],
            ],
          });
        }
      }
    }
    expect([await orderStatus(shop.merchant, made.orderId), await movesOf(made)]).toEqual(before);
  });
});

test('every answer, error or not, forbids scripts and frames of others, referrers and search engines', async () => {
  const [made, expired] = [await order(), await order()];
  await advance(shop.service, 900);
  const fresh = await order();
  const query = new URL(fresh.paymentPageUrl).search;
  const base = `/pay/${fresh.orderId}`;
  const asked: readonly (readonly [method: string, path: string, body?: string])[] = [
    ['GET', base + query],
    ['GET', `${base}/state${query}`],
    ['GET', `${base}/qr.png${query}`],
    ['GET', `${base}/receipt.txt${query}`],
    ['GET', base],
    ['GET', `${base}/nothing${query}`],
    ['PUT', base + query],
    ['GET', '/pay/assets/nothing.js'],
    ['GET', `/pay/not-an-id${query}`],
    ['GET', new URL(expired.paymentPageUrl).pathname + new URL(made.paymentPageUrl).search],
    ['GET', new URL(expired.paymentPageUrl).pathname + new URL(expired.paymentPageUrl).search],
    ['POST', `${base}/open${query}`],
    ['POST', `${base}/confirm${query}`, 'transactionDigits=1'],
    ['POST', `${base}/confirm${query}`, `transactionDigits=${'1'.repeat(20_000)}`],
    ['GET', '/pay/assets/checkout.css'],
  ];
  for (const [method, path, body] of asked) {
    const headers =
      body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await fetch(shop.service.url + path, {
      method,
      redirect: 'manual',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect({
      path,
      status: response.status,
      none: policy.includes("default-src 'none'"),
      frames: policy.includes("frame-ancestors 'none'"),
      unsafe: policy.includes('unsafe'),
    }).toEqual({
      path,
      status: response.status,
      none: true,
      frames: true,
      unsafe: false,
    });
    // An address that names nothing answers a line of JSON, which links nowhere and is never
    // listed.
    if (response.status === 404) continue;
    expect([
      path,
      response.headers.get('referrer-policy'),
      response.headers.get('x-robots-tag'),
      response.headers.get('x-content-type-options'),
    ]).toEqual([path, 'no-referrer', expect.stringContaining('noindex'), 'nosniff']);
    if (!path.startsWith('/pay/assets/'))
      expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache|private/);
  }
});

test('no page of another site can frame it', async () => {
  const made = await order();
  const other = createServer((_request, response) =>
    response
      .setHeader('Content-Type', 'text/html')
      .end(`<iframe src="${made.paymentPageUrl}"></iframe>`),
  );
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const page = await browser.newPage();
  const answered = page.waitForResponse(made.paymentPageUrl);
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  expect((await answered).status()).toBe(200);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  await page.close();
  other.close();
});
