import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from '../browser/checks.ts';
import { createOperator, type TestOperator } from './operator-client.ts';
import type { Service } from './service.ts';
import { sharedBrowser } from './shared-browser.ts';
import { type AppWindow, buildStale, type Cookies, openApp, signInByCookie } from './web-app.ts';

export type Role = 'viewer' | 'support' | 'admin' | 'approver';

/** Set by `npm run screenshots`: where every state is saved, light and dark. */
export const SCREENSHOTS = process.env['SCREENSHOTS'];

/** The console of a service in a real browser. */
export interface TestConsole {
  /**
   * Opens a window of its own, signed in as an operator of this role (one for each role, or
   * `who`), at this path below /console. `role: null`: nobody is signed in.
   */
  open(options?: OpenOptions): Promise<AppWindow>;
  /** Goes to a path in such a window; signs in again where a state has moved the clock on. */
  go(page: Page, options: Pick<OpenOptions, 'role' | 'path'>): Promise<unknown>;
  /** The operator whom `open` signs in by role. */
  operator(role: Role): Promise<TestOperator>;
}

interface OpenOptions {
  readonly role?: Role | null;
  readonly who?: TestOperator;
  readonly path?: string;
}

/** Builds the console where its sources are newer. To be called at the top level of a test file. */
export async function openConsole(service: Service): Promise<TestConsole> {
  /** Cookies of each operator: sign-ins are counted, and one is enough. */
  const signedIn = new Map<string, Cookies>();
  const [browser] = await Promise.all([sharedBrowser(), buildStale()]);
  const operators = new Map<Role, Promise<TestOperator>>();
  const operator = (role: Role) => {
    const known = operators.get(role) ?? createOperator(service, role, `The ${role}`);
    operators.set(role, known);
    return known;
  };
  const signIn = async (context: BrowserContext, who: TestOperator | undefined) => {
    if (who !== undefined)
      await signInByCookie(context, `${service.url}/api/operator/session`, who, signedIn);
  };
  const whoIs = async (role: Role | null) => (role === null ? undefined : operator(role));
  return {
    operator,
    async open({ role = 'admin', who, path = '/' } = {}) {
      const context = await browser.newContext({ ...DESK, permissions: [...DESK.permissions] });
      await signIn(context, who ?? (await whoIs(role)));
      return openApp(context, service, `/console${path}`);
    },
    async go(page, { role = 'admin', path = '/' }) {
      await signIn(page.context(), await whoIs(role));
      await page.goto(`${service.url}/console${path}`);
    },
  };
}

/** What people at a desk have. */
export const DESK = {
  viewport: { width: 1366, height: 768 },
  locale: 'en-GB',
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'reduce',
} as const;

/** Fits at 320 px, and at 640, which is 200 % zoom of 1280. Ends at 1366 × 768. */
export async function expectConsoleFits(page: Page): Promise<void> {
  for (const width of [320, 640]) {
    await page.setViewportSize({ width, height: 768 });
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect({ width, wider: Math.max(0, wider) }).toEqual({ width, wider: 0 });
  }
  await page.setViewportSize({ width: 1366, height: 768 });
}

/**
 * A state of a screen as people see it: axe in a theme, or in both in the deep ring;
 * narrow and zoomed; saved as pictures where they are asked for.
 */
export async function expectGoodState(page: Page, name: string, app = 'console'): Promise<void> {
  // The page itself: the frame comes first, and its menu may say the same words.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // What comes later would be measured half.
  await isLoaded(page);
  await expectAccessible(page);
  if (SCREENSHOTS !== undefined) await shoot(page, path.join(SCREENSHOTS, app), name);
  await expectConsoleFits(page);
}

async function shoot(page: Page, folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.screenshot({ path: path.join(folder, `${name}-narrow.png`) });
  await page.setViewportSize({ width: 1366, height: 768 });
}

/** Waits until the element has the focus: a dialog gives it, and gives it back, a moment later. */
export const hasFocus = (element: Locator): Promise<void> =>
  element.and(element.page().locator(':focus')).waitFor();

/** Types into the field to which the page itself gives the focus. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await hasFocus(field);
  await field.page().keyboard.type(text);
}

/** Counts the key strokes from here on: a key with those that are held is one, a typed text none. */
export function countStrokes(page: Page): { count: number } {
  const strokes = { count: 0 };
  const press = page.keyboard.press.bind(page.keyboard);
  page.keyboard.press = (...given) => {
    strokes.count += 1;
    return press(...given);
  };
  return strokes;
}

/** Waits until the dialog has the focus and can be sent. */
export const canSend = (page: Page): Promise<void> =>
  page.locator('[role=dialog]:focus-within button[type=submit]:enabled').waitFor();

/** Presses Ctrl and Enter once the dialog can be sent: before, it does nothing. */
export async function sendDialog(page: Page): Promise<void> {
  await canSend(page);
  await page.keyboard.press('Control+Enter');
}

/**
 * Fills the note of an action in, and waits until the action was previewed with it: that is asked
 * as soon as typing rests, and would else meet what a test changes next.
 */
export async function fillNote(page: Page, note: string): Promise<void> {
  const previewed = page.waitForResponse(
    (response) =>
      response.url().includes('preview=true') && response.request().postDataJSON().note === note,
  );
  await page.getByRole('dialog').getByLabel('Note').fill(note);
  await previewed;
  // An event may have had it asked once more before its answer was read.
  await page.locator('[role=dialog] form[aria-busy=false]').waitFor();
}

/** Waits until nothing that the page shows is still on its way. */
export const isLoaded = (page: Page): Promise<void> =>
  page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });

/** Goes on by Tab to the element; each on the way shows its focus. */
export async function tabTo(page: Page, selector: string, pressesMax = 60): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < pressesMax; presses += 1) {
    await page.keyboard.press('Tab');
    const [matches, what] = await page.evaluate<[boolean, string]>(
      `[document.activeElement.matches(${JSON.stringify(selector)}), document.activeElement.outerHTML.slice(0, 120)]`,
    );
    passed.push(what);
    if (matches) return;
  }
  throw new Error(`Tab did not come to ${selector}, but to:\n${passed.join('\n')}`);
}
