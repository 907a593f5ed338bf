import { describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  signInMember,
} from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import { operatorClient } from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { serviceTest } from '../support/service-test.ts';

/** What somebody with a link or a sign-in of their own can make grow, and where it ends. */

const PASSWORD = 'correct horse';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '100000' });
const member = await createMember(service, {
  password: PASSWORD,
  float: '10000000',
  maxOpenOrders: 1000,
});

describe('a member', () => {
  test('has twenty accounts that wait for approval, however many are added at once', async () => {
    const { username } = await createMember(service, {
      password: PASSWORD,
      online: false,
      methods: [],
    });
    const client = memberClient(service.url, await signInMember(service, { username }, PASSWORD));
    const add = (accountNumber: string) =>
      client.call('POST', '/accounts', {
        walletType: 'ProviderA',
        accountNumber,
        accountTitle: 'Aisha',
      });
    const same = await Promise.all(Array.from({ length: 10 }, () => add('0300')));
    expect(same.filter(({ status }) => status === 200)).toHaveLength(1);
    const added = await Promise.all(Array.from({ length: 60 }, (_, at) => add(`0300${at}`)));
    expect(added.filter(({ status }) => status === 200)).toHaveLength(19);
    expect((await client.data('GET', '/accounts')).length).toBe(20);
  });

  test('names a QR code of 512 bytes and no longer, and so does an operator', async () => {
    const client = memberClient(service.url, await signInMember(service, member, PASSWORD));
    const account = (qrPayload: string) => ({
      walletType: 'ProviderAQR',
      accountNumber: qrPayload.slice(0, 20),
      accountTitle: 'Aisha',
      qrPayload,
    });
    const operator = operatorClient(service);
    // 255 letters of two bytes and two of one
    expect(await client.data('POST', '/accounts', account(`12${'ٹ'.repeat(255)}`))).toMatchObject({
      status: 'pending',
    });
    for (const payload of [`123${'ٹ'.repeat(255)}`, 'q'.repeat(513)]) {
      const refused = await client.call('POST', '/accounts', account(payload));
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([400, ['$.qrPayload']]);
      const byOperator = await operator.post(
        `/members/${member.memberId}/accounts`,
        account(payload),
      );
      expect([byOperator.status, Object.keys(byOperator.errors ?? {})]).toEqual([
        400,
        ['$.qrPayload'],
      ]);
    }
  });
});

describe('event streams', () => {
  test('a member has eight at once: the oldest gets the event that it is replaced, and to stay away', async () => {
    const { username } = await createMember(service, {
      password: PASSWORD,
      online: false,
      methods: [],
    });
    const token = await signInMember(service, { username }, PASSWORD);
    const follow = async () => {
      const leave = new AbortController();
      const { status, body } = await fetch(`${service.url}/api/member/events`, {
        headers: { Authorization: `Bearer ${token}` },
        signal: leave.signal,
      });
      return {
        status,
        leave,
        reader: (body as ReadableStream<Uint8Array>)
          .pipeThrough(new TextDecoderStream())
          .getReader(),
      };
    };
    const streams = [];
    for (let at = 0; at < 9; at += 1) streams.push(await follow());
    const [oldest, ...others] = streams;
    let received = '';
    for (
      let part = await oldest?.reader.read();
      part !== undefined && !part.done;
      part = await oldest?.reader.read()
    )
      received += part.value;
    expect(received).toBe('retry: 3000\n\nretry: 600000\nevent: replaced\ndata: {"streams":8}\n\n');
    for (const { status, reader, leave } of others) {
      expect([status, (await reader.read()).value]).toEqual([200, 'retry: 3000\n\n']);
      leave.abort();
    }
    expect((await follow()).status).toBe(200);
  });
});

describe('documents that are the same for all', () => {
  test.each(['/openapi/merchant.json', '/apis/js/scalar.js'])(
    '%s is compressed, may be kept, and is not sent again to a client that has it',
    async (path) => {
      const first = await fetch(service.url + path);
      const content = await first.text();
      expect([first.status, first.headers.get('content-encoding')]).toEqual([
        200,
        expect.stringMatching(/br|gzip/),
      ]);
      expect(first.headers.get('cache-control')).toMatch(/^public, max-age=/);
      const again = await fetch(service.url + path, {
        headers: { 'If-None-Match': first.headers.get('etag') as string },
      });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(await (await fetch(service.url + path)).text()).toBe(content);
    },
  );
});

describe('a QR code', () => {
  const QR = 'ProviderAQR';

  test('is a small picture of one bit for each point, sent again only where it has changed', async () => {
    const page = openPage(await createOrder(merchant, { walletType: QR }));
    await page.data('open');
    await page.data('payer', { accountNumber: '03001234567' });
    const first = await fetch(page.at('qr.png'));
    const picture = Buffer.from(await first.arrayBuffer());
    expect([
      first.status,
      first.headers.get('content-type'),
      first.headers.get('cache-control'),
    ]).toEqual([200, 'image/png', 'private, no-cache']);
    expect(picture.subarray(12, 26).toString('hex')).toMatch(
      /^49484452(000001[0-9a-f]{2}){2}0100$/,
    );
    expect(picture.length).toBeLessThan(1_000);
    const again = await fetch(page.at('qr.png'), {
      headers: { 'If-None-Match': first.headers.get('etag') as string },
    });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  });
});

describe('an order', () => {
  test('takes twenty changes of method; then the page says so, and the present one can be paid by', async () => {
    const page = openPage(await createOrder(merchant));
    await page.data('open');
    for (let times = 0; times < 10; times += 1) {
      for (const walletType of ['TillID', 'ProviderA']) await page.data('method', { walletType });
    }
    expect(await page.post('method', { walletType: 'TillID' })).toMatchObject({
      status: 409,
      json: {
        error:
          'The payment method of an order can be changed 20 times. Please pay by the present one.',
      },
    });
    const refused = await page.form('method', { walletType: 'TillID' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(
      'The way to pay was changed as often as this order allows. Please pay the way shown here.',
    );
    expect(refused.text).not.toContain('name="walletType"');
    expect(await page.state()).toMatchObject({
      view: 'pay',
      method: { walletType: 'ProviderA' },
      methods: [],
    });
    expect(await page.data('confirm', { transactionDigits: '1234' })).toMatchObject({
      status: 'AwaitingMemberConfirmation',
    });
  });

  test('goes on to its end however many steps it has taken', async () => {
    const order = await createOrder(merchant);
    const page = openPage(order);
    await page.data('open');
    const { pool } = service.database;
    await pool.query(
      `insert into order_moves (merchant_id, order_id, number, from_status, to_status, trigger, actor_kind, member_id, note, command_id, at)
       select merchant_id, order_id, n, status, status, 'customer-switched-method', 'customer', member_id, wallet_type, gen_random_uuid(), assigned_at
       from orders, generate_series(2, 32767) n where order_id = $1`,
      [order.orderId],
    );
    await pool.query('update orders set moves = 32767 where order_id = $1', [order.orderId]);
    await page.data('cancel');
    expect(await orderStatus(merchant, order.orderId)).toMatchObject({ status: 'CancelledAuto' });
  });

  test('keeps ten different words of a member while it is in review, however many come at once', async () => {
    const { orderId } = await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 10,
      customerAccountNumber: '03009998887',
      customerAccountName: 'Bilal',
    });
    const client = memberClient(service.url, await signInMember(service, member, PASSWORD));
    await client.data('POST', `/orders/${orderId}/report`, { reason: 'the transfer was refused' });
    const reports = Array.from({ length: 60 }, (_, at) =>
      client.call('POST', `/orders/${orderId}/report`, { reason: `word ${at % 15}` }),
    );
    const statuses = (await Promise.all(reports)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    const { data } = await operatorClient(service).get(`/orders/${orderId}`);
    expect(
      new Set(
        data.timeline.flatMap(({ kind, note }: { kind: string; note: string }) =>
          kind === 'note' ? [note] : [],
        ),
      ).size,
    ).toBe(10);
    expect(data.timeline.filter(({ kind }: { kind: string }) => kind === 'note')).toHaveLength(10);
  });
});
