import { groupedAmount } from '@munshi/web';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  countStrokes,
  fillNote,
  hasFocus,
  openConsole,
  sendDialog,
} from '../../support/console.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { unconfirmedDeposits } from './states/queues.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);

const claimOf = async (orderId: string) =>
  (await operatorClient(service).get(`/orders/${orderId}`)).data.claimedBy?.name ?? null;

describe('a queue', () => {
  test('is worked through by the keyboard alone: j and k move, Enter opens, n claims the next and frees the last', async () => {
    const orderIds = await unconfirmedDeposits(service, [2500, 2600, 2700]);
    const { page, close } = await console.open({ role: 'support', path: '/queues' });
    await page.getByRole('button', { name: /2,500/ }).waitFor();
    expect(await page.title()).toBe('Paid, not confirmed · Munshi');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Paid, not confirmed');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`open=${orderIds[1]}`));
    expect(await claimOf(orderIds[1] as string)).toBeNull();

    await page.keyboard.press('n');
    await page.waitForURL(new RegExp(`open=${orderIds[2]}`));
    await page.getByText('You are working on this order.').waitFor();
    expect(await claimOf(orderIds[2] as string)).toBe('The support');
    await page.keyboard.press('n');
    await page.waitForURL(new RegExp(`open=${orderIds[0]}`));
    await expect.poll(() => claimOf(orderIds[2] as string)).toBeNull();
    await page.getByRole('button', { name: 'Leave it' }).click();
    await expect.poll(() => claimOf(orderIds[0] as string)).toBeNull();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Take the next', { exact: true }).waitFor();
    await close();
  });

  test('is gone through once around by n, and goes on by itself from an order that was decided', async () => {
    const orderIds = await unconfirmedDeposits(service, [4100, 4200, 4300]);
    const { page, close } = await console.open({ role: 'admin', path: '/queues' });
    const opened = async (at: number) => page.waitForURL(new RegExp(`open=${orderIds[at]}`));
    await page.getByRole('button', { name: /4,100/ }).click();
    await opened(0);
    for (const at of [1, 2]) {
      await page.keyboard.press('n');
      await opened(at);
    }
    await page.getByRole('button', { name: /4,200/ }).click();
    await opened(1);
    await page.getByRole('heading', { name: /4,200 deposit/ }).waitFor();
    await page.keyboard.press('a');
    await fillNote(page, 'Seen in the statement.');
    await sendDialog(page);
    await opened(2);
    await page.getByRole('link', { name: 'Back to it' }).click();
    await page.waitForURL(new RegExp(`/console/orders/${orderIds[1]}`));
    await close();
  });

  test('goes on to the next order, and Enter in the palette opens nothing of the one before', async () => {
    const orderIds = await unconfirmedDeposits(service, [3100, 3200]);
    const { page, close } = await console.open({ role: 'support', path: '/queues' });
    await page.getByRole('button', { name: /3,100/ }).click();
    await page.getByRole('heading', { name: /3,100 deposit/ }).waitFor();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/api/operator/orders/${orderIds[1]}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: /3,200/ }).click();
    await page.waitForURL(new RegExp(`open=${orderIds[1]}`));
    await page.getByRole('heading', { name: /3,100 deposit/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+K');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).searchParams.get('open')).toBe(orderIds[1]);
    expect(await page.getByRole('combobox').count()).toBe(1);
    answer();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: /3,200 deposit/ }).waitFor();
    await close();
  });

  test('shows two operators who works on what, and each takes another order', async () => {
    const people = [
      await createOperator(service, 'support'),
      await createOperator(service, 'support'),
    ];
    const admin = operatorClient(service);
    for (const [at, name] of ['Ayesha', 'Bilal'].entries())
      await admin.patch(`/operators/${people[at]?.operatorId}`, { name });
    const [first, second] = await Promise.all(
      people.map((who) => console.open({ who, path: '/queues' })),
    );
    if (first === undefined || second === undefined) throw new Error('no window');
    for (const { page } of [first, second])
      await page.getByRole('button', { name: /2,700/ }).waitFor();
    await first.page.keyboard.press('n');
    await first.page.getByText('You are working on this order.').waitFor();
    await second.page.getByRole('button', { name: /2,500.*Ayesha/ }).waitFor();
    await second.page.keyboard.press('n');
    await first.page.getByRole('button', { name: /2,600.*Bilal/ }).waitFor();
    await second.page.getByRole('button', { name: /2,500/ }).click();
    await second.page.getByText('Ayesha is working on this order.').waitFor();
    await second.page.getByRole('heading', { name: /2,500 deposit/ }).waitFor();
    expect(await second.page.getByText(/Ayesha is working on/).count()).toBe(1);
    await second.close();
    await first.page.getByRole('link', { name: 'Merchants' }).click();
    const { data } = await operatorClient(service).get('/queues/orders?limit=1');
    await expect.poll(() => claimOf(data[0].orderId)).toBeNull();
    await first.close();
  });

  test('says in the dialog that a colleague works on the order, and to the slower one what the faster did, in one sentence', async () => {
    const [orderId = ''] = await unconfirmedDeposits(service, [5100]);
    const path = `/queues?open=${orderId}`;
    const people = [
      await createOperator(service, 'support', 'Maryam'),
      await createOperator(service, 'support', 'Danish'),
    ];
    const [first, second] = await Promise.all(people.map((who) => console.open({ who, path })));
    if (first === undefined || second === undefined) throw new Error('no window');
    const refused: string[] = [];
    for (const { page } of [first, second]) {
      page.on('response', (response) => {
        if (response.status() === 409) refused.push(response.url());
      });
      await page.getByRole('heading', { name: /5,100 deposit/ }).waitFor();
    }
    await first.page.keyboard.press('a');
    await expect.poll(() => claimOf(orderId)).toBe('Maryam');
    await second.page.keyboard.press('a');
    const dialog = second.page.getByRole('dialog');
    await dialog.getByText('Maryam is working on this order too.').waitFor();
    await fillNote(second.page, 'Seen by me.');
    // Receives nothing from here on, as on a slow line.
    await second.page.route('**/api/operator/orders/*', async (route) => {
      await decided;
      await route.continue();
    });
    let decide = () => {};
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    await hasFocus(first.page.getByRole('dialog').getByLabel('Note'));
    await first.page.keyboard.press('Alt+1');
    await sendDialog(first.page);
    await first.page.getByRole('dialog').waitFor({ state: 'detached' });
    await sendDialog(second.page);
    await expect.poll(() => refused).toHaveLength(1);
    decide();
    await dialog.getByText('Maryam was faster: Completed.').waitFor();
    expect(await dialog.getByText(/only an order in ManualReview|is Completed/).count()).toBe(0);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await second.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(refused.filter((url) => url.includes('preview'))).toEqual([]);
    for (const { close } of [first, second]) await close();
  });

  test('is without what one has asked about, in list and menu alike', async () => {
    const orderIds = await unconfirmedDeposits(service, [5300, 5400]);
    const others = (await operatorClient(service).get('/queues/orders')).data.length - 1;
    await service.database.pool.query('update settings set require_second_operator = true');
    const who = await createOperator(service, 'approver', 'Zainab');
    const { page, close } = await console.open({ who, path: `/queues?open=${orderIds[0]}` });
    await page.getByRole('heading', { name: /5,300 deposit/ }).waitFor();
    await page.keyboard.press('a');
    await hasFocus(page.getByRole('dialog').getByLabel('Note'));
    await page.keyboard.press('Alt+1');
    await sendDialog(page);
    await page.waitForURL((url) => url.searchParams.get('open') !== orderIds[0]);
    await page.locator(`[data-order="${orderIds[0]}"]`).waitFor({ state: 'detached' });
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await menu.getByRole('link', { name: new RegExp(`^Paid, not confirmed ${others}`) }).waitFor();
    await menu.getByRole('link', { name: /^To approve 0/ }).waitFor();
    const second = await console.open({ role: 'approver', path: '/' });
    const otherMenu = second.page.getByRole('navigation', { name: 'Menu' });
    await otherMenu.getByRole('link', { name: /^To approve 1/ }).waitFor();
    await otherMenu
      .getByRole('link', { name: new RegExp(`^Paid, not confirmed ${others + 1}`) })
      .waitFor();
    await service.database.pool.query('update settings set require_second_operator = false');
    await second.close();
    await close();
  });

  test('fills and empties by itself, also after events were lost', async () => {
    const { page, context, close } = await console.open({ role: 'support', path: '/queues' });
    await page.getByRole('button', { name: /2,700/ }).waitFor();
    await context.setOffline(true);
    const [orderId = ''] = (await operatorClient(service).get('/queues/orders?limit=1')).data.map(
      (row: { orderId: string }) => row.orderId,
    );
    await operatorClient(service).post(`/orders/${orderId}/resolve`, {
      outcome: 'Cancelled',
      note: 'n',
    });
    await context.setOffline(false);
    await page.getByRole('button', { name: /2,500/ }).waitFor({ state: 'detached' });
    for (const { orderId: left } of (await operatorClient(service).get('/queues/orders')).data)
      await operatorClient(service).post(`/orders/${left}/resolve`, {
        outcome: 'Cancelled',
        note: 'n',
      });
    await page.getByText('Nothing is waiting here').waitFor();
    await close();
  });

  test('is looked at by viewers, who take nothing', async () => {
    await unconfirmedDeposits(service, [900]);
    const { page, close } = await console.open({ role: 'viewer', path: '/queues' });
    await page.getByRole('button', { name: /900/ }).click();
    await page.waitForURL(/open=/);
    await page.getByRole('heading', { name: 'PKR 900' }).waitFor();
    expect(await page.getByRole('button', { name: /Take/ }).count()).toBe(0);
    await page.keyboard.press('n');
    await page.getByRole('button', { name: /900/ }).waitFor();
    await close();
  });
});

test('an order whose deadline comes near appears without an event: in its queue, the menu, the overview and the list', async () => {
  await everybodyOffline(service);
  const merchant = await createMerchant(service);
  await createMember(service);
  const order = await createOrder(merchant, { amount: 4100 });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4821' });
  const windows = await Promise.all(
    ['/queues?queue=aboutToRunOut', '/', '/orders?due=5'].map(async (path) => {
      const opened = await console.open({ role: 'viewer', path });
      await opened.context.addInitScript(MINUTES_PASS_SOON);
      await opened.page.reload();
      return opened;
    }),
  );
  const [queue, overview, list] = windows.map(({ page }) => page) as [Page, Page, Page];
  await queue.getByText('Nothing is waiting here').waitFor();
  await overview.getByRole('link', { name: /^About to run out 0/ }).waitFor();
  const waiting = overview.getByRole('link', { name: /^1 About to run out/ });
  expect(await waiting.count()).toBe(0);
  await list.getByText('0 orders').waitFor();
  await advance(service, 26 * 60);
  await queue.getByRole('button', { name: /4,100/ }).waitFor();
  await queue.getByRole('link', { name: /^About to run out 1/ }).waitFor();
  await waiting.waitFor();
  await list.getByText('1 order', { exact: true }).waitFor();
  await list
    .getByRole('row')
    .filter({ hasText: order.orderReference.slice(-6) })
    .waitFor();
  const cancelled = { outcome: 'Cancelled', note: 'n' };
  await operatorClient(service).post(`/orders/${order.orderId}/escalate`, { note: 'n' });
  await operatorClient(service).post(`/orders/${order.orderId}/resolve`, cancelled);
  await queue.getByText('Nothing is waiting here').waitFor();
  for (const { close } of windows) await close();
});

/** What a window does every minute it does five times a second. */
const MINUTES_PASS_SOON = `
  const { setInterval } = window;
  window.setInterval = (run, ms, ...given) => setInterval(run, ms === 60_000 ? 200 : ms, ...given);
`;

test('a queue of more than one page says so, and shows the rest', async () => {
  await everybodyOffline(service);
  const merchant = await createMerchant(service);
  await Promise.all(Array.from({ length: 101 }, () => createOrder(merchant)));
  const { page, close } = await console.open({
    role: 'viewer',
    path: '/queues?queue=waitingForMember',
  });
  const rows = page.locator('[data-order]');
  await rows.nth(99).waitFor();
  expect(await rows.count()).toBe(100);
  await page.getByRole('button', { name: 'Show more' }).click();
  await rows.nth(100).waitFor();
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  await close();
});

/** As on a busy evening. */
const MANY = 10;

test(`each of ${MANY} orders is decided in three strokes, one way or the other, by a suggested sentence`, async () => {
  for (const { orderId } of (await operatorClient(service).get('/queues/orders')).data)
    await operatorClient(service).post(`/orders/${orderId}/resolve`, {
      outcome: 'Cancelled',
      note: 'n',
    });
  const amounts = Array.from({ length: MANY }, (_, at) => 1_000 + at);
  const orderIds = await unconfirmedDeposits(service, amounts);
  const { page, close } = await console.open({ role: 'support', path: '/queues' });
  await page.getByRole('button', { name: new RegExp(groupedAmount(`${999 + MANY}`)) }).waitFor();
  const strokes = countStrokes(page);
  await page.keyboard.press('n');
  for (const [at, orderId] of orderIds.entries()) {
    await page.waitForURL(new RegExp(`open=${orderId}`));
    await page.getByRole('heading', { name: `PKR ${groupedAmount(`${1_000 + at}`)}` }).waitFor();
    await page.keyboard.press(at % 2 === 0 ? 'a' : 'c');
    const dialog = page.getByRole('dialog');
    await hasFocus(dialog.getByLabel('Note'));
    await page.keyboard.press('Alt+2');
    await sendDialog(page);
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByText('Nothing is waiting here').waitFor();
  expect(strokes.count).toBe(1 + 3 * MANY);
  for (const [at, orderId] of orderIds.entries()) {
    const { data } = await operatorClient(service).get(`/orders/${orderId}`);
    const decided = at % 2 === 0 ? 'Completed' : 'Cancelled';
    const note =
      at % 2 === 0 ? 'The member confirmed by phone' : 'The receipt is of another payment.';
    expect(data.status).toBe(decided);
    expect(data.timeline.at(-1).note).toContain(note);
  }
  await close();
});
