import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { hasFocus, typeInto } from '../../support/console.ts';
import { everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import {
  memberWork,
  openMemberApp,
  PASSWORD,
  passUndo,
  stopClock,
} from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

/** Goes on by Tab until it has the focus. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(target.page().locator(':focus'));
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused.count()) > 0) return;
    await target.page().keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${target}`);
}

/** Presses the button by the keyboard; of two with one name that of the dialog. */
async function enter(page: Page, name: string): Promise<void> {
  await reach(page.getByRole('button', { name, exact: true }).last());
  await page.keyboard.press('Enter');
}

test('a member signs in, is called, confirms and signs out by the keyboard alone', async () => {
  await everybodyOffline(service);
  const { member, merchant, paid, operator } = await memberWork(service);
  const { page, close } = await app.open({ clock: true });
  const press = (key: string) => page.keyboard.press(key);

  // M1, and M2 at the first sign-in
  await reach(page.getByLabel('Username'));
  await typeInto(page.getByLabel('Username'), member.username);
  await press('Tab');
  await typeInto(page.getByLabel('Password', { exact: true }), PASSWORD);
  await press('Enter');
  await page.getByRole('heading', { name: 'Set up alerts' }).waitFor();
  await enter(page, 'The icon is there');
  await page.getByText('They show amount and method').waitFor();
  await expectAccessible(page);
  await enter(page, 'Skip for now');

  // M3 and M4
  await page.getByText('Listening').waitFor();
  const { orderId } = await paid();
  const alarm = page.getByRole('alertdialog', { name: 'Money should be here' });
  await hasFocus(alarm.getByRole('button', { name: 'Open' }));
  await expectAccessible(page);
  await press('Enter');

  // M6 and M9
  await enter(page, 'Money is here');
  await hasFocus(page.getByLabel('Amount that arrived'));
  await page.keyboard.type('2500');
  await enter(page, 'Confirm PKR 2,500');
  await hasFocus(page.getByRole('button', { name: /^Yes, it is in/ }));
  expect(await page.getByText('Hold for a second, or tap').count()).toBe(0);
  await expectAccessible(page);
  await stopClock(page);
  await press('Enter');
  await page.getByText(/Sending in \d s/).waitFor();
  await page.clock.resume(); // the five seconds pass by themselves
  await expectAccessible(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');

  // M12
  await page.goto(`${service.url}/member/account/settings`);
  await page.getByText('This phone · signed in').waitFor();
  await enter(page, 'Sign out');
  await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Close' }));
  await press('Escape');
  await hasFocus(page.getByRole('button', { name: 'Sign out', exact: true }));
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await enter(page, 'Sign out');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect((await operator.get(`/members/${member.memberId}`)).data.online).toBe(true);
  await close();
});

test('a deposit that waits is noted as seen, and given back, by the keyboard alone', async () => {
  await everybodyOffline(service);
  const { member, merchant, waiting } = await memberWork(service);
  const order = await waiting();
  const { page, close } = await app.openOrder(member, order);

  // M5
  await enter(page, 'I see this money already');
  await page.getByText('Noted. When the customer confirms').waitFor();
  await expectAccessible(page);
  await enter(page, 'Give back');
  await reach(page.getByLabel('My account does not work now'));
  await page.keyboard.press('ArrowDown'); // I have to go
  await expectAccessible(page);
  await stopClock(page);
  await enter(page, 'Give back');
  await passUndo(page);
  await page.getByText('Cancelled', { exact: true }).waitFor();
  expect((await orderStatus(merchant, order.orderId)).status).toBe('Cancelled');
  await close();
});
