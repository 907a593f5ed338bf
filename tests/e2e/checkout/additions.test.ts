import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { photo } from '../../support/evidence.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { inOnePiece, openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What a customer corrects of a payment that is looked for, or adds to it. */

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { name: 'Corner Shop', balance: '100000' });
const password = 'correct horse battery staple';
const member = await createMember(service, { float: '100000000', maxOpenOrders: 1000, password });
const operator = operatorClient(service);

async function confirmed(body: object = {}): Promise<CreatedOrder> {
  const order = await createOrder(merchant, { amount: 1500, ...body });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4711' });
  return order;
}

const memberDoes = (kind: 'member-confirm' | 'member-reject', { orderId }: CreatedOrder) => {
  const by = { commandId: randomUUID(), orderId, memberId: member.memberId };
  return service.app.deps.engine.submit(
    kind === 'member-confirm'
      ? { kind, ...by, receivedAmount: null, transactionReference: null }
      : { kind, ...by, reason: 'nothing came', reasonCode: null },
  );
};
const detailOf = async ({ orderId }: CreatedOrder) =>
  (await operator.get(`/orders/${orderId}`)).data;
const textOf = async (order: CreatedOrder) => inOnePiece((await openPage(order).get()).text);
const ALL = ['correctedDigits', 'amountSent', 'paidBy', 'picture'];
const picture = async (seed = 1) => ({ picture: (await photo({ seed })).toString('base64') });

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The form of the page, as browsers send it. */
async function sendFile(order: CreatedOrder, content: Buffer, accept = 'text/html') {
  const body = new FormData();
  body.set('picture', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'receipt.png');
  return fetch(openPage(order).at('picture'), {
    method: 'POST',
    redirect: 'manual',
    headers: { Accept: accept },
    body,
  });
}

describe('what is said', () => {
  test('is shown to customer, operators and member as a change, and moves nothing', async () => {
    const order = await confirmed();
    const page = openPage(order);
    expect((await page.state()).payment).toMatchObject({
      ...{ formerDigits: null, amountSent: null, paidBy: null, pictures: 0, mayAdd: ALL },
      confirmBy: expect.any(String),
    });
    expect((await page.form('add', { correctedDigits: '48 21' })).status).toBe(303);
    await page.data('add', { amountSent: '1,450.50' });
    await page.data('add', { paidBy: 'Ayesha Khan' });
    const { status, payment } = await page.data('picture', await picture());
    expect(status).toBe('AwaitingMemberConfirmation');
    expect(payment).toMatchObject({
      ...{ transactionDigits: '4821', formerDigits: '4711', amountSent: 1450.5 },
      ...{ paidBy: 'Ayesha Khan', pictures: 1, mayAdd: ['picture'] },
    });
    const text = await textOf(order);
    for (const said of ['4711, corrected to 4821', 'PKR 1,450.50', 'Ayesha Khan'])
      expect(text).toContain(said);

    const detail = await detailOf(order);
    expect(detail.transactionDigits).toBe('4821');
    expect(detail.timeline.filter(({ kind }: { kind: string }) => kind === 'note')).toMatchObject([
      { about: 'correctedDigits', note: '4711', actor: { kind: 'customer' } },
      { about: 'amountSent', amount: 1450.5 },
      { about: 'paidBy', note: 'Ayesha Khan' },
    ]);
    expect(detail.evidence).toMatchObject([{ kind: 'paid', memberId: null, memberName: null }]);

    const phone = memberClient(service.url, await signInMember(service, member, password));
    expect(await phone.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      transactionDigits: '4821',
      added: { formerDigits: '4711', amountSent: 1450.5, paidBy: 'Ayesha Khan', pictures: 1 },
    });
    await memberDoes('member-confirm', order);
    expect((await orderStatus(merchant, order.orderId)).status).toBe('Completed');
  });

  test('counts once: the same again is answered, another is refused with the page as it is', async () => {
    const order = await confirmed();
    const page = openPage(order);
    for (const [said, other] of [
      [{ correctedDigits: '4821' }, { correctedDigits: '4822' }],
      [{ amountSent: '1450' }, { amountSent: '1400' }],
      [{ paidBy: 'Ayesha' }, { paidBy: 'Bilal' }],
    ] as const) {
      for (const _time of [1, 2]) expect((await page.form('add', said)).status).toBe(303);
      expect((await page.post('add', other)).status).toBe(409);
      expect((await page.form('add', other)).status).toBe(409);
    }
    expect((await page.state()).payment).toMatchObject({
      ...{ transactionDigits: '4821', amountSent: 1450, paidBy: 'Ayesha' },
    });
  });

  test('by many at once is said once', async () => {
    const order = await confirmed();
    const page = openPage(order);
    const sent = ['4821', '4822', '4823', '4824'].map((correctedDigits) =>
      page.post('add', { correctedDigits }),
    );
    const answers = (await Promise.all(sent)).map(({ status }) => status);
    expect(answers.sort()).toEqual([200, 409, 409, 409]);
  });

  test('while the member decides is kept with the decision, or refused', async () => {
    for (const decides of ['member-confirm', 'member-reject'] as const) {
      const order = await confirmed();
      const [said, decided] = await Promise.all([
        openPage(order).post('add', { correctedDigits: '4821' }),
        memberDoes(decides, order),
      ]);
      expect(decided.ok).toBe(true);
      const taken = said.status === 200;
      expect([200, 409]).toContain(said.status);
      const detail = await detailOf(order);
      expect([detail.transactionDigits, detail.status]).toEqual([
        taken ? '4821' : '4711',
        decides === 'member-confirm' ? 'Completed' : 'Rejected',
      ]);
    }
  });

  test('is refused before the payment is confirmed and once it is decided', async () => {
    const unpaid = await createOrder(merchant, { amount: 1500 });
    await openPage(unpaid).data('open');
    const done = await confirmed();
    await memberDoes('member-confirm', done);
    for (const order of [unpaid, done]) {
      const page = openPage(order);
      expect((await page.post('add', { paidBy: 'Ayesha' })).status).toBe(409);
      expect((await page.post('picture', await picture())).status).toBe(409);
      expect((await page.state()).payment?.mayAdd ?? []).toEqual([]);
    }
    expect((await detailOf(done)).evidence).toEqual([]);
  });

  test.each([
    [{ correctedDigits: 'TID 99482199482113' }, 'Only the last 4 digits count: 2113.'],
    [{ correctedDigits: '12' }, 'Enter the last 4 digits'],
    [{ amountSent: '1500' }, 'if it is another than the order’s'],
    [{ amountSent: 'much' }, 'if it is another than the order’s'],
    [{ paidBy: ' ' }, 'Enter a name'],
  ])('%j comes back with what is wrong, and the page stays', async (fields, said) => {
    const page = openPage(await confirmed());
    const answer = await page.form('add', fields);
    expect(answer.status).toBe(400);
    expect(inOnePiece(answer.text)).toContain(said);
    expect(answer.text).not.toContain('http-equiv="refresh"');
  });
});

describe('a picture', () => {
  test('is sent by a form without a script; a third is refused', async () => {
    const order = await confirmed();
    for (const seed of [1, 2, 2])
      expect((await sendFile(order, await photo({ seed }))).status).toBe(303);
    expect((await openPage(order).state()).payment.pictures).toBe(2);
    expect((await sendFile(order, await photo({ seed: 3 }))).status).toBe(409);
    expect((await openPage(order).post('picture', await picture(4))).status).toBe(409);
    expect((await detailOf(order)).evidence).toHaveLength(2);
  });

  test('of many at once, two are kept', async () => {
    const order = await confirmed();
    const sent = await Promise.all(
      [1, 2, 3, 4].map(async (seed) => openPage(order).post('picture', await picture(seed))),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect((await detailOf(order)).evidence).toHaveLength(2);
  });

  test.each([
    ['text', Buffer.from('no picture')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', Buffer.alloc(0)],
    ['a PNG of one byte', Buffer.concat([PNG, Buffer.alloc(1)])],
    ['more than 1 MB', Buffer.concat([PNG, Buffer.alloc(1024 * 1024)])],
  ])('that is %s is refused', async (_what, content) => {
    const order = await confirmed();
    const answer = await sendFile(order, content);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Choose a picture of at most 1 MB');
    expect((await detailOf(order)).evidence).toEqual([]);
  });

  test('is read of nobody without a valid link', async () => {
    const order = await confirmed();
    const { status } = await fetch(
      openPage(order)
        .at('picture')
        .replace(/token=./, 'token=!'),
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify(await picture()),
      },
    );
    expect(status).toBe(403);
  });
});
