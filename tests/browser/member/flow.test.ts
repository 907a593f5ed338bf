import type { Response } from 'playwright-core';
import { expect } from 'vitest';
import { en } from '../../../apps/member/src/texts/en.ts';
import { stopClock } from '../../support/browser.ts';
import { hasFocus, typeInto } from '../../support/console.ts';
import { everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import {
  type MemberWork,
  memberWork,
  openMemberApp,
  PASSWORD,
  passUndo,
  pressButton,
  reachByTab,
  sayYes,
} from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

/** The member app from sign-in to the money, as `npm test` goes through it. */

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

const balanceOf = async ({ operator, merchant }: MemberWork) =>
  (await operator.get(`/merchants/${merchant.merchantId}/balance`)).data.walletBalance;

test('a member signs in, is called, confirms and signs out by the keyboard alone', async () => {
  await everybodyOffline(service);
  const work = await memberWork(service);
  const { member, merchant, paid, operator } = work;
  const { page, close } = await app.open({ clock: true });
  const press = (key: string) => page.keyboard.press(key);

  // M1, and M2 at the first sign-in
  await reachByTab(page.getByLabel('Username'));
  await expectAccessible(page);
  await typeInto(page.getByLabel('Username'), member.username);
  await press('Tab');
  await typeInto(page.getByLabel('Password', { exact: true }), PASSWORD);
  await press('Enter');
  await page.getByRole('heading', { name: 'Set up alerts' }).waitFor();
  await pressButton(page, 'The icon is there');
  await page.getByText('They show amount and method').waitFor();
  await expectAccessible(page);
  await pressButton(page, 'Skip for now');

  // M3 and M4
  await page.getByText('Listening').waitFor();
  const { orderId } = await paid();
  const alarm = page.getByRole('alertdialog', { name: 'Money should be here' });
  await hasFocus(alarm.getByRole('button', { name: 'Open' }));
  await expectAccessible(page);
  await press('Enter');

  // M6 and M9
  await pressButton(page, 'Money is here');
  await hasFocus(page.getByLabel('Amount that arrived'));
  await page.keyboard.type('2500');
  await pressButton(page, 'Confirm PKR 2,500');
  await hasFocus(page.getByRole('button', { name: /^Yes, it is in/ }));
  expect(await page.getByText('Hold for a second, or tap').count()).toBe(0);
  await expectAccessible(page);
  await stopClock(page);
  await press('Enter');
  await page.getByText(/Sending in \d s/).waitFor();
  await page.clock.resume(); // the five seconds pass by themselves
  await expectAccessible(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  await expectAccessible(page);
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  expect(await balanceOf(work)).toBe(502_500);

  // M12
  await page.goto(`${service.url}/member/account/settings`);
  await page.getByText('This phone · signed in').waitFor();
  await pressButton(page, 'Sign out');
  await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Close' }));
  await press('Escape');
  await hasFocus(page.getByRole('button', { name: 'Sign out', exact: true }));
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await pressButton(page, 'Sign out');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect((await operator.get(`/members/${member.memberId}`)).data.online).toBe(true);
  await close();
});

test('a withdrawal is paid: details to copy, the transaction read back', async () => {
  await everybodyOffline(service);
  const work = await memberWork(service);
  const { member, merchant, payout } = work;
  const { orderId } = await payout();
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: /^Copy: Pay to this/ }).click();
  await page.getByRole('button', { name: /^Copied: Pay to this/ }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('03001234567');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'I have paid' }).click();
  await page.evaluate("navigator.clipboard.writeText('TX 99812 ')");
  await page.getByRole('button', { name: 'Paste' }).click();
  await page.getByText('PKR 4,200, transaction ID TX 99812.').waitFor();
  await expectAccessible(page);
  await stopClock(page);
  await page.getByRole('button', { name: 'Paid PKR 4,200' }).click();
  await sayYes(page, 'Yes, sent to 0300\u2060…\u2060567');
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  expect(await balanceOf(work)).toBe(495_800);
  await close();
});

test('of a pasted message only its transaction ID is sent; of two, the one that is chosen', async () => {
  await everybodyOffline(service);
  const { member, payout } = await memberWork(service);
  const { orderId } = await payout();
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: 'I have paid' }).click();
  const paste = async (text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.getByRole('button', { name: 'Paste' }).click();
  };
  const field = page.getByLabel('Transaction ID');
  await paste(
    'PKR 4,200 sent to 03001234567 at 07/06/2026 22:45. Fee Rs 1234. Balance Rs 2,245.00',
  );
  await page.getByText(en.pay.noId).waitFor();
  expect(await field.inputValue()).toBe('');
  await paste(`PKR 4,200 sent.\nTID: 28311906999\nBalance: Rs 2,245.00${' '.repeat(200)}`);
  await page.getByText('transaction ID 28311906999.').waitFor();
  expect(await page.getByText(en.pay.noId).count()).toBe(0);
  await paste('Ref TrxID 9AB8C7D6E5. Send Money Tk 500.00 successful. TrxID DCK1B9P81H');
  await page.getByText(en.pay.whichId).waitFor();
  expect(await field.inputValue()).toBe('');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'DCK1B9P81H' }).click();
  await page.getByText('transaction ID DCK1B9P81H.').waitFor();
  await field.fill('');
  await page.keyboard.insertText('Trx ID: 31500123456. Rs.3000.00 paid to ALI. Bal Rs. 912.33');
  await page.getByText('transaction ID 31500123456.').waitFor();
  await close();
});

test('a phone that refuses the clipboard copies all the same, or says that it has not', async () => {
  await everybodyOffline(service);
  const { member, payout } = await memberWork(service);
  const { orderId } = await payout({ customerAccountName: 'Ayesha  Khan' });
  const context = { permissions: ['clipboard-read'] };
  const { page, close } = await app.open({ who: member, path: `/orders/${orderId}`, context });
  await page.getByRole('button', { name: 'Copy: Name' }).click();
  await page.getByRole('button', { name: 'Copied: Name' }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('Ayesha  Khan');
  await page.evaluate('document.execCommand = () => false'); // a WebView without either
  await page.getByRole('button', { name: /^Copy: Pay to this/ }).click();
  await page.getByRole('button', { name: /^Not copied: Pay to this/ }).waitFor();
  await close();
});

test('a withdrawal warns in its last two minutes, and once its time is up leads to no transfer', async () => {
  await everybodyOffline(service);
  const { member, payout } = await memberWork(service);
  const order = await payout();
  const { page, context, close } = await app.openOrder(member, order);
  const account = page.getByRole('button', { name: /^Copy: Pay to this/ });
  const sending = page.getByRole('button', { name: 'I am paying this now' });
  await sending.waitFor();
  expect(await page.getByText(en.pay.littleTime).count()).toBe(0);
  const dueAt = Date.parse((await page.getByRole('timer').getAttribute('datetime')) ?? '');
  // Only the phone's own clock shows it, as when it wakes up without a network.
  await stopClock(page);
  await context.setOffline(true);
  await page.clock.fastForward(dueAt - service.app.deps.clock.now() - 90_000);
  await page.getByRole('alert').getByText(en.pay.littleTime).waitFor();
  expect([await account.count(), await sending.count()]).toEqual([1, 1]);
  await page.clock.fastForward(90_000);
  await page.getByRole('alert').getByText(en.pay.timeUp).waitFor();
  expect([await account.count(), await sending.count()]).toEqual([0, 0]);
  // Who has paid in time still says so.
  await page.getByRole('button', { name: 'I have paid' }).click();
  await page.getByLabel('Transaction ID').waitFor();
  await close();
});

test('the start reads what is in hand once, compressed', async () => {
  await everybodyOffline(service);
  const { member, paid, payout } = await memberWork(service);
  await paid();
  await payout();
  const { page, close } = await app.open({ who: member, path: '/account' });
  await page.getByText('PKR 200,000').first().waitFor();
  const [me, orders]: [Response[], Response[]] = [[], []];
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname === '/api/member/me') me.push(answer);
    if (pathname === '/api/member/orders') orders.push(answer);
  });
  await page.goto(`${service.url}/member/`);
  await expect.poll(() => [me.length, orders.length]).toEqual([1, 1]);
  // The event comes after all requests of the start and of the opened stream.
  const created = Date.now();
  const { orderId } = await payout({ amount: 777 });
  await page.locator(`a[href$="${orderId}"]`).first().waitFor();
  const ofStart = (answer: Response) => answer.request().timing().startTime < created;
  expect([me.filter(ofStart).length, orders.filter(ofStart).length]).toEqual([1, 1]);
  for (const answer of [...me, ...orders]) expect(answer.headers()['content-encoding']).toBe('br');
  await close();
});
