import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectQuiet, type Watch, watch } from '../browser/checks.ts';
import type { Service } from './service.ts';

let built: Promise<unknown> | undefined;

/** The apps as their sources are now, built once for all tests of this process that ask. */
export function buildStale(): Promise<unknown> {
  built ??= promisify(execFile)(process.execPath, [BUILD, '--stale'], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return built;
}
const BUILD = path.join(import.meta.dirname, '..', '..', 'bin', 'build-web.ts');

/** A window of a web app. */
export interface AppWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly seen: Watch;
  /** Nothing came from elsewhere, and the browser had nothing to complain of; then closes. */
  close(): Promise<void>;
}

/** Opens this address of the service in a context of its own. */
export async function openApp(
  context: BrowserContext,
  service: Service,
  address: string,
): Promise<AppWindow> {
  context.setDefaultTimeout(15_000);
  const seen = watch(context);
  const page = await context.newPage();
  await page.goto(`${service.url}${address}`);
  return {
    page,
    context,
    seen,
    async close() {
      expectQuiet(
        { ...seen, complaints: seen.complaints.filter((text) => !isExpected(text)) },
        new URL(service.url).origin,
      );
      await context.close();
    },
  };
}

export type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** With the cookies of before, unless a test has ended that session: sign-ins are counted. */
export async function signInByCookie(
  context: BrowserContext,
  url: string,
  { username, password }: { readonly username: string; readonly password: string },
  signedIn: Map<string, Cookies>,
): Promise<void> {
  await context.addCookies(signedIn.get(username) ?? []);
  if ((await context.request.get(url)).status() === 200) return;
  const answer = await context.request.post(url, { data: { username, password } });
  expect(answer.status()).toBe(200);
  signedIn.set(username, await context.cookies(url));
}

/** Chromium says this of every refusal, and of a network that a test has taken away. */
const isExpected = (complaint: string) =>
  /^Failed to load resource: (the server responded with a status of (401|404|409|422|429) |net::ERR_INTERNET_DISCONNECTED)/.test(
    complaint,
  );
