import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectQuiet, type Watch, watch } from '../browser/checks.ts';
import { ROOT } from '../tidy/sources.ts';
import type { Service } from './service.ts';

let built: Promise<unknown> | undefined;

/** The apps as their sources are now, built once for all tests of this process that ask. */
export function buildStale(): Promise<unknown> {
  built ??= promisify(execFile)(process.execPath, [BUILD, '--stale'], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return built;
}
const BUILD = path.join(ROOT, 'bin', 'build-web.ts');

/** A window of a web app. */
export interface AppWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly seen: Watch;
  /** Nothing came from elsewhere, and the browser had nothing to complain of. */
  expectQuiet(): void;
  /** Closes what was quiet. */
  close(): Promise<void>;
}

/** Opens this address of the service in a context of its own. */
export async function openApp(
  context: BrowserContext,
  service: Service,
  address: string,
): Promise<AppWindow> {
  const seen = watch(context);
  const page = await context.newPage();
  await page.goto(`${service.url}${address}`);
  const expectWindowQuiet = () =>
    expectQuiet(
      { ...seen, complaints: seen.complaints.filter((text) => !isExpected(text)) },
      new URL(service.url).origin,
    );
  return {
    page,
    context,
    seen,
    expectQuiet: expectWindowQuiet,
    async close() {
      expectWindowQuiet();
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

// ---- What is loaded

const distOf = (app: string) => path.join(ROOT, 'apps', app, 'dist');
export const assetsOf = (app: string) => path.join(distOf(app), 'assets');

/** As they are sent: compressed where they are stored so. */
export const sizeOf = (app: string, files: Iterable<string>): number =>
  [...files].reduce((sum, file) => {
    const at = path.join(assetsOf(app), file);
    return sum + (statSync(`${at}.br`, { throwIfNoEntry: false })?.size ?? statSync(at).size);
  }, 0);

/** What a chunk imports at once, and what those do. */
export function withImports(app: string, file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  if (!file.endsWith('.js')) return known;
  const code = readFileSync(path.join(assetsOf(app), file), 'utf8');
  for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
    withImports(app, name as string, known);
  return known;
}

/** What its page loads before anything is shown. */
export function firstLoadOf(app: string): ReadonlySet<string> {
  const index = readFileSync(path.join(distOf(app), 'index.html'), 'utf8');
  const named = [...index.matchAll(/\.\/assets\/([\w.-]+)/g)].map(([, file]) => file as string);
  return new Set(named.flatMap((file) => [...withImports(app, file)]));
}
