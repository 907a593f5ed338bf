import { afterAll, beforeAll, expect } from 'vitest';
import { startAppProxy } from '../../support/app-proxy.ts';
import { type AppWorker, appWorker, givePush, type Shown } from '../../support/app-worker.ts';
import {
  advance,
  everybodyOffline,
  signInMember,
  type TestMember,
} from '../../support/fixtures.ts';
import { memberWork, openMemberApp, PASSWORD } from '../../support/member-app.ts';
import { memberClient } from '../../support/member-client.ts';
import { type Phone, type PushService, startPushService } from '../../support/push-service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What a phone receives while the app is closed, and how it is set up for that. */

let phones: PushService;
const { test, service } = await serviceTest({ ALLOW_PRIVATE_CALLBACKS: '1' });
const proxy = await startAppProxy(service, {} as Shown);
const app = await openMemberApp(proxy);
const clientOf = async (member: TestMember) =>
  memberClient(service.url, await signInMember(service, member, PASSWORD));
beforeAll(async () => {
  const { member } = await memberWork(service, { online: false });
  const { publicKey } = await (await clientOf(member)).data('GET', '/push');
  phones = await startPushService(publicKey);
});
afterAll(async () => {
  await proxy.close();
  await phones.close();
});

/** A phone whose member is signed in, and that can be pushed to. */
async function freshPhone(path = '/') {
  await everybodyOffline(service);
  const work = await memberWork(service);
  const opened = await app.open({ who: work.member });
  const phone = phones.phone();
  await givePush(opened.context, proxy, phone);
  await opened.page.goto(`${proxy.url}/member${path}`);
  return { ...work, ...opened, phone };
}

/** The same, subscribed. */
async function subscribedPhone() {
  const opened = await freshPhone('/account/alerts');
  const { page } = opened;
  await page.getByRole('button', { name: 'Allow notifications' }).first().tap();
  await page.locator('.action').getByRole('button', { name: 'Allow notifications' }).tap();
  await page.locator('.step.done').waitFor();
  await page.goto(`${proxy.url}/member/`);
  await page.getByText('Listening').waitFor();
  return { ...opened, worker: await appWorker(opened.context, page, proxy) };
}

const notices = () => proxy.kept.notices;

/** What the service has pushed of it, given to the browser that it was encrypted for. */
async function deliver(worker: AppWorker, orderId: string): Promise<void> {
  const before = phones.pushed.length;
  await advance(service, 1);
  await phones.arrived(before + 1);
  const pushed = phones.pushed.find(({ payload }) => payload.orderId === orderId);
  await worker.push(pushed?.payload);
}

const subscribedEndpoints = async ({ memberId }: TestMember) =>
  (
    await service.database.pool.query(
      'select endpoint from push_subscriptions where member_id = $1 order by created_at',
      [memberId],
    )
  ).rows.map(({ endpoint }) => endpoint);
const endpointOf = ({ subscription }: Phone) => subscription.endpoint;

test('a phone is set up in five steps, and the test says how long its push took', async () => {
  const { page, context, member, phone, close } = await freshPhone();
  await page.getByText('Alerts: 5 steps to do').waitFor();
  await page.getByRole('link', { name: 'Set up' }).tap();
  const act = page.locator('.action');
  await act.getByRole('button', { name: 'The icon is there' }).tap();
  await act.getByRole('button', { name: 'Allow notifications' }).tap();
  await page.getByRole('button', { name: 'Xiaomi', pressed: true }).waitFor(); // it says Redmi 12
  await page.getByText('No restrictions').waitFor();
  expect(await subscribedEndpoints(member)).toEqual([endpointOf(phone)]);
  await page.getByRole('button', { name: 'Samsung' }).tap();
  await page.getByText('Unrestricted').waitFor();
  await act.getByRole('button', { name: 'I have done this' }).tap();
  await act.getByRole('button', { name: 'Play the alarm' }).tap();
  await act.getByRole('button', { name: 'I hear it well' }).tap();
  const worker = await appWorker(context, page, proxy);
  const before = phones.pushed.length;
  await act.getByRole('button', { name: 'Send a test' }).tap();
  await page.getByText(/^Sent\. Waiting for/).waitFor();
  await phones.arrived(before + 1);
  await worker.push(phones.pushed.at(-1)?.payload);
  await page
    .getByText(/^Seen after \d+\.\d s$/)
    .first()
    .waitFor();
  expect(notices()).toMatchObject([{ title: 'Alerts reach this phone' }]);
  await act.getByRole('button', { name: 'To your work' }).tap();
  await page.getByText('Listening').waitFor();
  expect(await page.getByText(/^Alerts:/).count()).toBe(0);
  await close();
});

test('with the app closed an order calls by its amount and method, and a tap opens it', async () => {
  const { page, payout, worker, close } = await subscribedPhone();
  await page.close();
  const { orderId } = await payout({ walletType: 'ProviderA' });
  await deliver(worker, orderId);
  const notice = { tag: orderId, title: 'A withdrawal to pay', silent: true };
  await expect
    .poll(notices)
    .toMatchObject([{ ...notice, body: 'PKR\u00a04,200 · ProviderA account' }]);
  expect(proxy.kept.badge).toBe(1);
  await worker.tap(orderId);
  await expect.poll(() => proxy.kept.opened).toBe(`${proxy.url}/member/orders/${orderId}`);
  await expect.poll(notices).toEqual([]);
  await close();
});

test('an app in front sounds the alarm itself, and nothing is notified beside it', async () => {
  const { page, payout, worker, close } = await subscribedPhone();
  const { orderId } = await payout();
  await deliver(worker, orderId);
  await page.getByRole('alertdialog', { name: 'A withdrawal to pay' }).waitFor();
  expect(await page.getByRole('alertdialog').count()).toBe(1);
  expect(notices()).toEqual([]);
  await close();
});

test('a tap leads on in the window that is open', async () => {
  const { page, worker, close } = await subscribedPhone();
  await worker.push({ orderId: 'any', kind: 'test', amount: '0', currency: 'PKR' });
  await expect.poll(notices).toHaveLength(1);
  await worker.tap('test');
  await page.getByRole('heading', { name: 'Set up alerts' }).waitFor();
  expect(proxy.kept.opened).toBe(null);
  await close();
});

test('a subscription that the browser changes is sent to the service', async () => {
  const { member, phone, worker, close } = await subscribedPhone();
  const next = phones.phone();
  await worker.changeSubscription(phone, next);
  await expect.poll(() => subscribedEndpoints(member)).toContain(endpointOf(next));
  await close();
});

test('signing out leaves nothing of customers or orders on the phone, and ends its pushes', async () => {
  const { page, member, payout, close } = await subscribedPhone();
  await payout();
  await page.getByRole('button', { name: 'Seen' }).tap();
  await page.goto(`${proxy.url}/member/account/settings`);
  const other = await page.context().newPage();
  await other.goto(`${proxy.url}/member/`);
  await other.getByRole('link', { name: 'PKR 4,200' }).waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).tap();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expect
    .poll(() =>
      page.evaluate(`new Promise((resolve, reject) => {
        const opening = indexedDB.open('munshi-member');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = async () => {
          const stores = [...opening.result.objectStoreNames];
          const transaction = opening.result.transaction(stores);
          const counts = stores.map((name) => transaction.objectStore(name).count());
          transaction.oncomplete = () => resolve(counts.map(({ result }) => result));
        };
      })`),
    )
    .toEqual([0, 0, 0]);
  expect(
    await page.evaluate(
      'navigator.serviceWorker.ready.then(({ pushManager }) => pushManager.getSubscription())',
    ),
  ).toBe(null);
  expect((await (await clientOf(member)).data('GET', '/push')).phones).toEqual([]);
  expect(notices()).toEqual([]);
  await close();
});

test('another password, which is another sign-in, keeps the phone within reach', async () => {
  const { page, member, close } = await subscribedPhone();
  const other = await clientOf(member);
  await page.goto(`${proxy.url}/member/account/settings`);
  await page.getByRole('button', { name: 'Change password' }).tap();
  await page.getByLabel('Present password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('lanterns over Dhaka');
  await page.getByRole('button', { name: 'Save password' }).tap();
  await page.getByText('Your password is changed. Other phones are signed out.').waitFor();
  expect((await other.call('GET', '/push')).status).toBe(401);
  const changed = memberClient(
    service.url,
    await signInMember(service, member, 'lanterns over Dhaka'),
  );
  await expect
    .poll(async () => (await changed.data('GET', '/push')).phones)
    .toMatchObject([{ current: false, lastError: null }]);
  await close();
});
