import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { bn } from '../../../apps/member/src/texts/bn.ts';
import { en } from '../../../apps/member/src/texts/en.ts';
import { hi } from '../../../apps/member/src/texts/hi.ts';
import { ur } from '../../../apps/member/src/texts/ur.ts';
import { stopClock } from '../../support/browser.ts';
import { advance, everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import {
  confirmDeposit,
  LANGUAGES,
  memberWork,
  openMemberApp,
  passUndo,
  sayYes,
} from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

const freshWork = async () => {
  await everybodyOffline(service);
  return memberWork(service);
};

const focused = (page: Page, label: string) =>
  page.getByLabel(label).and(page.locator(':focus')).waitFor();

test('a deposit is confirmed with two taps and one number', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: 'Money is here' }).tap();
  await focused(page, 'Amount that arrived');
  await page.keyboard.type('2500'); // nothing stands in it
  const confirm = page.getByRole('button', { name: 'Confirm PKR 2,500' });
  await confirm.tap({ trial: true }); // the sheet has settled
  const box = await confirm.boundingBox();
  const hand = await page.context().newCDPSession(page);
  const at = [{ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 20 }];
  await stopClock(page);
  await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at });
  await page.locator('button.holding').waitFor();
  await page.clock.fastForward(1_000); // held for a second
  await page.getByText(/Sending in \d s/).waitFor();
  await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});

test.for(LANGUAGES)(
  'the second question names each reason of a rejection, in %s',
  async (language) => {
    const { member, paid } = await freshWork();
    const { orderId } = await paid();
    const path = `/orders/${orderId}`;
    const { page, close } = await app.open({ who: member, path, language, clock: true });
    const { reject, back } = TEXTS[language];
    await page.getByRole('button', { name: reject.link }).click();
    await page.getByRole('dialog').waitFor();
    await stopClock(page);
    for (const reason of REASONS) {
      await page.getByRole('radio', { name: reject.reasons[reason], exact: true }).check();
      if (reason === 'other') await page.getByLabel(reject.words).fill('It is a test.');
      await page.locator('button.danger.hold').click();
      const sure = page.locator('button.danger.sure');
      await expect.poll(() => sure.innerText()).toBe(reject.sure[reason]);
      await sayYes(page, new RegExp(`^${back}$`));
      await sure.waitFor({ state: 'detached' });
    }
    await close();
  },
);
const TEXTS = { en, ur, hi, bn };
const REASONS = Object.keys(en.reject.reasons) as (keyof typeof en.reject.reasons)[];

test('the digits of 5C8300HJ6V are shown as what its end is without letters', async () => {
  const { member, paid } = await freshWork();
  const { page, close } = await app.openOrder(member, await paid('3006'));
  await page.getByText('Transaction ID without its letters ends in').waitFor();
  await page.getByRole('img', { name: 'digits 3 0 0 6' }).waitFor();
  await close();
});

test('on Work digits are read as such, and the links of equal amounts differ', async () => {
  const { member, paid } = await freshWork();
  const orders = [await paid('4821'), await paid('4822')];
  const { page, close } = await app.open({ who: member });
  for (const { orderReference } of orders)
    await page
      .getByRole('link', { name: `PKR 2,500 Order ${orderReference.slice(-6)}`, exact: true })
      .waitFor();
  for (const name of ['digits 4 8 2 1', 'digits 4 8 2 2'])
    await page.getByRole('img', { name, exact: true }).waitFor();
  await close();
});

test.for([
  ['a UPI ID', { customerAccountNumber: 'ayesha@okhdfcbank' }, 'Open your UPI app and paste'],
  ['a bank account', { walletType: 'BankAccount' }, 'Open your bank’s app and paste'],
  ['a wallet', { walletType: 'ProviderB' }, 'Open ProviderB and paste'],
] as const)('%s is pasted in the app that takes it', async ([, body, hint]) => {
  const { member, payout } = await freshWork();
  const { page, close } = await app.openOrder(member, await payout(body));
  await page.getByText(hint, { exact: true }).waitFor();
  await close();
});

test('another amount than the order’s cannot be confirmed, and the difference is said', async () => {
  const { member, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: 'Money is here' }).click();
  const amount = page.getByLabel('Amount that arrived');
  const confirm = page.getByRole('button', { name: 'Confirm PKR 2,500' });
  expect(await confirm.isDisabled()).toBe(true);
  await amount.fill('2,000');
  await page.getByText('PKR 500 less than PKR 2,500.').waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await amount.fill('2500.0001');
  await page.getByText('PKR 0.0001 more than PKR 2,500.').waitFor();
  await amount.fill('2,50,0');
  await page.getByText('This is not an amount.').waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await amount.fill('۲۵۰۰٫۰۰');
  await confirm.click();
  await page.getByRole('button', { name: /^Yes, it is in 03\d\d\u2060…\u2060\d{3}/ }).waitFor();
  await close();
});

test('what comes in of a deposit of 200.7647 is 200.77, which confirms it', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid('4821', { amount: 200.7647 });
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByText('PKR 200.77', { exact: true }).waitFor();
  await page.getByText('Order PKR 200.7647').waitFor();
  await page.getByRole('button', { name: 'Money is here' }).click();
  const amount = page.getByLabel('Amount that arrived');
  await amount.fill('200.76');
  await page.getByText('PKR 0.01 less than PKR 200.77.').waitFor();
  await amount.fill('200.77');
  await stopClock(page);
  await page.getByRole('button', { name: 'Confirm PKR 200.77' }).click();
  await sayYes(page, /^Yes, it is in/);
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});

test('of a withdrawal of 200.7647 the member pays 200.76', async () => {
  const { member, payout } = await freshWork();
  const { orderId } = await payout({ amount: 200.7647 });
  const { page, close } = await app.open({ who: member });
  await page.getByText('PKR 200.76', { exact: true }).click();
  await page.waitForURL(`**/orders/${orderId}`);
  await page.getByText('Order PKR 200.7647').waitFor();
  await page.getByRole('button', { name: 'I have paid' }).click();
  await page.getByRole('button', { name: 'Paid PKR 200.76' }).waitFor();
  await close();
});

test.for([100, 250])('a thumb that taps twice within %i ms confirms nothing', async (pause) => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, close, seen } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: 'Money is here' }).click();
  await page.getByLabel('Amount that arrived').fill('2500');
  const first = page.getByRole('button', { name: 'Confirm PKR 2,500' });
  await first.tap({ trial: true }); // the sheet has settled
  const box = await first.boundingBox();
  const at = {
    x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
    y: (box?.y ?? 0) + (box?.height ?? 0) / 2,
  };
  await stopClock(page);
  await page.touchscreen.tap(at.x, at.y);
  const yes = page.getByRole('button', { name: /^Yes, it is in/ });
  await yes.waitFor();
  await page.clock.runFor(pause);
  await page.touchscreen.tap(at.x, at.y);
  // Where the first button was is the way back.
  const back = await page.getByRole('button', { name: 'Back', exact: true }).last().boundingBox();
  const middle = (back?.y ?? 0) + (back?.height ?? 0) / 2;
  expect(Math.abs(middle - at.y)).toBeLessThan(10);
  const second = await yes.boundingBox();
  await page.touchscreen.tap((second?.x ?? 0) + 20, (second?.y ?? 0) + 20);
  await page.clock.runFor(600 - pause);
  await yes.waitFor();
  expect(await page.getByText(/Sending in \d s/).count()).toBe(0);
  expect(seen.requests.filter((url) => url.endsWith('/confirm'))).toEqual([]);
  expect((await orderStatus(merchant, orderId)).stage).toBe('Sent');
  await yes.tap();
  await page.getByText(/Sending in \d s/).waitFor();
  await close();
});

test('an action that is undone within its five seconds is not sent', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, close, seen } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: 'The money is not here' }).click();
  await page.getByText('Another sender').click();
  await stopClock(page);
  await page.getByRole('button', { name: 'Reject PKR 2,500' }).click();
  await sayYes(page, 'Yes, another sender');
  await page.getByText(/Sending in \d s/).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  expect((await orderStatus(merchant, orderId)).stage).toBe('Sent');
  expect(seen.requests.filter((url) => url.endsWith('/reject'))).toEqual([]);
  await close();
});

test('the seconds in which an action can be undone are not read out one by one', async () => {
  const { member, paid } = await freshWork();
  const { page, close } = await app.openOrder(member, await paid());
  await confirmDeposit(page);
  const read = page.getByRole('status').filter({ hasText: 'Confirm PKR 2,500' });
  expect(await read.innerText()).toMatch(/^Confirm PKR\s2,500$/);
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  await close();
});

test('a rejection names its reason, and the order says what became of it', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: 'The money is not here' }).click();
  await page.getByText('It was taken back').click();
  await stopClock(page);
  await page.getByRole('button', { name: 'Reject PKR 2,500' }).click();
  await sayYes(page, 'Yes, it was taken back');
  await passUndo(page);
  await page.getByText('Rejected', { exact: true }).waitFor();
  await page.getByText('It was taken back').waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Rejected');
  await close();
});

test('what is wrong with a withdrawal goes to operations, and is not paid any more', async () => {
  const { member, merchant, payout } = await freshWork();
  const { orderId } = await payout();
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: 'Something is wrong' }).click();
  await page.getByText('Not sure whether it was sent').click();
  await stopClock(page);
  await page.getByRole('button', { name: 'Tell operations' }).click();
  await passUndo(page);
  await page.getByText('Operations are looking at this order.').waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('ManualReview');
  await close();
});

test('a deposit that its customer has not paid is given back', async () => {
  const { member, merchant, waiting } = await freshWork();
  const { orderId } = await waiting();
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByText('Do not confirm anything now.').waitFor();
  await page.getByRole('button', { name: 'Give back' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('I have to go').click();
  await stopClock(page);
  await sheet.getByRole('button', { name: 'Give back' }).click();
  await passUndo(page);
  await page.getByText('Cancelled', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Cancelled');
  await close();
});

test('a tap beside a sheet closes it, and not once something is filled in', async () => {
  const { member, payout } = await freshWork();
  const { page, close } = await app.openOrder(member, await payout());
  const sheet = page.getByRole('dialog');
  const tapBeside = () => page.touchscreen.tap(20, 20);
  const open = async () => {
    await page.getByRole('button', { name: 'I have paid' }).tap();
    await page.getByLabel('Transaction ID').tap({ trial: true }); // the sheet has settled
  };
  await open();
  await tapBeside();
  await sheet.waitFor({ state: 'detached' });
  await open();
  await page.getByLabel('Transaction ID').fill('TX4711');
  await tapBeside();
  await sheet.getByRole('button', { name: 'Close' }).tap({ trial: true });
  expect(await page.getByLabel('Transaction ID').inputValue()).toBe('TX4711');
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await sheet.waitFor({ state: 'detached' });
  await close();
});

test('a decision that an operator has overtaken is refused, and the page shows what the order became', async () => {
  const { member, operator, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, close } = await app.openOrder(member, { orderId });
  await page.getByRole('button', { name: 'Money is here' }).click();
  await focused(page, 'Amount that arrived');
  await page.keyboard.type('2500');
  await stopClock(page);
  await page.getByRole('button', { name: 'Confirm PKR 2,500' }).click();
  await sayYes(page, /^Yes, it is in/);
  await operator.post(`/orders/${orderId}/escalate`, { note: 'The customer called.' });
  await passUndo(page);
  await page.getByText('This was not accepted: The order has moved on.').waitFor();
  await page.getByText('Operations are looking at this order.').waitFor();
  await page.getByRole('button', { name: 'Understood' }).click();
  await page.getByText('This was not accepted').waitFor({ state: 'detached' });
  await close();
});

test('a transaction ID that was not accepted stays, to be corrected and sent again', async () => {
  const { member, merchant, payout, submit } = await freshWork();
  const { memberId } = member;
  const paid = { kind: 'member-confirm', commandId: randomUUID(), memberId } as const;
  const taken = { ...paid, receivedAmount: null, transactionReference: '8123991' };
  await submit({ ...taken, orderId: (await payout()).orderId });
  const { orderId } = await payout();
  const { page, close } = await app.openOrder(member, { orderId });
  const pay = page.getByRole('button', { name: 'I have paid' });
  const reference = page.getByLabel('Transaction ID');
  const send = async (typed: string) => {
    await reference.fill(typed);
    await stopClock(page);
    await page.getByRole('button', { name: 'Paid PKR 4,200' }).click();
    await sayYes(page, /^Yes, sent to/);
    await passUndo(page);
  };
  await pay.click();
  await send('8123991');
  const refused = page.getByText('This was not accepted');
  await refused.waitFor();
  await page.getByText('Transaction ID: 8123991').waitFor();
  await pay.click();
  expect(await reference.inputValue()).toBe('8123991');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Understood' }).click();
  await refused.waitFor({ state: 'detached' });
  await pay.click();
  expect(await reference.inputValue()).toBe('8123991');
  await send('8123990');
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});

test('what was chosen and typed for a rejection that is undone stays, to be corrected', async () => {
  const { member, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, close } = await app.openOrder(member, { orderId });
  const link = page.getByRole('button', { name: 'The money is not here' });
  const typed = page.getByLabel('In a few words');
  await link.click();
  await page.getByText('Something else').click();
  await typed.fill('Came in two parts.');
  await stopClock(page);
  await page.getByRole('button', { name: 'Reject PKR 2,500' }).click();
  await sayYes(page, 'Yes, reject it');
  await page.getByRole('button', { name: 'Undo' }).click();
  await link.click();
  expect(await typed.inputValue()).toBe('Came in two parts.');
  await close();
});

async function reportPaid(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'I have paid it' }).click();
  await page.getByRole('dialog').getByText('I have paid it already').click();
  await stopClock(page);
  await page.getByRole('button', { name: 'Tell operations' }).click();
  await passUndo(page);
  await page.getByText('Operations are looking at this order.').waitFor();
}

test('a payout window that ends takes the order away, and the card says so until it is tapped away', async () => {
  const { member, payout } = await freshWork();
  const { orderId } = await payout({ amount: 4321 });
  const { page, close } = await app.open({ who: member, clock: true });
  await page.getByRole('link', { name: 'PKR 4,321' }).waitFor();
  await memberWork(service); // another member who can pay it
  await advance(service, 3600);
  await page.getByText('Went to another member. If you have paid it, say so.').waitFor();
  await page.reload();
  await page.getByText('Went to another member.').waitFor();
  await page.getByRole('link', { name: 'PKR 4,321' }).click();
  expect(new URL(page.url()).pathname).toBe(`/member/orders/${orderId}`);
  await reportPaid(page);
  await close();
});

test('a withdrawal that is handed on while its confirmation is on its way says so, and can be reported', async () => {
  const { member, payout } = await freshWork();
  const { page, close } = await app.openOrder(member, await payout());
  await page.getByRole('button', { name: 'I have paid' }).click();
  await page.getByLabel('Transaction ID').fill('8123990');
  await page.route('**/confirm', (route) => route.abort('internetdisconnected'));
  const tried = page.waitForRequest('**/confirm');
  await stopClock(page);
  await page.getByRole('button', { name: 'Paid PKR 4,200' }).click();
  await sayYes(page, /^Yes, sent to/);
  await passUndo(page);
  await tried;
  await memberWork(service); // another member who can pay it
  await advance(service, 3600);
  await page.getByText('was not sent. Is it still right?').waitFor();
  await page.getByRole('link', { name: 'Work' }).click();
  const card = page.locator('.gone');
  await card.getByText('Went to another member. If you have paid it, say so.').waitFor();
  await card.getByRole('link', { name: 'PKR 4,200' }).click();
  await page.getByText('was not sent. Is it still right?').waitFor();
  await reportPaid(page);
  await close();
});

test('a withdrawal that another member has completed sends its first one to the operator', async () => {
  const { member, payout } = await freshWork();
  const { orderId } = await payout();
  const { page, close } = await app.open({ who: member, path: `/orders/${orderId}` });
  await page.getByRole('button', { name: 'I have paid' }).waitFor();
  const other = await memberWork(service);
  await advance(service, 3600);
  await page.reload();
  await page.getByText(en.order.handedOver).waitFor();
  const { memberId } = other.member;
  const confirm = { kind: 'member-confirm', commandId: randomUUID(), orderId, memberId } as const;
  await other.submit({ ...confirm, receivedAmount: null, transactionReference: 'TX 1' });
  await page.reload();
  await page.getByText(en.order.handedOverEnd).waitFor();
  expect(await page.getByText(en.order.handedOver).count()).toBe(0);
  await close();
});
