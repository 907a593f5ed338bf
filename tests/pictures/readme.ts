import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { createClient } from '../../packages/sdk/src/index.ts';
import { launchBrowser } from '../support/browser.ts';
import { startIn } from '../support/first-start.ts';
import { openPage } from '../support/page-client.ts';

/**
 * Makes the README's picture again: the four apps, as a first start with its demo shows them.
 * `npm run readme:pictures`
 */

const FILE = path.join(import.meta.dirname, '..', '..', 'docs', 'pictures', 'apps.webp');
const BYTES_MAX = 300_000;
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 802 };
const GAP = 32;

/** The part of `demo.json` that is used. */
interface Demo {
  readonly merchant: { readonly apiKey: string; readonly signingSecret: string };
  readonly operator: SignIn;
  readonly members: readonly SignIn[];
  readonly portalUser: SignIn;
}
interface Held {
  readonly member: { readonly username: string };
}
interface SignIn {
  readonly username: string;
  readonly password: string;
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'munshi-pictures-'));
const { server, url } = await startIn(dataDir);
const browser = await launchBrowser();
try {
  const demo = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as Demo;
  const operator = await tokenOf('operator', demo.operator);
  const shop = await merchantWithPast(operator);
  const waits = await createOrder(demo, '1500.50');
  const paid = await createOrder(demo, '2500');
  await openPage(paid).data('open');
  await openPage(paid).data('confirm', { transactionDigits: '4821' });
  const { member: holder } = await ask<Held>(operator, 'GET', `/orders/${paid.orderId}`);
  const member = demo.members.find(({ username }) => username === holder.username) as SignIn;
  const [console, portal, phone, page] = [
    await signedIn('operator', demo.operator, '/console/', DESK),
    await signedIn('portal', await portalUserOf(operator, shop), '/portal/', DESK),
    await signedIn('member', member, `/member/orders/${paid.orderId}`, PHONE),
    await shot({ viewport: PHONE, hasTouch: true, isMobile: true }, async (page) => {
      await page.goto(waits.paymentPageUrl);
      await page.locator('main[data-view="pay"]').waitFor();
    }),
  ];
  const bytes = await compose([console, portal], [phone, page]);
  if (bytes > BYTES_MAX) throw new Error(`${FILE} has ${bytes} bytes, more than ${BYTES_MAX}`);
  process.stdout.write(`${FILE}: ${bytes} bytes\n`);
} finally {
  await browser.close();
  server.child.kill('SIGTERM');
  await server.exited;
  await rm(dataDir, { recursive: true, force: true });
}

/** Asks the operator face. */
async function ask<T>(
  token: string,
  method: 'GET' | 'POST',
  where: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${url}/api/operator${where}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${where}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { readonly data: T }).data;
}

async function tokenOf(face: string, { username, password }: SignIn): Promise<string> {
  const response = await fetch(`${url}/api/${face}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return ((await response.json()) as { readonly data: { readonly token: string } }).data.token;
}

/** A merchant of the two weeks that the demo makes in a process beside the service. */
async function merchantWithPast(operator: string): Promise<string> {
  for (;;) {
    const [found] = await ask<readonly { readonly merchantId: string }[]>(
      operator,
      'GET',
      '/merchants?search=Bazaar',
    );
    if (found !== undefined) return found.merchantId;
    await setTimeout(500);
  }
}

async function portalUserOf(operator: string, merchantId: string): Promise<SignIn> {
  const signIn = { username: 'ayesha', password: 'a picture of the portal' };
  const person = { ...signIn, name: 'Ayesha Khan', role: 'admin' };
  await ask(operator, 'POST', `/merchants/${merchantId}/portal-users`, person);
  return signIn;
}

function createOrder({ merchant }: Demo, amount: string) {
  const client = createClient({ baseUrl: url, ...merchant });
  const terms = { orderType: 'Deposit', amount, walletType: 'ProviderA' } as const;
  return client.createOrder(terms, { idempotencyKey: `picture ${amount}` });
}

async function signedIn(
  face: 'operator' | 'portal' | 'member',
  { username, password }: SignIn,
  address: string,
  viewport: typeof DESK,
): Promise<Buffer> {
  return shot({ viewport, hasTouch: true }, async (page) => {
    const body = { data: { username, password } };
    const answer = await page.request.post(`${url}/api/${face}/session`, body);
    if (!answer.ok()) throw new Error(`${face}: ${answer.status()} ${await answer.text()}`);
    await page.goto(`${url}${address}`);
    await page.getByRole('heading').first().waitFor();
    await page.mouse.click(1, 1); // sound is allowed once somebody has touched the screen
  });
}

/** A picture, of twice the pixels, once everything is there. */
async function shot(
  options: BrowserContextOptions,
  open: (page: Page) => Promise<void>,
): Promise<Buffer> {
  // Without a language of its own this Chromium names one that charts cannot format numbers in.
  const look = { locale: 'en-GB', deviceScaleFactor: 2 };
  const context = await browser.newContext({ ...options, ...look });
  const page = await context.newPage();
  await open(page);
  await setTimeout(6_000); // rows come one request after the other, and charts after them
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

/** Two desks one above the other, and two phones as high as both, on a plain ground. */
async function compose(desks: readonly Buffer[], phones: readonly Buffer[]): Promise<number> {
  const desk = { width: 800, height: 500 };
  const height = desk.height * 2 + GAP;
  const phone = { width: Math.round((height * PHONE.width) / PHONE.height), height };
  const placed = [
    ...desks.map((input, at) => ({
      input,
      size: desk,
      left: GAP,
      top: GAP + at * (desk.height + GAP),
    })),
    ...phones.map((input, at) => ({
      input,
      size: phone,
      left: GAP + desk.width + GAP + at * (phone.width + GAP),
      top: GAP,
    })),
  ];
  const layers = await Promise.all(
    placed.map(async ({ input, size, left, top }) => ({
      input: await rounded(input, size),
      left,
      top,
    })),
  );
  const ground = {
    width: GAP + desk.width + (GAP + phone.width) * phones.length + GAP,
    height: height + 2 * GAP,
    channels: 3,
    background: '#dde3ec',
  } as const;
  const { size } = await sharp({ create: ground })
    .composite(layers)
    .webp({ quality: 82 })
    .toFile(FILE);
  return size;
}

async function rounded(
  picture: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const mask = Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="14"/></svg>`,
  );
  return sharp(picture)
    .resize(width, height, { fit: 'cover', position: 'top' })
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer();
}
