import { expect } from 'vitest';
import { everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import { confirmDeposit, memberWork, openMemberApp, passUndo } from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

const openPaid = async () => {
  await everybodyOffline(service);
  const { member, merchant, paid } = await memberWork(service);
  const { orderId } = await paid();
  return { ...(await app.openOrder(member, { orderId })), merchant, orderId };
};

test('a phone that can keep nothing shows its orders, says so, and sends what is done', async () => {
  const { page, context, merchant, orderId, close } = await openPaid();
  await context.addInitScript(`IDBFactory.prototype.open = () => {
    throw new DOMException('Internal error.', 'UnknownError');
  }`);
  await page.reload();
  await confirmDeposit(page);
  await page.getByText('Could not be kept on this phone.').waitFor();
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});

test('an action is sent and kept where the browser has closed its storage', async () => {
  const { page, context, merchant, orderId, close } = await openPaid();
  await context.addInitScript(`{
    const begin = IDBDatabase.prototype.transaction;
    window.closeStorage = () => {
      IDBDatabase.prototype.transaction = function (...of) {
        IDBDatabase.prototype.transaction = begin;
        this.close();
        return begin.apply(this, of);
      };
    };
  }`);
  await page.reload();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  await page.evaluate('closeStorage()');
  await confirmDeposit(page);
  expect(await page.getByText('Could not be kept on this phone.').count()).toBe(0);
  await page.evaluate('closeStorage()');
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});

test('an action that cannot be made says so, and can be tried again', async () => {
  const { page, merchant, orderId, close } = await openPaid();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  await page.evaluate(`{
    const make = crypto.randomUUID;
    crypto.randomUUID = () => {
      crypto.randomUUID = make;
      throw new Error('Not now.');
    };
  }`);
  await page.getByRole('button', { name: 'Money is here' }).click();
  await page.getByLabel('Amount that arrived').fill('2500');
  const confirm = page.getByRole('button', { name: 'Confirm PKR 2,500' });
  const yes = page.getByRole('button', { name: /^Yes, it is in/ });
  await confirm.click();
  await page.clock.fastForward(600); // the thumb has settled
  await yes.click();
  await page.getByText('That did not work. Try again in a moment.').waitFor();
  await confirm.click();
  await page.clock.fastForward(600);
  await yes.click();
  await page.getByText(/Sending in \d s/).waitFor();
  expect((await orderStatus(merchant, orderId)).stage).toBe('Sent');
  await close();
});
