import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { money, needOf } from '@munshi/core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { SCREENSHOTS } from '../../support/console.ts';
import { everybodyOffline } from '../../support/fixtures.ts';
import { keptWindows } from '../../support/kept-windows.ts';
import { LANGUAGES, memberWork, openMemberApp } from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessibleIn } from '../checks.ts';
import { expectReadable } from '../read-off.ts';
import { statesOfBack } from './states/back.ts';
import { statesOfReadOff } from './states/read-off.ts';
import type { State } from './states/state.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);
const inWindow = keptWindows(service.url);

const back = await statesOfBack(service);
const readOff = await statesOfReadOff(service);
await everybodyOffline(service);
const idle = await memberWork(service, { online: false, methods: ['ProviderA', 'BankAccount'] });
const free = await memberWork(service, { online: false });
await service.app.deps.engine.submit({
  kind: 'update-member',
  commandId: crypto.randomUUID(),
  memberId: free.member.memberId,
  online: true,
  actor: { kind: 'member', id: free.member.memberId },
});
await everybodyOffline(service);
const again = await memberWork(service);
const payoutAgain = await again.payout({ maxRetryCount: 3 });
await memberWork(service); // has it in between
for (const _ of ['to the other one', 'and back']) await passWindow(payoutAgain.orderId);
await everybodyOffline(service);
const late = await memberWork(service);
const latePayout = await late.payout();
await everybodyOffline(service);
const fraction = await memberWork(service);
const [depositOfFraction, payoutOfFraction] = [
  await fraction.paid('4821', { amount: 200.7647 }),
  await fraction.payout({ amount: 200.7647 }),
];
await everybodyOffline(service);
const work = await memberWork(service);
const checked = await work.paid('4821');
await work.paid('4821');
const waiting = await work.waiting({ amount: 150000.5, walletType: 'ProviderB' });
const payout = await work.payout();
const reviewed = await work.paid('1357', { amount: 900 });
await work.operator.post(`/orders/${reviewed.orderId}/escalate`, { note: 'The customer called.' });
const order = ({ orderId }: { readonly orderId: string }) => `/orders/${orderId}`;
const member = work.member;
const quietLink = (page: Page) => page.locator('.quiet-link').first().click();
const primary = (page: Page) => page.locator('.action .primary').click();

const STATES: readonly State[] = [
  { name: 'sign-in', path: '/', who: undefined, reach: (page) => page.locator('form').waitFor() },
  {
    name: 'sign-in-wrong',
    path: '/',
    who: undefined,
    async reach(page) {
      await page.locator('input').first().fill('nobody');
      await page.locator('input').last().fill('not the password');
      await page.locator('.primary').click();
      await page.locator('.note.bad').waitFor();
    },
  },
  {
    name: 'recovery-bad',
    path: '/recover',
    who: undefined,
    reach: (page) => page.locator('h1').waitFor(),
  },
  {
    name: 'work-offline',
    path: '/',
    who: idle.member,
    reach: (page) => page.locator('.action .primary').waitFor(),
  },
  {
    name: 'work',
    path: '/',
    who: member,
    reach: (page) => page.locator('.card.order').nth(4).waitFor(),
  },
  {
    name: 'work-find',
    path: '/',
    who: member,
    async reach(page) {
      await page.locator('#find').fill('Rs. 2,500 sent to ALI on 01-01-2020. TID 28311904821');
      await page.locator('.fits').nth(1).waitFor();
    },
  },
  {
    name: 'work-find-nothing',
    path: '/',
    who: member,
    async reach(page) {
      await page.locator('#find').fill('99999');
      await page.locator('.find .note.calm').waitFor();
    },
  },
  {
    name: 'work-stop',
    path: '/',
    who: member,
    async reach(page) {
      await page.locator('.switch').click();
      await page.locator('dialog[open]').waitFor();
    },
  },
  {
    name: 'waiting',
    path: order(waiting),
    who: member,
    reach: (page) => page.locator('.note.calm').waitFor(),
  },
  {
    name: 'check',
    path: order(checked),
    who: member,
    reach: (page) => page.locator('.note.warn').first().waitFor(),
  },
  {
    name: 'check-amount',
    path: order(checked),
    who: member,
    async reach(page) {
      await primary(page);
      await page.locator('dialog input').fill('2000');
      await page.locator('.wrong').waitFor();
    },
  },
  {
    name: 'check-fraction',
    path: order(depositOfFraction),
    who: fraction.member,
    async reach(page) {
      await primary(page);
      await page.locator('dialog input').fill('200.76');
      await page.locator('.wrong').waitFor();
    },
  },
  {
    name: 'pay-fraction',
    path: order(payoutOfFraction),
    who: fraction.member,
    reach: (page) => page.locator('.headline .hint').waitFor(),
  },
  { name: 'check-not-here', path: order(checked), who: member, reach: quietLink },
  {
    name: 'pay',
    path: order(payout),
    who: member,
    reach: (page) => page.locator('.note.warn').waitFor(),
  },
  {
    name: 'pay-paid',
    path: order(payout),
    who: member,
    async reach(page) {
      await primary(page);
      await page.locator('dialog input:not([type=file])').fill('8123990');
    },
  },
  {
    name: 'work-again',
    path: '/',
    who: again.member,
    reach: (page) => page.locator('.card.order .when').waitFor(),
  },
  {
    name: 'pay-again',
    path: order(payoutAgain),
    who: again.member,
    reach: (page) => page.locator('.note.warn').waitFor(),
  },
  { name: 'pay-wrong', path: order(payout), who: member, reach: quietLink },
  {
    name: 'pay-little-time',
    path: order(latePayout),
    who: late.member,
    reach: (page) => passUntilLeft(page, 90_000, 'warn'),
  },
  {
    name: 'pay-time-up',
    path: order(latePayout),
    who: late.member,
    reach: (page) => passUntilLeft(page, -1, 'bad'),
  },
  {
    name: 'review',
    path: order(reviewed),
    who: member,
    reach: (page) => page.locator('.note.review').waitFor(),
  },
  ...['install', 'notify', 'background', 'sound', 'test'].map(
    (step, index): State => ({
      name: `alerts-${step}`,
      path: '/account/alerts',
      who: idle.member,
      async reach(page) {
        await page.locator('.step-head').nth(index).click();
        await page.locator('.step-body').waitFor();
      },
    }),
  ),
  {
    name: 'settings',
    path: '/account/settings',
    who: idle.member,
    reach: (page) => page.locator('.phones li').first().waitFor(),
  },
  {
    name: 'settings-password',
    path: '/account/settings',
    who: idle.member,
    async reach(page) {
      await page.locator('section.stack .secondary').first().click();
      await page.locator('dialog[open]').waitFor();
    },
  },
  {
    name: 'settings-sign-out',
    path: '/account/settings',
    who: idle.member,
    async reach(page) {
      await page.locator('section.stack .secondary').last().click();
      await page.locator('dialog[open]').waitFor();
    },
  },
  ...readOff,
  ...back,
];

test.for(STATES)('$name is accessible, in one thumb’s reach, and fits', async (state) => {
  for (const language of LANGUAGES) {
    const open = () => app.open({ ...state, language });
    const look = async (page: Page, fresh: boolean) => {
      if (!fresh) await page.goto(`${service.url}/member${state.path}`);
      await state.reach(page);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await unfold(page);
      await expectAccessibleIn(page, language);
      await page.setViewportSize({ width: 360, height: 740 });
      if (SCREENSHOTS !== undefined) await shoot(page, `${state.name}-${language}`);
      await expectReach(page);
      await expectReadable(page, `${state.name} in ${language}`, { visits: LANGUAGES.length });
      await expectNotWider(page);
    };
    await inWindow(`${state.who?.username ?? 'nobody'} ${language}`, open, look);
  }
});

/** The payout window of this order alone ends, so that the others stay as they are. */
async function passWindow(orderId: string): Promise<void> {
  const { database, app } = service;
  await database.pool.query('update orders set due_at = holder_since where order_id = $1', [
    orderId,
  ]);
  const amounts = { amount: money('4200'), floatAmount: money('4200') };
  const need = needOf({
    orderType: 'Withdrawal',
    walletType: 'ProviderA',
    currency: 'PKR',
    ...amounts,
  });
  const commandId = crypto.randomUUID();
  await app.deps.engine.submit({ kind: 'pass-deadline', commandId, orderId, need });
}

/** The phone's time alone goes on: the service does not answer, and would say what time it is. */
async function passUntilLeft(page: Page, ms: number, tone: string): Promise<void> {
  await page.clock.install();
  await page.reload();
  const dueAt = Date.parse((await page.getByRole('timer').getAttribute('datetime')) ?? '');
  await page.route('**/api/**', (route) => route.abort('internetdisconnected'));
  await page.clock.fastForward(dueAt - service.app.deps.clock.now() - ms);
  await page.locator(`[role=alert] > .note.${tone}`).waitFor();
}

/**
 * In a window higher than any page, also one that is still growing: what the foot covers is reached by
 * scrolling, and axe takes it for small.
 */
const unfold = (page: Page) => page.setViewportSize({ width: 360, height: 5000 });

/** What is primary stands in the lower half. */
async function expectReach(page: Page): Promise<void> {
  const tops = await page.evaluate<number[]>(
    `[...document.querySelectorAll(document.querySelector('dialog[open]') ? 'dialog[open] .primary, dialog[open] .danger' : '.primary')].map((button) => button.getBoundingClientRect().top)`,
  );
  for (const top of tops) expect(top).toBeGreaterThan(370);
}

async function expectNotWider(page: Page): Promise<void> {
  for (const width of [320, 180]) {
    await page.setViewportSize({ width, height: 740 });
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect({ width, wider: Math.max(0, wider) }).toEqual({ width, wider: 0 });
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  const folder = path.join(SCREENSHOTS as string, 'member');
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
  }
}
