import { afterAll, expect } from 'vitest';
import { startAppProxy } from '../../support/app-proxy.ts';
import { appWorker, givePush, type Shown } from '../../support/app-worker.ts';
import { advance, everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import {
  confirmDeposit,
  confirmOffline,
  memberWork,
  openMemberApp,
  passUndo,
} from '../../support/member-app.ts';
import { startPushService } from '../../support/push-service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What happens to actions while no window is open, and to windows while another build comes. */

const { test, service } = await serviceTest();
const proxy = await startAppProxy(service, {} as Shown);
const app = await openMemberApp(proxy);
const phones = await startPushService('');
afterAll(async () => {
  await proxy.close();
  await phones.close();
});

/** A phone with a deposit that its member has confirmed without a network, and the app closed. */
async function closedWithDecision() {
  await everybodyOffline(service);
  const work = await memberWork(service);
  const order = await work.paid();
  const opened = await app.openOrder(work.member, order);
  const { page, context } = opened;
  await givePush(context, proxy, phones.phone());
  await page.reload();
  const worker = await appWorker(context, page, proxy);
  await confirmOffline(opened);
  await page.close();
  await context.setOffline(false);
  const status = () => orderStatus(work.merchant, order.orderId);
  return { ...opened, worker, status };
}

test('an action of an app that is closed is sent when the network is back, and shown as one’s own', async () => {
  const { context, worker, status, close } = await closedWithDecision();
  await worker.sync();
  await expect.poll(async () => (await status()).status).toBe('Completed');
  const again = await context.newPage();
  await again.goto(`${proxy.url}/member/`);
  await again.getByText('Listening').waitFor();
  expect(await again.getByText(/by operations|Is it still right/).count()).toBe(0);
  expect(proxy.kept.notices).toEqual([]);
  await close();
});

test('an action that has become late meanwhile is not sent: the phone asks', async () => {
  const { context, worker, status, close } = await closedWithDecision();
  await advance(service, 6 * 60);
  await worker.sync();
  await expect
    .poll(() => proxy.kept.notices)
    .toMatchObject([{ title: 'Not sent yet: is it still right?', body: 'Confirm PKR\u00a02,500' }]);
  expect((await status()).stage).toBe('Sent');
  const again = await context.newPage();
  await again.goto(`${proxy.url}/member/`);
  const refuse = again.getByRole('button', { name: 'Do not send' });
  await refuse.click();
  await refuse.waitFor({ state: 'detached' });
  expect((await status()).stage).toBe('Sent');
  await close();
});

test('a newer build waits while an order is open, and is used when somebody says so', async () => {
  await everybodyOffline(service);
  const { member, paid } = await memberWork(service);
  const { page, close } = await app.openOrder(member, await paid());
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  await page.reload(); // a worker serves the pages that come after it
  await page.getByRole('button', { name: 'Money is here' }).click();
  await page.getByLabel('Amount that arrived').fill('25');
  await page.evaluate('globalThis.thisPage = true');
  proxy.prepend('// another build');
  await page.evaluate(`navigator.serviceWorker.ready.then(async (registration) => {
    await registration.update();
    const next = registration.installing ?? registration.waiting;
    while (next.state === 'installing') await new Promise((resolve) => { next.onstatechange = resolve; });
  })`);
  expect(
    await page.evaluate('navigator.serviceWorker.ready.then(({ waiting }) => waiting?.state)'),
  ).toBe('installed');
  expect(await page.getByLabel('Amount that arrived').inputValue()).toBe('25');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: /^Work/ }).click();
  await page.getByRole('link', { name: 'PKR 2,500' }).waitFor();
  expect(await page.getByText('A newer version is ready.').count()).toBe(0);
  await page.getByRole('link', { name: 'PKR 2,500' }).click();
  await confirmDeposit(page);
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'To your work' }).click();
  await page.getByText('A newer version is ready.').waitFor();
  expect(await page.evaluate('globalThis.thisPage')).toBe(true);
  await page.getByRole('button', { name: 'Use it now' }).click();
  await expect.poll(() => page.evaluate('globalThis.thisPage')).toBe(undefined);
  await page.getByText('Listening').waitFor();
  expect(await page.evaluate('navigator.serviceWorker.ready.then(({ waiting }) => waiting)')).toBe(
    null,
  );
  await close();
});
