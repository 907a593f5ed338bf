import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { canSend, countStrokes, hasFocus, openConsole, sendDialog } from '../../support/console.ts';
import { consoleOrders } from '../../support/console-orders.ts';
import { createOperator } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** C7: late claims. */

const { test, service } = await serviceTest();
const console = await openConsole(service);
const orders = await consoleOrders(service);

const CLAIMS = 10;

test('each of ten claims is decided in three strokes: one note confirms its order and closes it, or closes it alone; the next opens by itself', async () => {
  const claims = [];
  for (let at = 0; at < CLAIMS; at += 1) claims.push(await orders.claimed(`9900${1000 + at}`));
  const { page, close } = await console.open({ role: 'support', path: '/late-claims' });
  const list = page.getByRole('list', { name: 'Open late claims' });
  await list
    .getByRole('button')
    .nth(CLAIMS - 1)
    .waitFor();
  const strokes = countStrokes(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const decided: string[] = [];
  const opened = () => new URL(page.url()).searchParams.get('claim') ?? '';
  for (let at = 0; at < CLAIMS; at += 1) {
    await page.waitForURL(() => opened() !== '' && !decided.includes(opened()));
    decided.push(opened());
    const { orderReference } = claims.find(({ claimId }) => claimId === opened()) ?? {};
    await page.getByRole('link', { name: orderReference ?? 'none' }).waitFor();
    await page.getByRole('button', { name: 'Confirm PKR 2,500…' }).waitFor();
    await page.keyboard.press(at % 2 === 0 ? 'a' : 'c');
    await hasFocus(dialog.getByLabel(at % 2 === 0 ? 'Note' : 'What was found'));
    expect(await dialog.getByText('has said that money moved').count()).toBe(0);
    await page.keyboard.press('Alt+1');
    await sendDialog(page);
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByText('No late claim is open').waitFor();
  expect(strokes.count).toBe(2 + 3 * CLAIMS);
  for (const { orderId, claimId } of claims) {
    const { data } = await orders.operator.get(`/orders/${orderId}`);
    const confirmed = decided.indexOf(claimId) % 2 === 0;
    expect(data.status).toBe(confirmed ? 'Completed' : 'Cancelled');
    const note = confirmed
      ? 'The payment came after the link had expired; seen in the statement.'
      : 'No such payment in the member’s statement.';
    expect(data.lateClaims).toMatchObject([{ claimId, status: 'closed', note }]);
  }
  await close();
});

test('where there is little height, the note and its sentences are in sight above the buttons once the effect is known', async () => {
  const { claimId } = await orders.claimed('99005555', { amount: 5555 });
  const path = `/late-claims?claim=${claimId}`;
  const { page, close } = await console.open({ role: 'support', path });
  await page.setViewportSize({ width: 683, height: 384 });
  await page.getByRole('button', { name: 'Confirm PKR 5,555…' }).waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Balances, PKR').waitFor();
  await canSend(page);
  const place = async (shown: Locator) => {
    const { y = 0, height = 0 } = (await shown.boundingBox()) ?? {};
    return { top: y, bottom: y + height };
  };
  const head = await place(dialog.getByRole('button', { name: 'Close' }));
  const buttons = await place(dialog.getByRole('button', { name: 'Go back' }));
  for (const part of [dialog.getByLabel('Note'), dialog.getByRole('list').last()]) {
    const { top, bottom } = await place(part);
    expect(top).toBeGreaterThan(head.bottom);
    expect(bottom).toBeLessThan(buttons.top);
  }
  await orders.operator.post(`/late-claims/${claimId}/close`, { note: 'n' });
  await close();
});

test('a claim that another operator has closed meanwhile is refused, and kept with its note', async () => {
  const { claimId } = await orders.claimed('99002222');
  const who = await createOperator(service, 'support');
  const { page, close } = await console.open({ who, path: `/late-claims?claim=${claimId}` });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Close…' }).click();
  await dialog.getByLabel('What was found').fill('mine');
  await orders.operator.post(`/late-claims/${claimId}/close`, { note: 'the other' });
  // It leaves the list of open ones, and stays open with what is typed.
  await page.getByText('No late claim is open').waitFor();
  await page.getByText('the other').waitFor();
  expect(await dialog.getByLabel('What was found').inputValue()).toBe('mine');
  await sendDialog(page);
  await page.getByText('This late claim has been closed already.').waitFor();
  expect(await dialog.getByLabel('What was found').inputValue()).toBe('mine');
  await close();
  const path = `/late-claims?status=closed&claim=${claimId}`;
  const again = await console.open({ who, path });
  await again.page.getByText('the other').waitFor();
  await again.close();
});

test('a claim that a colleague looks into is taken over, and they see whose it is', async () => {
  const { claimId } = await orders.claimed('99004444');
  const [one, other] = [
    await createOperator(service, 'support', 'Ayesha'),
    await createOperator(service, 'support', 'Bilal'),
  ];
  const path = `/late-claims?claim=${claimId}`;
  const first = await console.open({ who: one, path });
  await first.page.getByRole('button', { name: 'Look into it' }).click();
  await first.page.getByRole('button', { name: 'Look into it' }).waitFor({ state: 'detached' });
  const second = await console.open({ who: other, path });
  const list = second.page.getByRole('list', { name: 'Open late claims' });
  await list.getByText('Ayesha is working on it').waitFor();
  await first.page.getByRole('button', { name: 'Close…' }).click();
  await second.page.getByRole('button', { name: 'Take it over' }).click();
  await list.getByText('You are working on it').waitFor();
  await first.page.getByRole('dialog').getByText('Bilal is working on it').waitFor();
  await first.close();
  await second.close();
});

test('a viewer sees claims and candidates without a button', async () => {
  const { claimId } = await orders.claimed('99003333', { amount: 3333 });
  const { orderReference } = await orders.paid('3333', { amount: 3333 });
  const path = `/late-claims?claim=${claimId}`;
  const { page, close } = await console.open({ role: 'viewer', path });
  await page.getByRole('link', { name: orderReference }).waitFor();
  await page.getByText('same digits').waitFor();
  for (const name of ['Look into it', 'Take it over', 'Close…', 'Confirm PKR 3,333…'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  await close();
});
