import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectGoodState } from '../../support/console.ts';
import { keptWindows } from '../../support/kept-windows.ts';
import { openPortal } from '../../support/portal-app.ts';
import { portalShop } from '../../support/portal-shop.ts';
import { serviceTest } from '../../support/service-test.ts';
import { STATES } from './states/index.ts';

const { test, service } = await serviceTest();
const portal = await openPortal(service);
const shop = await portalShop(service);

const inWindow = keptWindows(service.url);

test('each state has a name of its own', () => {
  expect(new Set(STATES.map(({ name }) => name)).size).toBe(STATES.length);
});

test.for(STATES)('$name is accessible, and fits narrow and zoomed', async (state) => {
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
