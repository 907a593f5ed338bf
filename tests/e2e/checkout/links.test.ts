import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { startDatabaseProxy } from '../../support/database-proxy.ts';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
} from '../../support/fixtures.ts';
import { pace } from '../../support/pace.ts';
import { openPage } from '../../support/page-client.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const SCRIPT = "\"><script>alert(1)</script><img src=x onerror='alert(1)'>";
const ACTIONS = ['open', 'method', 'payer', 'confirm', 'account', 'cancel'];

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { name: `Shop ${SCRIPT}`, balance: '100000' });
const member = await createMember(service, {
  name: 'Member Name',
  float: '10000000',
  maxOpenOrders: 1000,
});

/** Everything of an order that a stranger must not read. */
const secretsOf = (order: CreatedOrder) => [
  order.orderReference,
  'Shop',
  '777.25',
  ...member.accounts.flatMap((own) => [own.accountNumber, own.accountTitle]),
];

/** Every row that the page's order could change. */
async function snapshot({ orderId }: CreatedOrder) {
  const { pool } = service.database;
  const { rows: order } = await pool.query('select *, xmin from orders where order_id = $1', [
    orderId,
  ]);
  const { rows: members } = await pool.query('select *, xmin from members order by member_id');
  const { rows: moves } = await pool.query('select count(*) from order_moves');
  return { order, members, moves };
}

describe('links', () => {
  test('one changed byte, a swapped id, a later expiry or a missing part: 403 without order data, and nothing happens', async () => {
    const order = await createOrder(merchant, { amount: 777.25 });
    const other = await createOrder(merchant, { amount: 777.25 });
    const url = new URL(order.paymentPageUrl);
    const token = url.searchParams.get('token') as string;
    const expires = url.searchParams.get('expires') as string;
    const link = (id: string, query: string) => `${url.origin}/pay/${id}?${query}`;
    const lastChanged =
      token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) ^ 1);
    const changed = [
      ...[0, 20, 42].map((at) =>
        link(
          order.orderId,
          `expires=${expires}&token=${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`,
        ),
      ),
      link(order.orderId, `expires=${expires}&token=${lastChanged}`),
      link(order.orderId, `expires=${Number(expires) + 1}&token=${token}`),
      link(order.orderId, `expires=0${expires}&token=${token}`),
      link(order.orderId, `expires=${expires}.0&token=${token}`),
      link(order.orderId, `expires=${expires}&token=${token}&token=${token}`),
      link(order.orderId, `expires=${expires}&token=${token}=`),
      link(order.orderId, `expires=${expires}&token=`),
      link(order.orderId, `expires=${expires}`),
      link(order.orderId, `token=${token}`),
      link(order.orderId, ''),
      link(other.orderId, `expires=${expires}&token=${token}`),
      link(order.orderId.toUpperCase(), `expires=${expires}&token=${token}`),
      link('..%2f', `expires=${expires}&token=${token}`),
      link("'%20or%201=1--", `expires=${expires}&token=${token}`),
    ];
    const before = await snapshot(order);
    for (const address of changed) {
      const page = openPage({ paymentPageUrl: address });
      for (const answer of [
        await page.get(),
        ...(await Promise.all(ACTIONS.map((action) => page.form(action)))),
      ]) {
        expect(answer.status, address).toBe(403);
        for (const secret of secretsOf(order)) expect(answer.text).not.toContain(secret);
      }
      expect(await page.post('cancel')).toMatchObject({
        status: 403,
        json: { error: 'This link is not valid', code: 'link-invalid' },
      });
      const state = await fetch(page.at('state'));
      expect([state.status, await state.json()]).toEqual([
        403,
        { error: 'This link is not valid', code: 'link-invalid' },
      ]);
    }
    expect(await snapshot(order)).toEqual(before);
  });

  test('a changed link is refused without asking the database, an unchanged one with the database away: 503 that says so, without order data, and keeps what was sent', async () => {
    const order = await createOrder(merchant, { amount: 777.25 });
    const proxy = await startDatabaseProxy(service.target);
    const far = await startService({ ROLES: 'http' }, { target: proxy.target });
    const through = (link: string) =>
      openPage({ paymentPageUrl: link.replace(service.url, far.url) });
    try {
      proxy.set('reset');
      expect((await through(`${order.paymentPageUrl}x`).get()).status).toBe(403);
      const page = through(order.paymentPageUrl);
      const [answer, opened, sent] = await Promise.all([
        page.get(),
        page.post('open'),
        page.form('confirm', { transactionDigits: '12 34' }),
      ]);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      expect(answer.text).toContain('Try again in a few seconds');
      for (const secret of secretsOf(order)) expect(answer.text).not.toContain(secret);
      expect(opened).toMatchObject({ status: 503, json: { status: 503 } });
      // What was sent is sent again by a button; the page does not look by itself, and forget it.
      expect(sent.status).toBe(503);
      expect(sent.text).toMatch(/<form method="post" action="[^"]*\/confirm\?expires=/);
      expect(sent.text).toContain('<input type="hidden" name="transactionDigits" value="1234">');
      expect([answer.text, sent.text].map((text) => /data-ask="(\w*)"/.exec(text)?.[1])).toEqual([
        'state',
        '',
      ]);
      proxy.set('open');
      expect((await page.get()).status).toBe(200);
    } finally {
      await far.close();
      await proxy.close();
    }
  });

  test('an expired link: 410; as JSON without order data, as a page with nothing but whose it is', async () => {
    const order = await createOrder(merchant, {
      amount: 777.25,
      failureUrl: 'https://shop.example/secret',
      merchantOrderRef: 'order of a customer',
      customerReference: 'customer 7',
    });
    const page = openPage(order);
    await page.data('open');
    await advance(service, 900);
    const hidden = secretsOf(order).filter((secret) => secret !== 'Shop');
    const answers = [
      await page.get(),
      await page.form('confirm', { transactionDigits: '1234' }),
      await page.form('claim', { transactionDigits: '12' }),
    ];
    expect((await page.form('claim', { transactionDigits: '4711' })).status).toBe(303);
    for (const answer of [...answers, await page.get()]) {
      expect(answer.text).toContain('Shop &quot;&gt;&lt;script&gt;');
      expect(answer.text).toContain(order.orderReference.slice(-6));
      for (const secret of [...hidden, 'shop.example', 'of a customer', 'customer 7'])
        expect(answer.text).not.toContain(secret);
    }
    expect((await page.get()).status).toBe(410);
    for (const answer of [
      await page.post('confirm', { transactionDigits: '1234' }),
      await page.post('open'),
    ]) {
      expect(answer.status).toBe(410);
      expect(answer.json).toEqual({ error: 'This link has expired', code: 'link-expired' });
    }
    expect((await fetch(page.at('state'))).status).toBe(410);
  });

  test('the page carries its protections, and no inline script or style', async () => {
    const order = await createOrder(merchant, {});
    const { headers, text } = await openPage(order).get();
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(text).not.toMatch(/<script>|<style|<[^>]*\s(?:style|on[a-z]+)=/);
    for (const [, asset = ''] of text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)) {
      const answer = await fetch(new URL(asset, order.paymentPageUrl));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/(css|javascript)/);
    }
  });

  test('a GET changes nothing, regardless of what the order waits for', async () => {
    const orders = [
      await createOrder(merchant, {}),
      await createOrder(merchant, { walletType: 'BankAccount' }),
      await createOrder(merchant, { orderType: 'Withdrawal' }),
    ];
    for (const order of orders) {
      const before = await snapshot(order);
      const page = openPage(order);
      await page.get();
      await page.state();
      await fetch(order.paymentPageUrl, { method: 'HEAD' });
      for (const action of [...ACTIONS, 'check', 'claim']) {
        const answer = await fetch(page.at(action), { redirect: 'manual' });
        // A tab that the phone has brought back stands at a form's address.
        expect([
          answer.status,
          new URL(answer.headers.get('location') as string, page.at(action)).href,
        ]).toEqual([303, order.paymentPageUrl]);
        expect(
          (await fetch(page.at(action), { headers: { accept: 'application/json' } })).status,
        ).toBe(404);
      }
      expect(await snapshot(order)).toEqual(before);
    }
  });
});

describe('forms', () => {
  test('a form is answered by the page’s own address, so that a reload repeats nothing', async () => {
    const order = await createOrder(merchant, {});
    const page = openPage(order);
    const opened = await page.form('open');
    expect(opened.status).toBe(303);
    expect(new URL(opened.headers.get('location') as string, page.at('open')).href).toBe(
      order.paymentPageUrl,
    );
    expect((await page.get()).text).toContain(member.accounts[0]?.accountNumber);
  });

  test('every form of the page posts where the page can be, also from an answer with a message', async () => {
    const order = await createOrder(merchant, {});
    const page = openPage(order);
    await page.form('open');
    const refused = await page.form('confirm', { transactionDigits: '12' });
    const seen: [string, string][] = [
      [(await page.get()).text, order.paymentPageUrl],
      [refused.text, page.at('confirm')],
    ];
    for (const [text, address] of seen) {
      const targets = [...text.matchAll(/action="([^"]+)"/g)].map(
        ([, action = '']) => new URL(action.replaceAll('&amp;', '&'), address).href,
      );
      // The last one is shown when the time is up.
      const actions = ['check', 'method', 'cancel', 'claim'];
      expect(targets).toEqual(actions.map((action) => page.at(action)));
    }
  });

  test('refused input: 400, the message, and what was entered, escaped', async () => {
    const page = openPage(await createOrder(merchant, {}));
    await page.form('open');
    const answer = await page.form('confirm', { transactionDigits: SCRIPT });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Enter the last 4 digits of the transaction ID.');
    expect(answer.text).toContain('value="&quot;&gt;&lt;script&gt;');
    expect(answer.text).not.toContain('<script>alert');
  });

  test('a refused state: 409 and the page as it is', async () => {
    const page = openPage(await createOrder(merchant, {}));
    const answer = await page.form('confirm', { transactionDigits: '1234' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('the order has moved on');
  });

  test('script payloads in every text stay text: merchant, account, return address', async () => {
    const hostile = await createMember(service, { methods: [] });
    await service.database.pool.query(
      `insert into member_accounts (account_id, member_id, wallet_type, account_number, account_title, qr_payload, status, created_at)
       values ($1, $2, 'ProviderBQR', $3, $3, $3, 'approved', now())`,
      [randomUUID(), hostile.memberId, SCRIPT],
    );
    await service.database.pool.query(
      `update member_accounts set status = 'suspended' where member_id = $1 and wallet_type = 'ProviderBQR'`,
      [member.memberId],
    );
    const order = await createOrder(merchant, {
      walletType: 'ProviderBQR',
      failureUrl: `https://shop.example/?q="'<script>alert(1)</script>#"><b>`,
    });
    const page = openPage(order);
    await page.form('open');
    await page.form('payer', { ibanLast4: '1234' });
    const pages = [(await page.get()).text];
    await page.form('cancel');
    pages.push((await page.get()).text);
    for (const text of pages) {
      expect(text).not.toMatch(/<script>alert|<img src=x|"><b>/);
      expect(text).toContain('Shop &quot;&gt;&lt;script&gt;');
    }
  });

  test.each([
    [415, 'unsupported-media-type', 'text/plain', 'x'],
    [400, 'invalid', 'application/json', '{'],
    [400, 'invalid', 'application/json', '[1]'],
    [400, 'invalid', 'application/json', '"x"'],
    [413, 'body-too-large', 'application/json', `{"transactionDigits": "${'1'.repeat(20_000)}"}`],
    [
      ...([400, 'invalid', 'application/x-www-form-urlencoded'] as const),
      'transactionDigits=1234&transactionDigits=5678',
    ],
  ] as const)(
    'a body that cannot be read is refused: %i %s, %s',
    async (...[status, code, type, body]) => {
      const page = openPage(await createOrder(merchant, {}));
      await page.data('open');
      const answer = await fetch(page.at('confirm'), {
        method: 'POST',
        headers: { 'content-type': type, accept: 'application/json' },
        body,
      });
      expect([answer.status, await answer.json()]).toEqual([
        status,
        { error: expect.any(String), code },
      ]);
    },
  );
});

describe('return to the merchant', () => {
  test.each([
    ['https://shop.example', 'https://shop.example/?'],
    ['https://shop.example/done', 'https://shop.example/done?'],
    ['https://shop.example/done?a=1&b=x%20y', 'https://shop.example/done?a=1&b=x%20y&'],
    ['https://shop.example/done?a=1&svc_status=Completed&b', 'https://shop.example/done?a=1&b&'],
    ['https://shop.example/done?a=1#/route?z=1', 'https://shop.example/done?a=1&', '#/route?z=1'],
    ['https://shop.example/done#part', 'https://shop.example/done?', '#part'],
  ])('%s keeps its own query and fragment', async (url, start, end = '') => {
    const page = openPage(
      await createOrder(merchant, { failureUrl: url, successUrl: 'https://shop.example/other' }),
    );
    expect(await page.state()).toMatchObject({
      redirectUrl: null,
      expiredRedirectUrl: expect.stringContaining('svc_status=Expired'),
    });
    const { orderId, orderReference, redirectUrl, expiredRedirectUrl } = await page.data('cancel');
    expect(redirectUrl).toBe(
      `${start}svc_order_id=${orderId}&svc_order_reference=${orderReference}&svc_status=CancelledAuto${end}`,
    );
    expect(expiredRedirectUrl).toBe(null);
    const { text } = await page.get();
    expect(text).toContain('Return to <bdi translate="no">Shop ');
    expect(text).toContain(`href="${redirectUrl.replaceAll('&', '&amp;')}"`);
    expect(text).not.toContain('http-equiv="refresh"');
  });

  test('without an address the page says how it ended and stays', async () => {
    const page = openPage(await createOrder(merchant, {}));
    expect(await page.data('cancel')).toMatchObject({ view: 'cancelled', redirectUrl: null });
    expect((await page.get()).text).not.toContain('http-equiv');
  });
});

describe('at the same time', () => {
  test('confirming twice at once: both see it confirmed, once in the history', async () => {
    const order = await createOrder(merchant, {});
    const page = openPage(order);
    await page.data('open');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => page.data('confirm', { transactionDigits: '1234' })),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'AwaitingMemberConfirmation' });
    const { rows } = await service.database.pool.query(
      'select trigger from order_moves where order_id = $1 order by number',
      [order.orderId],
    );
    expect(rows.map(({ trigger }) => trigger)).toEqual([
      'customer-opened-page',
      'customer-confirmed',
    ]);
  });

  test('opening eight times at once assigns one account', async () => {
    const order = await createOrder(merchant, {});
    const page = openPage(order);
    const answers = await Promise.all(Array.from({ length: 8 }, () => page.data('open')));
    expect(new Set(answers.map(({ account }) => account.accountNumber)).size).toBe(1);
  });

  test('confirm and cancel at once: one of them happens', async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = await createOrder(merchant, {});
      const page = openPage(order);
      await page.data('open');
      const [confirmed, cancelled] = await Promise.all([
        page.post('confirm', { transactionDigits: '1234' }),
        page.post('cancel'),
      ]);
      expect([confirmed.status, cancelled.status].sort()).toEqual([200, 409]);
      const { status } = await orderStatus(merchant, order.orderId);
      expect(status).toBe(
        confirmed.status === 200 ? 'AwaitingMemberConfirmation' : 'CancelledAuto',
      );
    }
  });

  test('confirm against expiry: in time or Expired, never both, and never confirmed at expiresAt or later', async () => {
    const { clock, engine } = service.app.deps;
    const orders = await Promise.all(Array.from({ length: 24 }, () => createOrder(merchant, {})));
    await Promise.all(orders.map((order) => openPage(order).data('open')));
    const first = Math.min(...orders.map(({ expiresAt }) => Date.parse(expiresAt)));
    const last = Math.max(...orders.map(({ expiresAt }) => Date.parse(expiresAt)));
    // One race is run well before the moment and one after it, so that both ends are seen however
    // slow the machine; the others across it.
    const race = async (order: CreatedOrder) => {
      const expire = () =>
        engine.submit({
          kind: 'pass-deadline',
          commandId: randomUUID(),
          orderId: order.orderId,
          need: undefined,
        });
      const [answer] = await Promise.all([
        openPage(order).post('confirm', { transactionDigits: '1234' }),
        expire(),
      ]);
      return { order, status: answer.status };
    };
    const [early, late, ...others] = orders as [CreatedOrder, CreatedOrder, ...CreatedOrder[]];
    const outcomes = [await race(early)];
    clock.setOffset(first - 30 - Date.now());
    outcomes.push(
      ...(await Promise.all(
        others.map(async (order, at) => {
          await pace(at * 3); // spreads the races over the moment of expiry
          return race(order);
        }),
      )),
    );
    clock.setOffset(last - Date.now());
    outcomes.push(await race(late));
    await advance(service, 2);
    for (const { order, status } of outcomes) {
      const now = await orderStatus(merchant, order.orderId);
      if (status === 200) {
        expect(now.status).toBe('AwaitingMemberConfirmation');
        expect(Date.parse((now['lifecycle'] as { sentAt: string }).sentAt)).toBeLessThan(
          Date.parse(order.expiresAt),
        );
      } else expect([status, now.status]).toEqual([410, 'Expired']);
    }
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 410]));
  });
});
