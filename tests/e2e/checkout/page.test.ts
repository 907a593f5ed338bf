import { describe, expect } from 'vitest';
import { standsAlone } from '../../../packages/core/src/testing/literals.ts';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  setPresence,
} from '../../support/fixtures.ts';
import { openPage, type PageClient } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '100000', name: 'Corner Shop' });
const member = await createMember(service, { float: '10000000', maxOpenOrders: 1000 });

const accountOf = (walletType: string) =>
  member.accounts.find((account) => account.walletType === walletType);

/** Runs `work` while nobody is online. */
async function whileOffline<T>(work: () => Promise<T>): Promise<T> {
  await setPresence(service, member.memberId, false);
  try {
    return await work();
  } finally {
    await setPresence(service, member.memberId, true);
  }
}

const moves = async ({ orderId }: CreatedOrder) => {
  const { rows } = await service.database.pool.query(
    'select trigger, to_status from order_moves where order_id = $1 order by number',
    [orderId],
  );
  return rows.map(({ trigger, to_status }) => `${trigger} ${to_status}`);
};

describe('deposit transitions', () => {
  test('Queued, customer opens page, method picked: AwaitingCustomerPayment with the account shown', async () => {
    const order = await createOrder(merchant, { amount: 1500.5 });
    const page = openPage(order);
    const before = await page.state();
    expect(before).toMatchObject({ status: 'Queued', view: 'waiting', account: null });
    expect(JSON.stringify(before)).not.toContain(accountOf('ProviderA')?.accountNumber);
    expect(await page.data('open')).toMatchObject({
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
      view: 'pay',
      amount: 1500.5,
      currency: 'PKR',
      expiresAt: order.expiresAt,
      transactionDigits: 4,
      account: {
        walletType: 'ProviderA',
        accountNumber: accountOf('ProviderA')?.accountNumber,
        tillId: null,
        qrPayload: null,
      },
    });
    expect(await moves(order)).toEqual(['customer-opened-page AwaitingCustomerPayment']);
  });

  test('Awaiting, customer opens page: waits while nobody is there, then AwaitingCustomerPayment', async () => {
    await whileOffline(async () => {
      const order = await createOrder(merchant, {});
      expect(order.status).toBe('Awaiting');
      const page = openPage(order);
      expect(await page.data('open')).toMatchObject({
        status: 'Awaiting',
        view: 'waiting',
        account: null,
      });
      expect((await page.get()).text).toContain('every 10 seconds');
      await setPresence(service, member.memberId, true);
      expect(await page.state()).toMatchObject({ status: 'Awaiting' });
      expect(await page.data('open')).toMatchObject({
        status: 'AwaitingCustomerPayment',
        view: 'pay',
      });
    });
  });

  test('Awaiting, link expires, no member assigned: CancelledTimeout', async () => {
    const order = await whileOffline(() => createOrder(merchant, {}));
    await advance(service, 900);
    expect(await orderStatus(merchant, order.orderId)).toMatchObject({
      status: 'CancelledTimeout',
      stage: 'Failed',
    });
    expect((await openPage(order).get()).status).toBe(410);
  });

  test('Queued and AwaitingCustomerPayment, page expires: Expired, and the page is gone', async () => {
    const [queued, opened] = [await createOrder(merchant, {}), await createOrder(merchant, {})];
    await openPage(opened).data('open');
    await advance(service, 900);
    for (const order of [queued, opened]) {
      expect(await orderStatus(merchant, order.orderId)).toMatchObject({ status: 'Expired' });
      for (const action of ['open', 'method', 'payer', 'confirm', 'account', 'cancel']) {
        expect(
          await openPage(order).post(action, {
            transactionDigits: '1234',
            walletType: 'ProviderA',
          }),
        ).toMatchObject({ status: 410 });
      }
    }
  });

  test.each([
    ['ProviderA', 4],
    ['ProviderATillID', 8],
    ['ProviderB', 5],
    ['TillID', 6],
  ])(
    '%s: customer confirms with the last %i digits: AwaitingMemberConfirmation, stage Sent',
    async (walletType, count) => {
      const order = await createOrder(merchant, { walletType, txnRefDigitsRequired: count });
      const page = openPage(order);
      const { account, transactionDigits } = await page.data('open');
      expect(transactionDigits).toBe(count);
      expect(account[walletType.endsWith('TillID') ? 'tillId' : 'accountNumber']).toBe(
        accountOf(walletType)?.accountNumber,
      );
      for (const wrong of ['', '1'.repeat(count - 1), '1'.repeat(count + 1), 'x'.repeat(count)]) {
        expect(await page.post('confirm', { transactionDigits: wrong })).toMatchObject({
          status: 400,
          json: { error: `Enter the last ${count} digits of the transaction ID.` },
        });
      }
      expect(
        await page.data('confirm', { transactionDigits: '12345678'.slice(0, count) }),
      ).toMatchObject({
        status: 'AwaitingMemberConfirmation',
        stage: 'Sent',
        view: 'verifying',
        account: null,
      });
      expect((await orderStatus(merchant, order.orderId))['lifecycle']).toMatchObject({
        stage: 'Sent',
        sentAt: expect.any(String),
      });
    },
  );

  test.each([
    ['ProviderAQR', 'accountNumber', '0300 123-4567', '03001234567'],
    ['ProviderBQR', 'ibanLast4', '0071', '0071'],
  ] as const)(
    '%s: asks for the payer before the code is shown, and for no transaction ID',
    async (walletType, field, entered, kept) => {
      const order = await createOrder(merchant, { walletType });
      const page = openPage(order);
      const qrPayload = accountOf(walletType)?.qrPayload as string;
      const opened = await page.data('open');
      expect(opened).toMatchObject({
        view: 'payer',
        payer: field,
        account: null,
        transactionDigits: null,
      });
      expect(JSON.stringify(opened) + (await page.get()).text).not.toContain(qrPayload);
      expect(await page.post('confirm')).toMatchObject({ status: 409 });
      expect(await page.post('payer', { [field]: 'abc' })).toMatchObject({ status: 400 });
      expect(await page.data('payer', { [field]: entered })).toMatchObject({
        view: 'pay',
        account: { qrPayload, accountNumber: expect.stringMatching(/^\d+$/) },
        transactionDigits: null,
      });
      expect((await page.get()).text).toMatch(/<svg [^>]*role="img"/);
      expect(await page.data('confirm')).toMatchObject({ status: 'AwaitingMemberConfirmation' });
      const { rows } = await service.database.pool.query(
        'select payer_account from orders where order_id = $1',
        [order.orderId],
      );
      expect(rows[0].payer_account).toBe(kept);
    },
  );

  test('BankAccount opens on the six other methods, and the one picked is assigned at once', async () => {
    const page = openPage(await createOrder(merchant, { walletType: 'BankAccount' }));
    const opened = await page.data('open');
    expect(opened).toMatchObject({ status: 'Queued', view: 'methods', account: null });
    expect(opened.methods.map(({ walletType }: { walletType: string }) => walletType)).toEqual([
      'ProviderA',
      'ProviderATillID',
      'ProviderAQR',
      'ProviderB',
      'TillID',
      'ProviderBQR',
    ]);
    expect(await page.post('method', { walletType: 'BankAccount' })).toMatchObject({ status: 400 });
    expect(await page.data('method', { walletType: 'TillID' })).toMatchObject({
      status: 'AwaitingCustomerPayment',
      view: 'pay',
      account: { walletType: 'TillID' },
    });
  });

  test('only the methods enabled for the merchant are offered and taken', async () => {
    const small = await createMerchant(service, {
      depositMethods: ['ProviderA', 'TillID', 'BankAccount'],
    });
    const page = openPage(await createOrder(small, {}));
    expect((await page.data('open')).methods).toEqual([
      {
        walletType: 'TillID',
        name: expect.any(String),
        providerName: expect.any(String),
        served: true,
      },
    ]);
    expect(await page.post('method', { walletType: 'ProviderB' })).toMatchObject({ status: 400 });
    expect(await page.post('method', { walletType: 'constructor' })).toMatchObject({ status: 400 });
  });

  test('a switch to a method that nobody serves is refused, and the present account stays', async () => {
    const lone = await createMerchant(service);
    await whileOffline(async () => {
      const only = await createMember(service, { methods: ['ProviderA'] });
      const page = openPage(await createOrder(lone, {}));
      await page.data('open');
      expect(await page.post('method', { walletType: 'TillID' })).toMatchObject({
        status: 409,
        json: { error: expect.stringContaining('Nobody can receive') },
      });
      expect(await page.state()).toMatchObject({
        view: 'pay',
        account: { accountNumber: only.accounts[0]?.accountNumber },
      });
      await setPresence(service, only.memberId, false);
    });
  });

  test('Cancel before confirming: CancelledAuto, again harmless; after confirming it is refused', async () => {
    const [early, late] = [
      openPage(await createOrder(merchant, {})),
      openPage(await createOrder(merchant, {})),
    ];
    await early.data('open');
    expect(await early.data('cancel')).toMatchObject({
      status: 'CancelledAuto',
      view: 'cancelled',
      canCancel: false,
    });
    expect(await early.data('cancel')).toMatchObject({ status: 'CancelledAuto' });
    expect((await early.data('cancel')).lateClaims).toEqual((await early.state()).lateClaims);
    expect(await early.post('confirm', { transactionDigits: '1234' })).toMatchObject({
      status: 409,
    });
    await late.data('open');
    await late.data('confirm', { transactionDigits: '1234' });
    expect(await late.post('cancel')).toMatchObject({ status: 409 });
    expect(await late.post('method', { walletType: 'TillID' })).toMatchObject({ status: 409 });
  });

  test('AwaitingMemberConfirmation, member does not act in time: review, and the outcome stays readable for 24 hours', async () => {
    const order = await createOrder(merchant, {});
    const page = openPage(order);
    await page.data('open');
    await page.data('confirm', { transactionDigits: '1234' });
    await advance(service, 1_800);
    expect(await page.state()).toMatchObject({
      status: 'ManualReview',
      stage: 'Sent',
      view: 'review',
    });
    const operator = { kind: 'operator', id: 'one', name: 'one', address: '::1' } as const;
    await service.app.deps.engine.submit({
      kind: 'operator-resolve',
      commandId: crypto.randomUUID(),
      orderId: order.orderId,
      outcome: 'Completed',
      memberId: null,
      note: 'seen',
      ...standsAlone(operator),
    });
    expect(await page.state()).toMatchObject({ status: 'Completed', view: 'completed' });
    expect(await page.post('cancel')).toMatchObject({ status: 409 });
    await advance(service, 24 * 3_600 - 5);
    expect(await page.state()).toMatchObject({ view: 'completed' });
    await advance(service, 10);
    expect((await page.get()).status).toBe(410);
  });
});

describe('what the customer sees of the outcome', () => {
  const actor = { kind: 'operator', id: 'one', name: 'one', address: '::1' } as const;
  const urls = {
    successUrl: 'https://shop.example/paid',
    failureUrl: 'https://shop.example/failed',
  };

  async function confirmed() {
    const order = await createOrder(merchant, urls);
    const page = openPage(order);
    await page.data('open');
    await page.data('confirm', { transactionDigits: '1234' });
    return {
      page,
      byMember: {
        commandId: crypto.randomUUID(),
        orderId: order.orderId,
        memberId: member.memberId,
      },
    };
  }

  test('member confirms: completed, and back by successUrl', async () => {
    const { page, byMember } = await confirmed();
    await service.app.deps.engine.submit({
      kind: 'member-confirm',
      ...byMember,
      receivedAmount: null,
      transactionReference: null,
    });
    expect(await page.state()).toMatchObject({
      view: 'completed',
      stage: 'Completed',
      redirectUrl: expect.stringMatching(/^https:\/\/shop\.example\/paid\?.*svc_status=Completed$/),
    });
  });

  test('member rejects: rejected, and back by failureUrl, without the member’s words', async () => {
    const { page, byMember } = await confirmed();
    await service.app.deps.engine.submit({
      kind: 'member-reject',
      ...byMember,
      reason: 'internal words',
    });
    expect(await page.state()).toMatchObject({
      view: 'rejected',
      stage: 'Failed',
      redirectUrl: expect.stringMatching(
        /^https:\/\/shop\.example\/failed\?.*svc_status=Rejected$/,
      ),
    });
    expect((await page.get()).text).not.toContain('internal words');
  });

  test('confirmed in time: confirming again after expiry shows the same, nothing else is taken', async () => {
    const { page } = await confirmed();
    await advance(service, 900);
    expect(await page.data('confirm', { transactionDigits: '9999' })).toMatchObject({
      view: 'verifying',
      expiredRedirectUrl: null,
      canCancel: false,
    });
    for (const action of ['cancel', 'method', 'payer', 'account'])
      expect(await page.post(action, { walletType: 'TillID' })).toMatchObject({ status: 409 });
  });

  test('the receiving account is withdrawn before payment: cancelled', async () => {
    const gone = await createMember(service, { methods: ['ProviderB'], online: false });
    const [account] = gone.accounts;
    await setPresence(service, member.memberId, false);
    await setPresence(service, gone.memberId, true);
    const page = openPage(await createOrder(merchant, { walletType: 'ProviderB', ...urls }));
    await setPresence(service, member.memberId, true);
    expect(await page.data('open')).toMatchObject({
      account: { accountNumber: account?.accountNumber },
    });
    const suspended = { accountId: account?.accountId as string, status: 'suspended' } as const;
    await service.app.deps.engine.submit({
      kind: 'update-member',
      commandId: crypto.randomUUID(),
      memberId: gone.memberId,
      online: false,
      account: suspended,
      actor,
    });
    service.app.deps.wake('withdrawn-members');
    await expect.poll(async () => (await page.state()).view).toBe('cancelled');
    expect(await page.state()).toMatchObject({
      status: 'CancelledAuto',
      account: null,
      redirectUrl: expect.stringContaining('svc_status=CancelledAuto'),
    });
  });

  test('a switch of method re-quotes the fee by the rules in force when the order was accepted', async () => {
    const priced = await createMerchant(service);
    const rule = (walletType: string, fixed: string, from: number, until: number | null) =>
      service.database.pool.query(
        `insert into fee_rules (fee_rule_id, merchant_id, order_type, wallet_type, fixed, valid_from, valid_until) values (gen_random_uuid(), $1, 'Deposit', $2, $3, $4, $5)`,
        [
          priced.merchantId,
          walletType,
          fixed,
          new Date(from).toISOString(),
          until === null ? null : new Date(until).toISOString(),
        ],
      );
    const now = service.app.deps.clock.now();
    await rule('ProviderA', '10', now - 60_000, null);
    await rule('TillID', '20.5', now - 60_000, now + 60_000);
    await rule('TillID', '99', now + 60_000, null);
    const order = await createOrder(priced, {});
    expect(await orderStatus(priced, order.orderId)).toMatchObject({ fee: 10 });
    await advance(service, 120);
    await openPage(order).data('method', { walletType: 'TillID' });
    expect(await orderStatus(priced, order.orderId)).toMatchObject({
      fee: 20.5,
      status: 'AwaitingCustomerPayment',
    });
  });
});

describe('withdrawal transitions', () => {
  const withdrawal = (body: object = {}) =>
    createOrder(merchant, { orderType: 'Withdrawal', amount: 100, ...body });
  const account = { accountNumber: ' 03007654321 ', accountName: 'Aisha Khan' };

  test('Awaiting (no account), customer submits account, member available: AwaitingMemberPayout; submitting again has no effect', async () => {
    const order = await withdrawal();
    expect(order.status).toBe('Awaiting');
    const page = openPage(order);
    expect(await page.data('open')).toMatchObject({ view: 'account', status: 'Awaiting' });
    expect(await page.data('account', account)).toMatchObject({
      status: 'AwaitingMemberPayout',
      view: 'on-its-way',
      customerAccount: '••••4321',
    });
    expect(
      await page.data('account', { accountNumber: '999', accountName: 'Thief' }),
    ).toMatchObject({ customerAccount: '••••4321' });
    expect(await page.post('cancel')).toMatchObject({ status: 409 });
  });

  test('Awaiting (no account), customer submits account, no member available: Awaiting, and the page stays readable after expiry', async () => {
    const order = await withdrawal();
    const page = openPage(order);
    await whileOffline(async () => {
      expect(await page.data('account', account)).toMatchObject({
        status: 'Awaiting',
        view: 'waiting',
      });
      await advance(service, 901);
      expect(await page.state()).toMatchObject({ status: 'Awaiting', view: 'waiting' });
    });
  });

  test('Awaiting (no account), 15 minutes without submission: CancelledTimeout and 410', async () => {
    const order = await withdrawal();
    await advance(service, 900);
    expect(await orderStatus(merchant, order.orderId)).toMatchObject({
      status: 'CancelledTimeout',
    });
    expect(await openPage(order).post('account', account)).toMatchObject({ status: 410 });
  });

  test.each([
    [{ accountNumber: '', accountName: 'A' }, 'Enter the account number.'],
    [{ accountNumber: '1', accountName: '  ' }, 'Enter the account holder name.'],
    [{ accountNumber: '1' }, 'Enter the account holder name.'],
    [
      { accountNumber: '1'.repeat(51), accountName: 'A' },
      'The account number must be 50 characters or fewer.',
    ],
    [
      { accountNumber: '1', accountName: 'ü'.repeat(201) },
      'The account holder name must be 200 characters or fewer.',
    ],
    [
      { accountNumber: '1\0', accountName: 'A' },
      'The account number must not contain control characters, direction marks or other invisible characters.',
    ],
    [{ accountNumber: '1\ud800', accountName: 'A' }, 'accountNumber is not well-formed text.'],
    [{ accountNumber: 1, accountName: 'A' }, 'accountNumber must be a text, sent once.'],
  ])('account input %j is refused and changes nothing', async (body, error) => {
    const page = openPage(await withdrawal());
    expect(await page.post('account', body)).toMatchObject({ status: 400, json: { error } });
    expect(await page.state()).toMatchObject({ view: 'account' });
  });

  test('cancel before submitting: CancelledAuto', async () => {
    expect(await openPage(await withdrawal()).data('cancel')).toMatchObject({
      status: 'CancelledAuto',
      view: 'failed',
    });
  });

  test('a withdrawal created with its account shows its progress until expiresAt, and nothing afterwards', async () => {
    const order = await withdrawal({ customerAccountNumber: '03001112223' });
    const page = openPage(order);
    expect(await page.state()).toMatchObject({
      view: 'on-its-way',
      customerAccount: '••••2223',
      canCancel: false,
    });
    expect((await page.get()).text).not.toContain('03001112223');
    await advance(service, 900);
    expect((await page.get()).status).toBe(410);
  });
});

describe('what an action answers is what the page then shows', () => {
  const deposit = (walletType: string) => ({ walletType });
  const withdrawal = { orderType: 'Withdrawal', amount: 100 };
  const account = { accountNumber: '03007654321', accountName: 'Aisha Khan' };
  const digits = { transactionDigits: '4321' };
  test.each([
    [
      'a deposit, opened twice, confirmed twice',
      deposit('ProviderA'),
      [['open'], ['open'], ['confirm', digits], ['confirm', digits]],
    ],
    [
      'a deposit by QR',
      deposit('ProviderBQR'),
      [['open'], ['payer', { ibanLast4: '0071' }], ['confirm']],
    ],
    [
      'another method, twice',
      deposit('ProviderA'),
      [['open'], ['method', { walletType: 'TillID' }], ['method', { walletType: 'ProviderAQR' }]],
    ],
    [
      'a method picked from the list',
      deposit('BankAccount'),
      [['open'], ['method', { walletType: 'ProviderB' }], ['cancel']],
    ],
    [
      'a withdrawal’s account, twice',
      withdrawal,
      [['open'], ['account', account], ['account', account]],
    ],
    ['a withdrawal, cancelled', withdrawal, [['cancel'], ['cancel']]],
  ] as const)('%s', async (_name, body, actions) => {
    const page = openPage(await createOrder(merchant, body));
    for (const [action, fields] of actions) await agrees(page, action, fields);
  });

  test('a deposit that waited, given to a member when it is opened', async () => {
    const page = openPage(await whileOffline(() => createOrder(merchant, {})));
    await whileOffline(() => agrees(page, 'open'));
    expect((await agrees(page, 'open')).account).toMatchObject({
      accountNumber: accountOf('ProviderA')?.accountNumber,
    });
  });

  async function agrees(page: PageClient, action: string, fields?: object) {
    const { remainingMs: _, ...answered } = await page.data(action, fields);
    expect(await page.state(), action).toMatchObject(answered);
    return answered;
  }
});
