import { randomUUID } from 'node:crypto';
import type { Command } from '@munshi/core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { stopClock } from './browser.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  type TestMember,
  type TestMerchant,
} from './fixtures.ts';
import { operatorClient } from './operator-client.ts';
import type { Service } from './service.ts';
import { sharedBrowser } from './shared-browser.ts';
import { type AppWindow, buildStale, type Cookies, openApp, signInByCookie } from './web-app.ts';

export const PASSWORD = 'kites over Lahore';
export const LANGUAGES = ['en', 'ur', 'hi', 'bn'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A cheap phone of today. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 13; Redmi 12) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
};
const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ur: 'ur-PK',
  hi: 'hi-IN',
  bn: 'bn-BD',
};

/** The member app of a service in a real browser, as on a phone. */
export interface TestMemberApp {
  /** Opens a phone of its own, signed in as this member, at this path below /member. */
  open(options?: OpenOptions): Promise<AppWindow>;
  /** The same at this order, and the test moves the phone's time on. */
  openOrder(who: OpenOptions['who'], order: Pick<Made, 'orderId'>): Promise<AppWindow>;
}

interface OpenOptions {
  /** Undefined: nobody is signed in. */
  readonly who?: Pick<TestMember, 'username'> | undefined;
  readonly path?: string;
  readonly language?: Language;
  readonly context?: BrowserContextOptions;
  /** The test moves the phone's time on by `page.clock`, beside the time that passes. */
  readonly clock?: boolean;
}

/** Builds the app where its sources are newer. To be called at the top level of a test file. */
export async function openMemberApp(service: Service): Promise<TestMemberApp> {
  /** Cookies of each member: sign-ins are counted, and one is enough. */
  const signedIn = new Map<string, Cookies>();
  const [browser] = await Promise.all([sharedBrowser(), buildStale()]);
  const open = (options: OpenOptions = {}) => openPhone(browser, service, signedIn, options);
  return {
    open,
    openOrder: (who, { orderId }) => open({ who, path: `/orders/${orderId}`, clock: true }),
  };
}

async function openPhone(
  browser: Browser,
  service: Service,
  signedIn: Map<string, Cookies>,
  { who, path = '/', language = 'en', context: own = {}, clock = false }: OpenOptions,
): Promise<AppWindow> {
  const context = await browser.newContext({
    ...PHONE,
    locale: LOCALES[language],
    timezoneId: 'Asia/Karachi',
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    ...own,
  });
  if (clock) await context.clock.install();
  if (who !== undefined) {
    const credentials = { username: who.username, password: PASSWORD };
    await signInByCookie(context, `${service.url}/api/member/session`, credentials, signedIn);
  }
  return openApp(context, service, `/member${path}`);
}

/** Goes on by Tab until it has the focus. */
export async function reachByTab(target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(target.page().locator(':focus'));
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused.count()) > 0) return;
    await target.page().keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${target}`);
}

/** Presses the button by the keyboard alone; of two with one name that of the dialog. */
export async function pressButton(page: Page, name: string): Promise<void> {
  await reachByTab(page.getByRole('button', { name, exact: true }).last());
  await page.keyboard.press('Enter');
}

/**
 * The five seconds pass in which an action can be undone, and time goes on: `stopClock` comes
 * before.
 */
export async function passUndo(page: Page): Promise<void> {
  await page.getByText(/Sending in \d s/).waitFor();
  await page.clock.fastForward(UNDO_MS);
  await page.clock.resume();
}
const UNDO_MS = 5_000;

/** Answers the second question, which takes no tap before a thumb has settled. */
export async function sayYes(page: Page, name: string | RegExp): Promise<void> {
  const yes = page.getByRole('button', { name });
  await yes.waitFor();
  await page.clock.runFor(SETTLE_MS);
  await yes.click();
}
const SETTLE_MS = 600;

/**
 * Confirms the deposit that is open, as far as the five seconds in which that can be undone. The
 * phone's time stands still from the taps on, of which none counts as held for a second.
 */
export async function confirmDeposit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Money is here' }).click();
  await page.getByLabel('Amount that arrived').fill('2500');
  await stopClock(page);
  await page.getByRole('button', { name: 'Confirm PKR 2,500' }).click();
  await sayYes(page, /^Yes, it is in/);
  await page.getByText(/Sending in \d s/).waitFor();
}

/** The same, with a network that goes away in these seconds. */
export async function confirmOffline({ page, context }: AppWindow): Promise<void> {
  await confirmDeposit(page);
  await context.setOffline(true);
  await passUndo(page);
  await page.getByText('Will be sent when you are online.').waitFor();
}

/** A member with orders in every state that the app knows. */
export interface MemberWork {
  readonly merchant: TestMerchant;
  readonly member: TestMember;
  /** Assigned; the customer has the account and has not paid. */
  waiting(body?: Body): Promise<Made>;
  /** The customer says to have paid, with these digits. */
  paid(digits?: string, body?: Body): Promise<Made>;
  payout(body?: Body): Promise<Made>;
  submit(command: Command): Promise<void>;
  operator: ReturnType<typeof operatorClient>;
}

type Body = Readonly<Record<string, unknown>>;
type Made = Awaited<ReturnType<typeof createOrder>>;

/** Nobody else is online: what is made comes to this member. */
export async function memberWork(
  service: Service,
  options: Parameters<typeof createMember>[1] = {},
): Promise<MemberWork> {
  const { engine } = service.app.deps;
  const operator = operatorClient(service);
  const merchant = await createMerchant(service, { name: 'Bazaar Online', balance: '500000' });
  const member = await createMember(service, {
    name: 'Sana Iqbal',
    float: '200000',
    maxOpenOrders: 20,
    password: PASSWORD,
    ...options,
  });
  const submit = async (command: Command) => {
    const decision = await engine.submit(command);
    if (!decision.ok) throw new Error(decision.refusal.message);
  };
  const about = (orderId: string) => ({ commandId: randomUUID(), orderId });
  const waiting = async (body: Body = {}) => {
    const order = await createOrder(merchant, { amount: 2500, txnRefDigitsRequired: 4, ...body });
    await submit({ kind: 'open-page', ...about(order.orderId), need: undefined });
    return order;
  };
  return {
    merchant,
    member,
    submit,
    operator,
    waiting,
    async paid(transactionDigits = '4821', body = {}) {
      const order = await waiting(body);
      await submit({ kind: 'confirm-payment', ...about(order.orderId), transactionDigits });
      return order;
    },
    payout: (body = {}) =>
      createOrder(merchant, {
        orderType: 'Withdrawal',
        amount: 4200,
        customerAccountNumber: '03001234567',
        customerAccountName: 'Ayesha Khan',
        maxRetryCount: 1, // a clock that a later test advances must not bring it back to anybody
        ...body,
      }),
  };
}
