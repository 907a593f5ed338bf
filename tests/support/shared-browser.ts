import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchBrowser } from './browser.ts';

let running: Promise<Browser> | undefined;

/**
 * The Chromium of this process, for a test file that asks at its top level. The first file launches
 * it, and it ends with the process. Everything that a file has opened is closed after its last test.
 * One that has crashed fails the file, and the next file launches another.
 */
export async function sharedBrowser(): Promise<Browser> {
  afterAll(async () => {
    const browser = await running;
    if (browser === undefined) throw new Error('Chromium crashed');
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  running ??= launch();
  return running;
}

async function launch(): Promise<Browser> {
  try {
    const browser = await launchBrowser();
    browser.once('disconnected', () => {
      running = undefined;
    });
    return browser;
  } catch (error) {
    running = undefined;
    throw error;
  }
}
