import { expect } from 'vitest';
import { en } from '../../../apps/member/src/find/texts/en.ts';
import { stopClock } from '../../support/browser.ts';
import { everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import { memberWork, openMemberApp, passUndo, sayYes } from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';
import type { AppWindow } from '../../support/web-app.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

await everybodyOffline(service);
const work = await memberWork(service, { maxOpenOrders: 60, float: '2000000' });
const { member, merchant } = work;
const amountOf = (at: number) => 1_000 + 10 * at;
const orders = [];
for (let at = 0; at < 40; at += 1)
  orders.push(await work.paid(String(4_000 + at), { amount: amountOf(at) }));
const [about, other] = [orders[23], orders[24]] as [(typeof orders)[0], (typeof orders)[0]];
/** The message about order 23: `PKR 1,230`, ID …4023. */
const MESSAGE =
  'You have received Rs. 1,230.00 from AHMED RAZA\n03001234567. TID: 28311904023. Balance: Rs. 10,640.55';

const cards = ({ page }: AppWindow) => page.locator('.find .card.order');
const paste = async ({ page }: AppWindow, text: string) => {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.getByRole('button', { name: en.paste, exact: true }).click();
};
/** As the system sends it to the manifest's `share_target`. */
const share = (text: string) => `
  const form = document.createElement('form');
  Object.assign(form, { method: 'POST', enctype: 'multipart/form-data', action: '/member/shared' });
  const field = document.createElement('textarea');
  Object.assign(field, { name: 'text', value: ${JSON.stringify(text)} });
  form.append(field);
  document.body.append(form);
  form.submit();
`;
const openWork = () => app.open({ who: member, clock: true });
const kept = ({ page }: AppWindow) =>
  page.evaluate<string>(
    `(async () => JSON.stringify({ ...localStorage, ...sessionStorage }) + JSON.stringify(await Promise.all(
      (await indexedDB.databases()).map(({ name }) => new Promise((resolve) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => {
          const { result } = opening;
          const stores = [...result.objectStoreNames];
          Promise.all(stores.map((store) => new Promise((read) => {
            const all = result.transaction(store).objectStore(store).getAll();
            all.onsuccess = () => read(all.result);
          }))).then(resolve);
        };
      })))))()`,
  );

test('from a message to its order among 40 in two taps; the ID that was read goes with the confirmation', async () => {
  const opened = await openWork();
  const { page, close } = opened;
  await page.locator('.card.order').nth(39).waitFor();
  await paste(opened, MESSAGE);
  await page.getByText(en.forged).waitFor();
  expect(await page.locator('.find .fits').first().innerText()).toBe('Amount\nDigits');
  await cards(opened).first().locator('a').click();
  await page.waitForURL(`**/orders/${about.orderId}`);
  expect(await kept(opened)).not.toContain('28311904023');
  await page.getByRole('button', { name: 'Money is here' }).click();
  const amount = page.getByLabel('Amount that arrived');
  expect(await amount.inputValue()).toBe('');
  await page.getByText('Transaction ID 28311904023, from the message, goes with it.').waitFor();
  await amount.fill('1230');
  await stopClock(page);
  await page.getByRole('button', { name: 'Confirm PKR 1,230' }).click();
  await sayYes(page, /^Yes, it is in/);
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  await page.getByText('28311904023').waitFor();
  await close();
});

test('what was pasted is forgotten when an order opens and when the app is hidden', async () => {
  const opened = await openWork();
  const { page, context, close } = opened;
  await cards(opened).first().waitFor({ state: 'detached' });
  await paste(opened, MESSAGE.replaceAll('23', '24'));
  await cards(opened).first().locator('a').click();
  await page.waitForURL(`**/orders/${other.orderId}`);
  await page.goBack();
  const field = page.getByLabel(en.label);
  await expect.poll(() => field.inputValue()).toBe('');
  await paste(opened, MESSAGE);
  await page.getByText(en.forged).waitFor();
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
  await expect.poll(() => field.inputValue()).toBe('');
  expect(context.pages()).toHaveLength(1);
  await close();
});

test.each([
  [
    'an edited amount',
    'Rs. 1,250.00',
    '28311904024',
    /Another amount\nDigits|Amount\nOther digits/,
  ],
  ['an ID of another order', 'Rs. 1,240.00', '28311904099', /Amount\nOther digits/],
  ['money that went out', 'Rs. 1,240.00 sent', '28311904024', /Amount\nDigits\nMoney went out/],
  ['a date before the order', 'Rs. 1,240.00 on 01-01-2020', '28311904024', /Before the order/],
])(
  'a message with %s says so, confirms nothing and fills no amount in',
  async (_what, said, id, marks) => {
    const opened = await openWork();
    const { page, close } = opened;
    await paste(
      opened,
      said.includes('sent')
        ? `${said} to ALI. TID: ${id}`
        : `You have received ${said}. TID: ${id}`,
    );
    const card = page.locator('.find li.group', {
      has: page.locator(`a[href$="${other.orderId}"]`),
    });
    expect(await card.locator('.fits').innerText()).toMatch(marks);
    await card.locator('a').click();
    await page.getByRole('button', { name: 'Money is here' }).click();
    expect(await page.getByLabel('Amount that arrived').inputValue()).toBe('');
    expect(await page.getByRole('button', { name: 'Confirm PKR 1,240' }).isDisabled()).toBe(true);
    expect((await orderStatus(merchant, other.orderId)).stage).toBe('Sent');
    await close();
  },
);

test('an amount or digits that are typed leave the orders that have them', async () => {
  const opened = await openWork();
  const { page, close } = opened;
  const field = page.getByLabel(en.label);
  for (const typed of ['1240', '1,240', '4024', '۱۲۴۰', other.orderReference.slice(-6)]) {
    await field.fill(typed);
    await expect.poll(() => cards(opened).count()).toBe(1);
    expect(await cards(opened).locator('a').getAttribute('href')).toContain(other.orderId);
    expect(await page.locator('.fits').count()).toBe(0);
  }
  await field.fill('99999');
  await page.getByText(en.nothing).last().waitFor();
  await page.getByRole('button', { name: en.clear }).click();
  await page.locator('.group.check .card.order').nth(20).waitFor();
  await close();
});

test('without a network, what another app shares leads to its order: the worker answers, and nothing leaves the phone', async () => {
  const opened = await app.open({ who: member });
  const { page, context, close } = opened;
  await page.locator('.card.order').first().waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  await page.reload(); // a worker serves the pages that come after it
  await page.getByLabel(en.label).waitFor();
  await context.setOffline(true);
  await page.evaluate(share(MESSAGE.replaceAll('23', '24')));
  await page.getByText(en.forged).waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(await cards(opened).first().locator('a').getAttribute('href')).toContain(other.orderId);
  expect(await kept(opened)).not.toContain('28311904024');
  await page.goto(`${service.url}/member/?shared`); // given once
  await page.locator('.card.order').first().waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  expect(await page.getByText(en.forged).count()).toBe(0);
  await context.setOffline(false);
  await close();
});
