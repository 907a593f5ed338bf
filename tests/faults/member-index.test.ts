import { randomUUID } from 'node:crypto';
import { money, needOf } from '@munshi/core';
import { expect } from 'vitest';
import { createEngine } from '../../apps/server/src/engine/engine.ts';
import { type MemberHint, readHintsAfter } from '../../apps/server/src/engine/rows/candidates.ts';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { createMember, createMerchant, createOrder } from '../support/fixtures.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';

/** The engine's hints of who may be eligible: without them, and how they are read. */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '1000000' });

test('before its members are known, an engine gives orders to the same members as ever: each in turn', async () => {
  const members = await Promise.all(
    Array.from({ length: 3 }, () => createMember(service, { online: false })),
  );
  const memberIds = members.map(({ memberId }) => memberId);
  const payouts = await Promise.all(
    Array.from({ length: 6 }, () =>
      createOrder(merchant, {
        orderType: 'Withdrawal',
        amount: 250,
        customerAccountNumber: '03009998887',
        customerAccountName: 'Bilal',
      }),
    ),
  );
  // Behind the back of the service, so that the engine below is the one that assigns.
  await service.database.pool.query('update members set online = true where member_id = any($1)', [
    memberIds,
  ]);

  const database = openDatabase(service.target, { poolSize: 1 });
  // Its index is read by the only connection of the pool, which is taken.
  const taken = await database.pool.connect();
  const engine = createEngine({
    database,
    now: service.app.deps.clock.now,
    ids: service.app.deps.ids,
    keyedDigest: (digest) => digest,
    log: service.app.deps.log,
  });
  const need = needOf({
    orderType: 'Withdrawal',
    walletType: 'ProviderA',
    currency: 'PKR',
    amount: money('250'),
    floatAmount: money('250'),
  });
  const decisions = await Promise.all(
    payouts.map(({ orderId }) =>
      engine.submit({ kind: 'assign-waiting', commandId: randomUUID(), orderId, need }),
    ),
  );
  taken.release();
  await engine.stop();
  await database.close();

  const holders = decisions.map((decision) => (decision.ok ? decision.result.memberId : undefined));
  expect(holders.toSorted()).toEqual([...memberIds, ...memberIds].toSorted());
  await service.database.pool.query('update members set online = false where member_id = any($1)', [
    memberIds,
  ]);
  await expectSound(service);
});

test('a page of hints has every member behind the last, with the limits of the accounts that are approved', async () => {
  const limits = { minimumPerOrder: '100', maximumPerOrder: '5000', maximumPerDay: '20000' };
  const limited = await createMember(service, {
    methods: ['ProviderA', 'TillID'],
    limits,
    online: false,
  });
  const unlimited = await createMember(service, {
    methods: ['ProviderA', 'BankAccount'],
    online: false,
  });
  const none = await createMember(service, { methods: [], online: false });
  await service.database.pool.query(
    `update member_accounts set status = 'pending' where member_id = $1 and wallet_type = 'TillID'`,
    [limited.memberId],
  );
  const hints: MemberHint[] = [];
  for (let page = await readHintsAfter(service.database.pool, null, 2); page.length > 0; ) {
    hints.push(...page);
    page = await readHintsAfter(service.database.pool, hints.at(-1)?.memberId ?? null, 2);
  }
  const { rows } = await service.database.pool.query(
    'select member_id from members order by member_id',
  );
  expect(hints.map(({ memberId }) => memberId)).toEqual(rows.map(({ member_id }) => member_id));
  const accountsOf = (memberId: string) =>
    hints.find((hint) => hint.memberId === memberId)?.accounts;
  const terms = {
    status: 'approved',
    paused: false,
    currencies: null,
    minimumPerOrder: money('100'),
    maximumPerOrder: money('5000'),
    maximumPerDay: money('20000'),
    dayAmount: 0n,
  };
  expect(accountsOf(limited.memberId)).toEqual([
    { walletType: 'ProviderA', ...terms, day: expect.any(Number) },
  ]);
  expect(
    accountsOf(unlimited.memberId)
      ?.map(({ walletType, maximumPerDay }) => [walletType, maximumPerDay])
      .toSorted(),
  ).toEqual([
    ['BankAccount', null],
    ['ProviderA', null],
  ]);
  expect(accountsOf(none.memberId)).toEqual([]);
});
