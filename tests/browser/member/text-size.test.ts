import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { everybodyOffline } from '../../support/fixtures.ts';
import { LANGUAGES, memberWork, openMemberApp } from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Text as large as people set it on their phone. */

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

/** 16 is what phones begin with. */
async function setTextSize(page: Page, standard: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
}

const SCREENS = [
  '/',
  '/history',
  '/account',
  '/account/float',
  '/account/add',
  '/account/alerts',
  '/account/settings',
];

test.for(LANGUAGES)(
  'text follows the phone’s size up to its double, and fits, in %s',
  async (language) => {
    await everybodyOffline(service);
    const { member, paid, payout, waiting } = await memberWork(service);
    const orders = [
      await paid('48213579', { txnRefDigitsRequired: 8 }),
      await payout(),
      await waiting(),
    ];
    const { page, close } = await app.open({ who: member, language });
    await page.getByRole('link', { name: /2,500/ }).first().waitFor();
    for (const path of [...SCREENS, ...orders.map(({ orderId }) => `/orders/${orderId}`)]) {
      await setTextSize(page, 16);
      await page.goto(`${service.url}/member${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeletons').waitFor({ state: 'detached' });
      for (const standard of [21, 32]) {
        await setTextSize(page, standard);
        const size = 'parseFloat(getComputedStyle(document.body).fontSize)';
        await expect.poll(() => page.evaluate<number>(size)).toBe(standard);
        expect({ path, standard, wider: await page.evaluate(WIDER) }).toEqual({
          path,
          standard,
          wider: [],
        });
      }
    }
    await close();
  },
);

test.for(['no-preference', 'reduce'] as const)(
  'a second tap touches nothing in the sheet that the first one opens, motion: %s',
  async (reducedMotion) => {
    await everybodyOffline(service);
    const { member, payout } = await memberWork(service);
    const { page, close } = await app.openOrder(member, await payout());
    await page.emulateMedia({ reducedMotion });
    await setTextSize(page, 32);
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
  await setTextSize(page, 32);
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

test('a large amount is seen whole at double size, in the list, on its page and where it is typed', async () => {
  await everybodyOffline(service);
  const { member, paid } = await memberWork(service, { float: '3000000' });
  await paid('4821', { amount: 1250000.5 });
  const { page, close } = await app.open({ who: member });
  await setTextSize(page, 32);
  await page.getByRole('link', { name: /1,250,000\.50$/ }).waitFor();
  expect(await page.evaluate(WIDER)).toEqual([]);
  await page.getByRole('link', { name: /1,250,000\.50$/ }).click();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  expect(await page.evaluate(WIDER)).toEqual([]);
  await page.getByRole('button', { name: 'Money is here' }).click();
  await page.getByLabel('Amount that arrived').fill('1250000.5');
  expect(await page.evaluate(HIDDEN)).toBe(0);
  await close();
});

/** How much of what is typed its field has no room for, in pixels. */
const HIDDEN =
  '(() => { const { scrollWidth, clientWidth } = document.activeElement; return scrollWidth - clientWidth; })()';

/** What reaches beyond the edge of the phone. A browser that would have to draw it zooms out. */
const WIDER = `(() => {
  const wide = [...document.querySelectorAll('body *')]
    .filter((element) => element.closest('.unseen, svg') === null)
    .filter((element) => element.getBoundingClientRect().width > 0 && element.scrollWidth > Math.max(element.clientWidth, 360))
    .map((element) => element.outerHTML.slice(0, 120));
  return document.documentElement.scrollWidth > 360 ? ['the page', ...wide] : wide;
})()`;
