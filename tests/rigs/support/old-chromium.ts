import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, globSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { findChromium } from '../../support/browser.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

const MODULES = path.join(import.meta.dirname, '..', 'old-browsers', 'node_modules');

/** The oldest that npm has, and the least of the member app. */
export type OldVersion = 64 | 80;

/** A page of an old Chromium, which Playwright cannot drive. */
export interface OldPage {
  /** Shows an address, and answers once it is loaded. */
  open(url: string): Promise<void>;
  /** What an expression is, a promise's value as well. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression is true. */
  until(expression: string): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  /** Puts a finger on the middle of the element. */
  tap(selector: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Of the whole page. */
  picture(file: string): Promise<void>;
  /** What the page's scripts threw and the console said, so far. */
  readonly errors: readonly string[];
}

export interface OldChromium {
  page(options?: { readonly language?: string; readonly scripts?: boolean }): Promise<OldPage>;
  close(): Promise<void>;
}

/** Starts the Chromium of `tests/rigs/old-browsers`. */
export async function launchOldChromium(version: OldVersion): Promise<OldChromium> {
  const executable = await unpack(version);
  const profile = await mkdtemp(path.join(tmpdir(), 'munshi-old-chromium-'));
  const { env } = await findChromium(); // its fonts
  const child = spawn(
    executable,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const origin = await debuggingOrigin(child);
  return {
    async page(options = {}) {
      const { webSocketDebuggerUrl } = (await (await fetch(`${origin}/json/new`)).json()) as {
        readonly webSocketDebuggerUrl: string;
      };
      return openPage(await connect(webSocketDebuggerUrl), options);
    },
    async close() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(profile, { recursive: true, force: true });
    },
  };
}

async function unpack(version: OldVersion): Promise<string> {
  const [archive] = globSync(`chromium-${version}/bin/chromium*.br`, { cwd: MODULES });
  if (archive === undefined)
    throw new Error('Old browsers are missing: npm ci --prefix tests/rigs/old-browsers');
  const executable = path.join(MODULES, archive.replace(/\.br$/, ''));
  if (existsSync(executable)) return executable;
  const half = `${executable}.${process.pid}`;
  await pipeline(
    createReadStream(path.join(MODULES, archive)),
    createBrotliDecompress(),
    createWriteStream(half),
  );
  await chmod(half, 0o755);
  await rename(half, executable);
  return executable;
}

/** Where it is driven from, as it says once it listens. */
async function debuggingOrigin(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    const [, host] = /^DevTools listening on ws:\/\/([^/]+)/.exec(line) ?? [];
    if (host !== undefined) return `http://${host}`;
    said.push(line);
  }
  throw new Error(`Chromium did not start:\n${said.join('\n')}`);
}

interface Connection {
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  on(method: string, then: (params: never) => void): void;
}

async function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const listeners = new Map<string, ((params: never) => void)[]>();
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(data as string);
    if (id === undefined) for (const then of listeners.get(method) ?? []) then(params as never);
    else if (error) waiting.get(id)?.reject(new Error(JSON.stringify(error)));
    else waiting.get(id)?.resolve(result);
  });
  let last = 0;
  return {
    send(method, params = {}) {
      const answer = Promise.withResolvers<Record<string, unknown>>();
      last += 1;
      waiting.set(last, answer);
      socket.send(JSON.stringify({ id: last, method, params }));
      return answer.promise;
    },
    on: (method, then) => listeners.set(method, [...(listeners.get(method) ?? []), then]),
  };
}

async function openPage(
  { send, on }: Connection,
  { language = 'en', scripts = true }: { readonly language?: string; readonly scripts?: boolean },
): Promise<OldPage> {
  const errors: string[] = [];
  let loaded = Promise.withResolvers<void>();
  on('Page.loadEventFired', () => loaded.resolve());
  on('Runtime.exceptionThrown', ({ exceptionDetails }: never) =>
    errors.push(JSON.stringify(exceptionDetails)),
  );
  on('Log.entryAdded', ({ entry }: { readonly entry: { readonly text: string } }) =>
    errors.push(entry.text),
  );
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
  await send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Language': language } });
  if (!scripts) await send('Emulation.setScriptExecutionDisabled', { value: true });

  const page: OldPage = {
    errors,
    async open(url) {
      loaded = Promise.withResolvers();
      await send('Page.navigate', { url });
      await loaded.promise;
    },
    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = (await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })) as { readonly result: { readonly value: T }; readonly exceptionDetails?: object };
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return result.value;
    },
    async until(expression) {
      const before = Date.now() + PATIENCE_MS;
      while (!(await page.evaluate(`Boolean(${expression})`).catch(() => false)))
        if (Date.now() > before) throw new Error(`never true: ${expression}\n${errors.join('\n')}`);
    },
    async type(text) {
      for (const key of text) await send('Input.dispatchKeyEvent', { type: 'char', text: key });
    },
    async tap(selector) {
      await page.until(`document.querySelector(${JSON.stringify(selector)})`);
      const [x, y] = await page.evaluate<[number, number]>(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        element.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
      })()`);
      const at = { x, y, button: 'left', clickCount: 1 };
      await send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
      await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
    },
    async resize(width, height) {
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      });
    },
    async picture(file) {
      const { contentSize } = (await send('Page.getLayoutMetrics')) as {
        readonly contentSize: { readonly width: number; readonly height: number };
      };
      const [width, height] = [Math.ceil(contentSize.width), Math.ceil(contentSize.height)];
      await page.resize(width, height);
      const { data } = (await send('Page.captureScreenshot')) as { readonly data: string };
      await writeFile(file, data, 'base64');
    },
  };
  await page.resize(360, 640);
  return page;
}
