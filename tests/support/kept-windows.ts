import type { Page } from 'playwright-core';

/** A window that can be lent again. */
interface Window {
  readonly page: Page;
  /** Fails when anything has happened in it that should not. */
  expectQuiet(): void;
}

/** What is done in a window; in one that is `fresh` nothing was shown before. */
type Look = (page: Page, fresh: boolean) => Promise<void>;

/**
 * Windows for looking at one state after the other. They are kept by key: who is signed in, and in
 * which language. A new one would start a process and compile the app, which takes two to three
 * times the processor time of going to the next address. The next look finds local and session
 * storage empty, and no route of the one before; cookies and IndexedDB stay. A window in which a
 * look failed is not lent again.
 */
export function keptWindows(origin: string) {
  const kept = new Map<string, Window>();
  return async (key: string, open: () => Promise<Window>, look: Look): Promise<void> => {
    const used = kept.get(key);
    kept.delete(key);
    const window = used ?? (await open());
    const { page } = window;
    const viewport = page.viewportSize();
    await look(page, used === undefined);
    window.expectQuiet();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // Of the same process, and without requests or events that would go on.
    await page.goto(`${origin}/health`);
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    if (viewport !== null) await page.setViewportSize(viewport);
    kept.set(key, window);
  };
}
