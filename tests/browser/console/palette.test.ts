import { expect } from 'vitest';
import { openConsole, typeInto } from '../../support/console.ts';
import { consoleOrders } from '../../support/console-orders.ts';
import { createMember, createMerchant } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
const orders = await consoleOrders(service);
await createMerchant(service, { name: 'Lahore Looms' });
await createMember(service, { name: 'Farhan Malik', online: false });

type Page = Awaited<ReturnType<typeof console.open>>['page'];
const active = (page: Page) =>
  page.evaluate<string>(
    'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent ?? ""',
  );
const field = (page: Page) => page.getByRole('combobox', { name: 'Find or go to' });

test('any order, merchant and member is found and opened by the keyboard, and is then among the recent ones', async () => {
  const { orderReference, member } = await orders.paid('4821', { amount: 2317 });
  const { page, close } = await console.open({ role: 'viewer', path: '/webhooks' });
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await page.keyboard.press('Control+K');
  await typeInto(field(page), orderReference);
  await page.getByRole('option', { name: /PKR.2,317 deposit/ }).waitFor();
  expect(await active(page)).toMatch(/2,317/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /PKR.2,317 deposit/ }).waitFor();
  await field(page).waitFor({ state: 'detached' });

  for (const [typed, found] of [
    ['ORE loo', 'Lahore Looms'],
    ['farhan', 'Farhan Malik'],
    [member.username, 'Sana Iqbal'],
  ] as const) {
    await page.keyboard.press('Control+K');
    await typeInto(field(page), typed);
    await page.getByRole('option', { name: found }).first().waitFor();
    await expect.poll(() => active(page)).toMatch(found);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: found, level: 1 }).waitFor();
    await field(page).waitFor({ state: 'detached' });
  }
  await page.keyboard.press('/');
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect
    .poll(async () => (await recent.allTextContents()).map((text) => text.slice(0, 8)))
    .toEqual(['Farhan M', 'Lahore L', expect.stringMatching(/^PKR.2,31/)]);
  await close();
});

test('a part of what is known finds, and where nothing is found it says what was searched', async () => {
  const { orderReference } = await orders.paid('4831', { merchantOrderRef: 'Basket-9031' });
  const { page, close } = await console.open({ path: '/webhooks' });
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await page.keyboard.press('Control+K');
  for (const typed of ['ASKET-90', '9031']) {
    await field(page).fill(typed);
    await page.getByRole('option', { name: orderReference }).waitFor();
  }
  await field(page).fill('no such thing');
  await page.getByText('Nothing found for').waitFor();
  await page.getByText(/^Searched whole references, .*names of merchants/).waitFor();
  await close();
});

test('what can be done about the open order is offered, and opens its dialog', async () => {
  const { orderId } = await orders.inReview('4822');
  const { page, close } = await console.open({ role: 'support', path: `/orders/${orderId}` });
  await page.getByRole('button', { name: /^Complete/ }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('group', { name: 'This order' }).waitFor();
  await page.keyboard.type('cancel');
  await expect.poll(() => active(page)).toMatch(/^Cancel .*…$/);
  await page.keyboard.press('Enter');
  const note = page.getByRole('dialog').getByLabel('Note');
  await note.waitFor();
  await note.fill('kept');
  await page.keyboard.press('Control+K');
  expect(await field(page).count()).toBe(0);
  expect(await note.inputValue()).toBe('kept');
  await close();
});

test('arrows go round, Escape gives the focus back, and only the last words are asked for', async () => {
  const { page, context, close } = await console.open({ role: 'viewer', path: '/merchants' });
  const link = page.getByRole('link', { name: 'Lahore Looms' });
  await link.focus();
  const asked: string[] = [];
  context.on('request', (request) => {
    const search = new URL(request.url()).searchParams.get('search');
    if (search !== null) asked.push(search);
  });
  await page.keyboard.press('Control+K');
  expect(await active(page)).toBe(''); // Enter alone goes nowhere
  await page.keyboard.press('ArrowDown');
  expect(await active(page)).toMatch(/^Now/);
  await page.keyboard.press('ArrowUp');
  expect(await active(page)).toMatch(/^Settings/);
  await page.keyboard.press('ArrowDown');
  expect(await active(page)).toMatch(/^Now/);
  await page.keyboard.type('lahore', { delay: 5 });
  await page.getByRole('group', { name: 'Merchants' }).waitFor();
  await page.getByRole('status').filter({ hasText: '1 result' }).waitFor();
  expect(new Set(asked)).toEqual(new Set(['lahore']));
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Lahore Looms');
  await close();
});

test('a search that fails is said, and pages are found all the same', async () => {
  const { page, context, close } = await console.open({ role: 'viewer', path: '/webhooks' });
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await context.route(/\/orders\?.*search=/, (route) =>
    route.fulfill({
      status: 422,
      json: { error: 'Searching for this takes too long; narrow the days.', code: 'too-slow' },
    }),
  );
  await page.keyboard.press('Control+K');
  await typeInto(field(page), 'members');
  await page
    .getByRole('alert')
    .filter({ hasText: /^Orders could not be searched. Searching/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  await close();
});

test('an operator who signs out leaves no list of what they opened', async () => {
  const who = await console.operator('viewer');
  const { page, close } = await console.open({ who, path: '/merchants' });
  await page.getByRole('link', { name: 'Lahore Looms' }).click();
  await page.getByRole('heading', { name: 'Lahore Looms' }).waitFor();
  const kept = () =>
    page.evaluate<number>(
      'Object.keys(localStorage).filter((key) => key.startsWith("munshi.recent")).length',
    );
  await expect.poll(kept).toBe(1);
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Username').waitFor();
  expect(await kept()).toBe(0);
  await close();
});
