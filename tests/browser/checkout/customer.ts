import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { stopClock } from '../../support/browser.ts';
import type { CreatedOrder } from '../../support/fixtures.ts';
import { stayHere, type Watch, watch } from '../checks.ts';

/** A customer with a small phone. */
export interface Customer {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly seen: Watch;
}

/** They touch a page that has not opened its order, as soon as they see it (decision 8). */
const TOUCHES = `addEventListener('load', () => {
  const waits = document.querySelector('[data-ask=open]');
  if (waits) waits.dispatchEvent(new Event('pointerdown', { bubbles: true }));
});`;

/**
 * Hands a customer the phone for one test. The time of its pages stands still: the test moves it by
 * `page.clock`. `looksOnly`: they do not touch it.
 */
export async function asCustomer<T>(
  browser: Browser,
  { looksOnly = false, ...options }: BrowserContextOptions & { readonly looksOnly?: boolean },
  work: (customer: Customer) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    ...options,
  });
  const seen = watch(context);
  await stayHere(context);
  if (!looksOnly) await context.addInitScript(TOUCHES);
  try {
    const page = await context.newPage();
    if (options.javaScriptEnabled !== false) {
      await page.clock.install();
      await stopClock(page);
    }
    return await work({ page, context, seen });
  } finally {
    await context.close();
  }
}

/** Goes to the link; without a script the customer opens the page by its button (decision 8). */
export async function openLink(
  page: Page,
  { paymentPageUrl }: CreatedOrder,
  javaScriptEnabled: boolean,
): Promise<void> {
  await page.goto(paymentPageUrl);
  if (!javaScriptEnabled && (await page.locator('form[action*="/open?"]').isVisible()))
    await submitForm(page, 'open');
}

export async function expectView(page: Page, view: string): Promise<void> {
  await page.locator(`main[data-view="${view}"]`).waitFor();
  // The view is in the document before its style sheet has come.
  await page.waitForLoadState();
}

/** The page shows what was claimed: its digits, or what it says of a payer. */
export const expectClaimed = (page: Page, said: string): Promise<void> =>
  page.locator('main').getByText(said).last().waitFor();

/**
 * What others have done is shown: a page that waits for them learns of it by itself, a reader
 * without the script loads it again.
 */
export async function expectChangeShown(page: Page, javaScriptEnabled: boolean): Promise<void> {
  if (!javaScriptEnabled) await page.goto(page.url());
}

/**
 * Ten seconds later: the page's script looks again, or a reader without it loads the page again.
 */
export async function tenSecondsLater(page: Page, javaScriptEnabled: boolean): Promise<void> {
  if (javaScriptEnabled) await page.clock.runFor(10_000);
  else await page.goto(page.url());
}

/** The customer looks into another app, or is back: the page is hidden, or seen again. */
export const putAway = (page: Page, away: boolean): Promise<void> =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${away} });
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${away ? 'hidden' : 'visible'}' });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);

/** Sends the form for `action` with these fields, as the customer would. */
export async function submitForm(
  page: Page,
  action: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const form = page.locator(`form[action*="/${action}?"]`).first();
  await unfold(page, form);
  for (const [name, value] of Object.entries(fields))
    await form.locator(`[name=${name}]`).fill(value);
  await form.locator('button:not([type=button])').first().click();
}

/** Opens what the form is folded into, as a tap on its summary does. */
export async function unfold(page: Page, within: Locator): Promise<void> {
  await within.waitFor({ state: 'attached' });
  const folded = page.locator('details:not([open])', { has: within });
  if ((await folded.count()) > 0) await folded.locator('> summary').click();
}

/** Where the customer is sent back to: the merchant's URL, with the outcome merged into it. */
export function expectReturn(
  url: string | null,
  base: string,
  order: CreatedOrder,
  status: string,
): void {
  const { searchParams, origin, pathname, hash } = new URL(url as string);
  expect([origin + pathname, hash]).toEqual([base.replace(/[?#].*/, ''), new URL(base).hash]);
  expect(Object.fromEntries(searchParams)).toEqual({
    ...Object.fromEntries(new URL(base).searchParams),
    svc_order_id: order.orderId,
    svc_order_reference: order.orderReference,
    svc_status: status,
  });
}
