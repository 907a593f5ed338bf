import { expect } from 'vitest';
import { everybodyOffline } from '../../support/fixtures.ts';
import { memberWork, openMemberApp } from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectReadable, setTextSize } from '../read-off.ts';

/** Text as large as people set it on their phone. */

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

test.for(['no-preference', 'reduce'] as const)(
  'a second tap touches nothing in the sheet that the first one opens, motion: %s',
  async (reducedMotion) => {
    await everybodyOffline(service);
    const { member, payout } = await memberWork(service);
    const { page, close } = await app.openOrder(member, await payout());
    await page.emulateMedia({ reducedMotion });
    await setTextSize(page, 200);
    const chosen: unknown[] = [];
    page.on('filechooser', (chooser) => chosen.push(chooser));
    const opens = page.getByRole('button', { name: 'I have paid' });
    const animations = await page.context().newCDPSession(page);
    await animations.send('Animation.enable');
    await animations.send('Animation.setPlaybackRate', { playbackRate: 0 });
    await opens.tap();
    const sheet = page.getByRole('dialog');
    await sheet.waitFor();
    const { x = 0, y = 0, width = 0, height = 0 } = (await sheet.boundingBox()) ?? {};
    for (let down = 0.05; down < 1; down += 0.1)
      await page.touchscreen.tap(x + width * 0.75, y + height * down);
    expect(await sheet.isVisible()).toBe(true);
    expect(chosen).toEqual([]);
    await animations.send('Animation.setPlaybackRate', { playbackRate: 1 });
    await page.getByText('Gallery').tap();
    await expect.poll(() => chosen.length).toBe(1);
    await close();
  },
);

test('the sign of the currency stands in the field of an amount, before what is typed, at double size', async () => {
  await everybodyOffline(service);
  const { member, paid } = await memberWork(service);
  const { orderId } = await paid();
  const { page, close } = await app.open({ who: member, path: `/orders/${orderId}` });
  await setTextSize(page, 200);
  await page.getByRole('button', { name: 'Money is here' }).click();
  const field = page.getByLabel('Amount that arrived');
  await field.fill('2500');
  const [input, sign] = [
    await field.boundingBox(),
    await page.locator('.field span').filter({ hasText: 'PKR' }).boundingBox(),
  ];
  if (input === null || sign === null) throw new Error('the field is not shown');
  expect(sign.y).toBeGreaterThanOrEqual(input.y);
  expect(sign.y + sign.height).toBeLessThanOrEqual(input.y + input.height);
  const padding = await page.evaluate<number>(
    "parseFloat(getComputedStyle(document.querySelector('.signed > input')).paddingLeft)",
  );
  expect(sign.x + sign.width).toBeLessThanOrEqual(input.x + padding);
  await close();
});

test('a large amount is seen whole at every size, in the list, on its page and where it is typed', async () => {
  await everybodyOffline(service);
  const { member, paid } = await memberWork(service, { float: '3000000' });
  await paid('4821', { amount: 1250000.5 });
  const { page, close } = await app.open({ who: member });
  await page.getByRole('link', { name: '1,250,000.50' }).waitFor();
  await expectReadable(page, 'work');
  await page.getByRole('link', { name: '1,250,000.50' }).click();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  await expectReadable(page, 'check');
  await setTextSize(page, 200);
  await page.getByRole('button', { name: 'Money is here' }).click();
  await page.getByLabel('Amount that arrived').fill('1250000.5');
  expect(await page.evaluate(HIDDEN)).toBe(0);
  await close();
});

/** How much of what is typed its field has no room for, in pixels. */
const HIDDEN =
  '(() => { const { scrollWidth, clientWidth } = document.activeElement; return scrollWidth - clientWidth; })()';
