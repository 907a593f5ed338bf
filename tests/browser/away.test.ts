import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';

import { startAwayService } from '../support/away.ts';
import { canSend, openConsole } from '../support/console.ts';
import { everybodyOffline } from '../support/fixtures.ts';
import { memberWork, openMemberApp } from '../support/member-app.ts';
import { openPortal } from '../support/portal-app.ts';
import { portalShop } from '../support/portal-shop.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectAccessible } from './checks.ts';

/** The service is away, or the network is, while somebody uses an app. */

const { test, service } = await serviceTest();
const away = await startAwayService(service);
const console = await openConsole(away);
const portal = await openPortal(away);
const app = await openMemberApp(away);
const { merchant } = await portalShop(service);
afterAll(() => away.close());

let isAway = false;
const goAway = async () => {
  isAway = true;
  await away.goAway();
};
const comeBack = async () => {
  isAway = false;
  await away.comeBack();
};
afterEach(async () => {
  if (isAway) await comeBack();
});

/** The page is as it was loaded, and not another one. */
const mark = (page: Page) => page.evaluate('globalThis.thisPage = true');
const isMarked = (page: Page) => page.evaluate<boolean>('globalThis.thisPage === true');

const DESKS = {
  console: {
    open: () => console.open({ path: '/merchants' }),
    first: 'Merchants',
    other: 'Settings',
  },
  portal: {
    open: () => portal.open({ merchant, path: '/orders' }),
    first: 'Orders',
    other: 'Settings and people',
  },
} as const;

describe.each(['console', 'portal'] as const)('the %s', (name) => {
  const { open, first, other } = DESKS[name];

  test('keeps its frame where a page is opened while the service is away, and opens it when it is back', async () => {
    const { page, context } = await open();
    await page.getByRole('heading', { name: first, level: 1 }).waitFor();
    await goAway();
    await page.getByRole('link', { name: other, exact: true }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByText('Not live').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: first, exact: true }).click();
    await page.getByRole('heading', { name: first, level: 1 }).waitFor();
    await page.getByRole('link', { name: other, exact: true }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await comeBack();
    await page.getByRole('heading', { name: other, level: 1 }).waitFor();
    await page.getByText('Not live').waitFor({ state: 'detached' });
    await context.close();
  });

  test('comes by itself where the service went away before it said who is signed in', async () => {
    const { page, context } = await open();
    await page.getByRole('heading', { name: first, level: 1 }).waitFor();
    await page.route('**/session', (route) => route.abort());
    await page.reload();
    await page.getByText('The service cannot be reached').first().waitFor();
    await page.unroute('**/session');
    await page.getByRole('heading', { name: first, level: 1 }).waitFor();
    await context.close();
  });
});

test('a write of the console without a network fails, and is not sent when the network is back', async () => {
  const { page, context } = await console.open({ path: '/settings' });
  await page.getByRole('button', { name: 'Change: Payout window' }).click();
  await page.getByRole('dialog').getByLabel('Minutes').fill('77');
  await canSend(page);
  await context.setOffline(true);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByText('The service cannot be reached.').waitFor();
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.url());
  });
  await page.getByRole('button', { name: 'Go back' }).click();
  await context.setOffline(false);
  await page.getByText('Not live').waitFor({ state: 'detached' });
  expect(writes).toEqual([]);
  await context.close();
});

describe('the member app', () => {
  const freshWork = async () => {
    await everybodyOffline(service);
    return memberWork(service);
  };
  /** As on a phone whose browser keeps nothing: a private window. */
  const WITHOUT_WORKER = { serviceWorkers: 'block' } as const;

  test('keeps its frame where a screen is opened while the service is away, and opens it when it is back', async () => {
    const { member } = await freshWork();
    const { page, context } = await app.open({ who: member, context: WITHOUT_WORKER });
    await page.getByText('Listening').waitFor();
    await goAway();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await expectAccessible(page);
    await comeBack();
    await page.getByText('No orders yet').waitFor();
    await context.close();
  });

  test('says that the service is away, where it goes away before the texts are there, and comes by itself', async () => {
    const { page, context } = await app.open({ language: 'ur', context: WITHOUT_WORKER });
    await page.route('**/assets/ur-*', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.unroute('**/assets/ur-*');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await context.close();
  });

  test('comes by itself where nobody has signed in yet and the service is away', async () => {
    const { page, context } = await app.open({ context: WITHOUT_WORKER });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.route('**/session', (route) => route.abort());
    await page.reload();
    await page.getByText('The service cannot be reached').waitFor();
    await page.unroute('**/session');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  test('opens an order by itself that could not be read, when the service is back', async () => {
    const { member, paid } = await freshWork();
    const { page, context } = await app.open({ who: member, context: WITHOUT_WORKER });
    await page.getByText('Listening').waitFor();
    await goAway();
    const { orderId } = await paid();
    await page.evaluate(`history.pushState({}, '', '/member/orders/${orderId}')`);
    await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
    await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor();
    await mark(page);
    await comeBack();
    await page.getByRole('button', { name: 'Money is here' }).waitFor();
    expect(await isMarked(page)).toBe(true);
    await context.close();
  });
});
