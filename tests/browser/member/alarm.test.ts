import { expect } from 'vitest';
import { stopClock } from '../../support/browser.ts';
import { everybodyOffline } from '../../support/fixtures.ts';
import { memberWork, openMemberApp } from '../../support/member-app.ts';
import { expectWithin } from '../../support/promises.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

const freshWork = async () => {
  await everybodyOffline(service);
  return memberWork(service);
};
/** Counts the tones that the page makes, and keeps what it asks of the phone. */
const LISTEN = `{
  globalThis.tones = 0;
  globalThis.badge = 0;
  globalThis.awake = 0;
  navigator.setAppBadge = async (count) => { globalThis.badge = count; };
  navigator.clearAppBadge = async () => { globalThis.badge = 0; };
  WakeLock.prototype.request = async () => {
    globalThis.awake += 1;
    return { release: async () => { globalThis.awake -= 1; } };
  };
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...given) { globalThis.tones += 1; return start.apply(this, given); };
}`;

test('a withdrawal calls by the event of its assignment, over every screen, until it is opened', async () => {
  const { member, payout } = await freshWork();
  const { page, context, close } = await app.open({ who: member, path: '/account' });
  await context.addInitScript(LISTEN);
  await page.reload();
  await page.getByRole('heading', { name: 'Account', exact: true }).tap(); // sound is allowed
  await page.getByText('PKR 200,000').first().waitFor();
  const { orderId } = await payout();
  const alarm = page.getByRole('alertdialog', { name: 'A withdrawal to pay' });
  await alarm.getByText('PKR 4,200').waitFor();
  await expect.poll(() => page.evaluate<number>('globalThis.tones')).toBeGreaterThan(0);
  await alarm.getByRole('button', { name: 'Open' }).tap();
  await page.getByRole('button', { name: 'I have paid' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/member/orders/${orderId}`);
  expect(await alarm.count()).toBe(0);
  await close();
});

test('an alarm comes by itself, sounds until it is seen, and stands on the icon', async () => {
  const { member, payout } = await freshWork();
  const { page, context, close } = await app.open({ who: member, clock: true });
  await context.addInitScript(LISTEN);
  await page.reload();
  await page.getByText('Listening').tap(); // sound is allowed
  const read = (name: string) => page.evaluate<number>(`globalThis.${name}`);
  await expect.poll(() => read('awake')).toBe(1);
  const alarm = page.getByRole('alertdialog', { name: 'A withdrawal to pay' });
  const took: number[] = [];
  await stopClock(page); // the app does not look again: an event comes
  for (const count of [1, 2, 3]) {
    const startedAt = performance.now();
    await payout();
    await alarm.waitFor();
    took.push(performance.now() - startedAt);
    await expect.poll(() => read('badge')).toBe(count);
    const before = await read('tones');
    await page.clock.fastForward(2_000);
    await expect.poll(() => read('tones')).toBeGreaterThan(before);
    await alarm.getByRole('button', { name: 'Seen' }).tap();
    await alarm.waitFor({ state: 'detached' });
  }
  expectWithin('an alarm', Math.min(...took), 2_000);
  const silent = await read('tones');
  await page.clock.fastForward(10_000);
  expect(await read('tones')).toBe(silent);
  await page.clock.resume();
  await page.getByRole('switch').tap();
  await page.getByRole('button', { name: /^No new orders/ }).tap();
  await expect.poll(() => read('awake')).toBe(0);
  await close();
});

test('a deposit comes quietly, and calls when its customer says paid', async () => {
  const { member, waiting, submit } = await freshWork();
  const { page, close } = await app.open({ who: member });
  await page.getByText('Listening').waitFor();
  const { orderId } = await waiting();
  await page.getByRole('heading', { name: /Waiting for the customer/ }).waitFor();
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  await submit({
    kind: 'confirm-payment',
    commandId: crypto.randomUUID(),
    orderId,
    transactionDigits: '4821',
  });
  const alarm = page.getByRole('alertdialog', { name: 'Money should be here' });
  await alarm.getByRole('button', { name: 'Seen' }).tap();
  await alarm.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: /Check now/ }).waitFor();
  await close();
});

test('several at once are one alarm with a list', async () => {
  const { member, payout, paid } = await freshWork();
  const { page, close } = await app.open({ who: member });
  await page.getByText('Listening').waitFor();
  await payout();
  await paid();
  const alarm = page.getByRole('alertdialog', { name: '2 orders' });
  await alarm.getByRole('button', { name: /PKR 2,500/ }).tap();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  await close();
});
