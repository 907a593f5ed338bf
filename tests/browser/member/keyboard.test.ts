import { expect } from 'vitest';
import { stopClock } from '../../support/browser.ts';
import { everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import {
  memberWork,
  openMemberApp,
  passUndo,
  pressButton,
  reachByTab,
} from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

test('a deposit that waits is noted as seen, and given back, by the keyboard alone', async () => {
  await everybodyOffline(service);
  const { member, merchant, waiting } = await memberWork(service);
  const order = await waiting();
  const { page, close } = await app.openOrder(member, order);

  // M5
  await pressButton(page, 'I see this money already');
  await page.getByText('Noted. When the customer confirms').waitFor();
  await expectAccessible(page);
  await pressButton(page, 'Give back');
  await reachByTab(page.getByLabel('My account does not work now'));
  await page.keyboard.press('ArrowDown'); // I have to go
  await expectAccessible(page);
  await stopClock(page);
  await pressButton(page, 'Give back');
  await passUndo(page);
  await page.getByText('Cancelled', { exact: true }).waitFor();
  expect((await orderStatus(merchant, order.orderId)).status).toBe('Cancelled');
  await close();
});
