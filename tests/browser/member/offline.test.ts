import { expect } from 'vitest';
import { stopClock } from '../../support/browser.ts';
import { advance, everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import {
  confirmDeposit,
  confirmOffline,
  memberWork,
  openMemberApp,
  passUndo,
} from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

/** By the link that leads to it from the one before. */
const SCREENS = [
  ['History', 'History'],
  ['Account', 'Account'],
  ['Settings', 'Settings'],
] as const;

const freshWork = async () => {
  await everybodyOffline(service);
  return memberWork(service);
};

test('a network that goes away in the middle of an action costs nothing: it is sent when it is back', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const opened = await app.openOrder(member, { orderId });
  const { page, context, close } = opened;
  await confirmOffline(opened);
  expect((await orderStatus(merchant, orderId)).stage).toBe('Sent');
  await context.setOffline(false);
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});

test('an action that waits for a network can be taken back', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const opened = await app.openOrder(member, { orderId });
  const { page, context, close } = opened;
  await confirmOffline(opened);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  await context.setOffline(false);
  // What is done next is sent, and what was taken back is not.
  await page.getByRole('button', { name: 'The money is not here' }).waitFor();
  expect((await orderStatus(merchant, orderId)).stage).toBe('Sent');
  await close();
});

test('an app that is closed while an action can be undone asks at its next opening', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, context, close } = await app.openOrder(member, { orderId });
  await confirmDeposit(page);
  await page.close();
  await context.clock.resume();
  const again = await context.newPage();
  await again.goto(`${service.url}/member/`);
  await again
    .getByText(/“Confirm PKR\s2,500” of .* was not sent\. Is it still right\?/)
    .first()
    .waitFor();
  expect((await orderStatus(merchant, orderId)).stage).toBe('Sent');
  await again.getByRole('button', { name: 'Send now' }).first().click();
  await expect.poll(async () => (await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});

test('an action that comes late asks before it is sent, and is dropped when somebody says so', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const opened = await app.openOrder(member, { orderId });
  const { page, context, close } = opened;
  await confirmOffline(opened);
  await advance(service, 6 * 60); // for the service, six minutes have passed
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Do not send' }).click();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  expect((await orderStatus(merchant, orderId)).stage).toBe('Sent');
  await close();
});

test('what was done on another phone counts as done on this one', async () => {
  const { member, merchant, paid } = await freshWork();
  const { orderId } = await paid();
  const path = `/orders/${orderId}`;
  const [one, other] = await Promise.all([
    app.open({ who: member, path, clock: true }),
    app.open({ who: member, path, clock: true }),
  ]);
  await confirmDeposit(one.page);
  await confirmDeposit(other.page);
  await passUndo(one.page);
  await one.page.getByText('Completed', { exact: true }).waitFor();
  await passUndo(other.page);
  await other.page.getByText('Completed', { exact: true }).waitFor();
  expect(await other.page.getByText('This was not accepted').count()).toBe(0);
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await Promise.all([one.close(), other.close()]);
});

test('a report that comes late is not dropped because operators have the order by then', async () => {
  const { member, operator, payout } = await freshWork();
  const { orderId } = await payout();
  const opened = await app.openOrder(member, { orderId });
  const { page, context, close } = opened;
  await page.getByRole('button', { name: 'Something is wrong' }).click();
  await page.getByText('Not sure whether it was sent').click();
  await stopClock(page);
  await page.getByRole('button', { name: 'Tell operations' }).click();
  await context.setOffline(true);
  await passUndo(page);
  await page.getByText('Will be sent when you are online.').waitFor();
  await operator.post(`/orders/${orderId}/escalate`, { note: 'The customer called.' });
  await advance(service, 6 * 60);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Send now' }).click();
  const reports = async () =>
    (await operator.get(`/orders/${orderId}`)).data.timeline.filter(
      ({ about }: { readonly about?: string }) => about === 'report',
    ).length;
  await expect.poll(reports).toBe(1);
  await close();
});

test('deadlines count by the service’s clock, regardless of the phone’s', async () => {
  const { member, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, close } = await app.open({ who: member, clock: true });
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.goto(`${service.url}/member/orders/${orderId}`);
  await page.getByText('Customer says paid').waitFor();
  await page.getByRole('timer', { name: /^(29|30):\d\d left$/ }).waitFor();
  await confirmDeposit(page);
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  await close();
});

test('deadlines count by the service’s clock when the app is opened again without a network', async () => {
  const { member, paid } = await freshWork();
  const { orderId } = await paid();
  const { page, context, close } = await app.open({ who: member, clock: true });
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.goto(`${service.url}/member/orders/${orderId}`);
  const left = page.getByRole('timer', { name: /^(29|30):\d\d left$/ });
  await left.waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  await page.reload(); // a worker serves the pages that come after it
  await left.waitFor();
  await context.setOffline(true);
  await page.reload();
  await left.waitFor();
  await context.setOffline(false);
  await close();
});

test('every screen says that there is no network', async () => {
  const { member, paid } = await freshWork();
  await paid();
  const { page, context, close } = await app.open({ who: member });
  await page.getByRole('link', { name: 'PKR 2,500' }).waitFor();
  for (const [link, heading] of SCREENS) {
    await page.getByRole('link', { name: link }).first().click();
    await page.getByRole('heading', { name: heading }).first().waitFor();
  }
  await page.getByRole('link', { name: 'Work' }).click();
  await context.setOffline(true);
  const bar = page.getByText('No network. What you see may be old.');
  await bar.waitFor();
  for (const [link, heading] of SCREENS) {
    await page.getByRole('link', { name: link }).first().click();
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await bar.waitFor();
  }
  await page.getByRole('link', { name: 'Work' }).click();
  await page.getByRole('link', { name: 'PKR 2,500' }).click();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  await bar.waitFor();
  await context.setOffline(false);
  await bar.waitFor({ state: 'detached' });
  await close();
});

test('without network the app says how old it is, and goes on showing what is in hand', async () => {
  const { member, paid } = await freshWork();
  await paid();
  const { page, context, close } = await app.open({ who: member });
  await page.getByRole('link', { name: 'PKR 2,500' }).waitFor();
  await context.setOffline(true);
  await page.getByText('No network. What you see may be old.').waitFor();
  await page.getByRole('link', { name: 'PKR 2,500' }).click();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  await close();
});

test('once it was there, the app opens without a network, with what was last known', async () => {
  const { member, paid } = await freshWork();
  await paid();
  const { page, context, close } = await app.open({ who: member });
  await page.getByRole('link', { name: 'PKR 2,500' }).waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  await page.reload(); // a worker serves the pages that come after it
  await page.getByRole('link', { name: 'PKR 2,500' }).waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.getByText('No network. What you see may be old.').waitFor();
  await page.getByRole('link', { name: 'PKR 2,500' }).waitFor();
  const kept = await page.evaluate<string[]>(
    `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name))))
      .then((caches) => Promise.all(caches.map((cache) => cache.keys())))
      .then((lists) => lists.flat().map(({ url }) => new URL(url).pathname))`,
  );
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter((address) => !address.startsWith('/member/'))).toEqual([]);
  await context.setOffline(false);
  await close();
});
