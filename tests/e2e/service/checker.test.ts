import { expect } from 'vitest';
import { findViolations } from '../../../apps/server/src/books/invariants.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest(
  {},
  { unsound: 'rows are deleted to be found missing' },
);

test.each([
  ['wallet', 'delete from merchant_wallets', 'a wallet is the sum of its postings'],
  [
    'member',
    'delete from member_accounts; delete from members',
    "a member's float is the sum of its postings",
  ],
])('verify finds that a %s with postings is missing', async (_name, sql, rule) => {
  const merchant = await createMerchant(service);
  const member = await createMember(service);
  await completeOrder(service, await createOrder(merchant), member);
  await service.database.pool.query(sql);
  const broken = await findViolations(service.database.pool, service.app.deps.clock.now());
  expect(broken.map((violation) => violation.rule)).toContain(rule);
});
