import { randomUUID } from 'node:crypto';
import type { Command } from '@munshi/core';
import { afterEach, expect } from 'vitest';
import { readHintsOf } from '../../../apps/server/src/engine/rows/candidates.ts';
import { waitingWithdrawals } from '../../../apps/server/src/orders/waiting-withdrawals.job.ts';
import { standsAlone } from '../../../packages/core/src/testing/literals.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  OPERATOR,
  orderStatus,
} from '../../support/fixtures.ts';
import { scrape } from '../../support/scrape.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '1000000' });
afterEach(async () => {
  await everybodyOffline(service);
  await expectSound(service);
});

const withdrawal = async (walletType: string, amount: number) =>
  (
    await createOrder(merchant, {
      orderType: 'Withdrawal',
      walletType,
      amount,
      customerAccountNumber: '03001234567',
    })
  ).orderId;
const status = async (orderId: string) => (await orderStatus(merchant, orderId)).status;
const run = async (command: Command) =>
  expect(await service.app.deps.engine.submit(command)).toMatchObject({ ok: true });
const confirm = (orderId: string, memberId: string) =>
  run({
    kind: 'member-confirm',
    commandId: randomUUID(),
    orderId,
    memberId,
    receivedAmount: null,
    transactionReference: null,
  });

test('a member who was full gets the oldest that they may take at once; what only others could take is not tried', async () => {
  const commands = () => service.app.deps.engine.stats.commands;
  for (let n = 0; n < 20; n += 1) await withdrawal('ProviderA', 100);
  for (let n = 0; n < 20; n += 1) await withdrawal('ProviderB', 5_000);
  const member = await createMember(service, {
    methods: ['ProviderB'],
    maxOpenOrders: 1,
    limits: { maximumPerOrder: '1000' },
  });
  const held = await withdrawal('ProviderB', 700);
  const next = await withdrawal('ProviderB', 800);
  const last = await withdrawal('ProviderB', 900);
  expect(await Promise.all([held, next, last].map(status))).toEqual([
    'AwaitingMemberPayout',
    'Awaiting',
    'Awaiting',
  ]);

  const before = commands();
  await confirm(held, member.memberId);
  await expect.poll(() => status(next)).toBe('AwaitingMemberPayout');
  await confirm(next, member.memberId);
  await expect.poll(() => status(last)).toBe('AwaitingMemberPayout');
  // Two confirmations, and a try or two of each of the two: none of the forty others.
  expect(commands() - before).toBeLessThan(20);
});

test('what an order of one method has held is free for one of another method at once', async () => {
  const member = await createMember(service, {
    methods: ['BankAccount', 'ProviderB'],
    maxOpenOrders: 1,
    limits: { maximumPerOrder: '1000' },
  });
  const held = await withdrawal('BankAccount', 700);
  const waiting = await withdrawal('ProviderB', 800);
  expect(await Promise.all([held, waiting].map(status))).toEqual([
    'AwaitingMemberPayout',
    'Awaiting',
  ]);
  await confirm(held, member.memberId);
  await expect.poll(() => status(waiting)).toBe('AwaitingMemberPayout');
  await confirm(waiting, member.memberId);
});

test('a member with room whose account gets some of its day back is given a waiting one at once', async () => {
  const member = await createMember(service, {
    methods: ['ProviderB'],
    maxOpenOrders: 5,
    limits: { maximumPerDay: '1000' },
  });
  const held = await withdrawal('ProviderB', 600);
  const waiting = await withdrawal('ProviderB', 601);
  expect(await Promise.all([held, waiting].map(status))).toEqual([
    'AwaitingMemberPayout',
    'Awaiting',
  ]);
  await run({
    kind: 'operator-cancel',
    commandId: randomUUID(),
    orderId: held,
    note: 'test',
    ...standsAlone(OPERATOR),
  });
  await expect.poll(() => status(waiting)).toBe('AwaitingMemberPayout');
  await confirm(waiting, member.memberId);
});

test('a member whose account is approved is given a waiting one at once', async () => {
  const { memberId, accounts } = await createMember(service, { methods: ['BankAccount'] });
  const account = (to: 'suspended' | 'approved') =>
    run({
      kind: 'update-member',
      commandId: randomUUID(),
      memberId,
      account: { accountId: accounts[0]?.accountId as string, status: to },
      actor: OPERATOR,
    });
  await account('suspended');
  const waiting = await withdrawal('BankAccount', 100);
  expect(await status(waiting)).toBe('Awaiting');
  await account('approved');
  await expect.poll(() => status(waiting)).toBe('AwaitingMemberPayout');
});

test('where one process answers requests and another does what time brings, the other gives them out at once', async () => {
  const requests = await startService({ ROLES: 'http' });
  const worker = await startService({ ROLES: 'worker' }, requests);
  try {
    const own = await createMerchant(requests, { balance: '1000' });
    const order = {
      orderType: 'Withdrawal',
      walletType: 'ProviderB',
      amount: 100,
      customerAccountNumber: '03001234567',
    };
    const { orderId } = await createOrder(own, order);
    expect((await orderStatus(own, orderId)).status).toBe('Awaiting');
    const channelUp = async () =>
      (await scrape(worker)).value('munshi_channel_up', { channel: 'calls' });
    await expect.poll(channelUp).toBe(1);
    await createMember(requests, { methods: ['ProviderB'] });
    await expect
      .poll(async () => (await orderStatus(own, orderId)).status)
      .toBe('AwaitingMemberPayout');
    await expectSound(requests);
  } finally {
    await worker.close();
    await requests.close();
  }
});

test('a place that is taken meanwhile has not the whole backlog tried on it', async () => {
  const { engine, database, clock, log } = service.app.deps;
  const { memberId } = await createMember(service, { methods: ['TillID'], maxOpenOrders: 1 });
  for (let n = 0; n < 40; n += 1) await withdrawal('TillID', 300);
  const [hint] = await readHintsOf(database.pool, [memberId]);
  const { job, offer } = waitingWithdrawals({ engine, database, clock, log });
  offer([{ ...(hint as NonNullable<typeof hint>), openOrders: 0 }]);
  const before = engine.stats.commands;
  await job.runWoken?.();
  expect(engine.stats.commands - before).toBe(1);
});

test('one that a member may take is given to them at once behind a thousand that are too large for everybody', async () => {
  for (let n = 0; n < 20; n += 1)
    await Promise.all(Array.from({ length: 51 }, () => withdrawal('ProviderB', 200)));
  const small = await withdrawal('ProviderB', 50);
  const limits = { maximumPerOrder: '100' };
  const member = await createMember(service, { methods: ['ProviderB'], limits });
  await expect.poll(() => status(small)).toBe('AwaitingMemberPayout');
  await confirm(small, member.memberId);
});
