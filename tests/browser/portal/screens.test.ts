import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectGoodState } from '../../support/console.ts';
import { keptWindows } from '../../support/kept-windows.ts';
import { openPortal } from '../../support/portal-app.ts';
import { portalShop } from '../../support/portal-shop.ts';
import { serviceTest } from '../../support/service-test.ts';
import { APPS_IN_FULL } from '../checks.ts';
import { STATES } from './states/index.ts';

const { test, service } = await serviceTest();
const portal = await openPortal(service);
const shop = await portalShop(service);

const inWindow = keptWindows(service.url);

/** What a short run shows: each screen. The deep ring shows every state. */
const EVERYDAY = [
  'sign-in',
  'security',
  'home',
  'orders',
  'order-failing-webhook',
  'order-open',
  'money',
  'statement',
  'webhooks',
  'webhooks-verify',
  'delivery',
  'developers-signature',
  'settings-page',
  'settings-alerts',
  'settings-people',
];

const shown = STATES.filter(({ name }) => APPS_IN_FULL || EVERYDAY.includes(name));

test('each state of everyday is there', () => {
  const names = shown.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(EVERYDAY));
  expect(new Set(names).size).toBe(names.length);
});

test.for(shown)('$name is accessible, and fits narrow and zoomed', async (state) => {
  const { name, role = 'admin', of = 'shop', path, reach } = state;
  const merchant = of === 'shop' ? shop.merchant : shop.newcomer;
  const address = path(shop);
  const open = () => portal.open({ merchant, role, path: address });
  const look = async (page: Page, fresh: boolean) => {
    if (!fresh) await page.goto(`${service.url}/portal${address}`);
    await reach(page, shop);
    await expectGoodState(page, name, 'portal');
  };
  await inWindow(`${of} ${role ?? `nobody at ${name}`}`, open, look);
});
