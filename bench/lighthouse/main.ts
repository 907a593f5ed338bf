import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type NewOrder } from '@munshi/sdk';
import { findChromium } from '../../tests/support/browser.ts';
import { openEnvironment } from '../environment.ts';
import { startServer } from '../processes.ts';
import { seedMembers, seedMerchants } from '../seed.ts';

const LIGHTHOUSE = path.join(import.meta.dirname, 'node_modules', 'lighthouse', 'cli', 'index.js');

/**
 * Lighthouse's own slow phone: four times slower than this machine, on slow 4G. And an old one with
 * bad reception: six times slower, on slow 3G.
 */
const PROFILES = {
  'slow phone, slow 4G': [
    '--throttling.cpuSlowdownMultiplier=4',
    '--throttling.rttMs=150',
    '--throttling.throughputKbps=1638.4',
  ],
  'old phone, slow 3G': [
    '--throttling.cpuSlowdownMultiplier=6',
    '--throttling.rttMs=400',
    '--throttling.throughputKbps=400',
  ],
} as const;
/**
 * `noindex` is a requirement, because a page is for its customer or member only. One audit of the
 * category counts it as a fault.
 */
const WITHOUT = '--skip-audits=is-crawlable';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Report {
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly score: number;
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
      }
    >
  >;
  readonly audits: Readonly<
    Record<
      string,
      { readonly score: number | null; readonly title: string; readonly numericValue?: number }
    >
  >;
}

if (!existsSync(LIGHTHOUSE))
  throw new Error('Lighthouse is not installed: npm ci --prefix bench/lighthouse');

const environment = await openEnvironment();
const server = await startServer(environment);
const profile = await mkdtemp(path.join(tmpdir(), 'munshi-lighthouse-'));
try {
  for (const [name, shown] of Object.entries({ ...(await pages()), ...(await memberScreens()) })) {
    for (const [phone, throttling] of Object.entries(PROFILES))
      say(`${name} | ${phone}`, await measure(shown, throttling));
  }
} finally {
  await server.stop();
  await environment.close();
  await rm(profile, { recursive: true, force: true });
}

/** What is measured: an address, and the cookie of who looks at it. */
interface Shown {
  readonly url: string;
  readonly cookie?: string;
}

/** The views that customers meet: where to pay, waiting for an account, and where to be paid. */
async function pages(): Promise<Readonly<Record<string, Shown>>> {
  const [merchant] = await seedMerchants(environment.database, 1);
  if (merchant === undefined) throw new Error('there is no merchant');
  await seedMembers(environment.database, 1, { methods: ['ProviderA', 'ProviderAQR'] });
  const client = createClient({ baseUrl: server.url, ...merchant });
  const create = async (order: Omit<NewOrder, 'amount'>) =>
    (await client.createOrder({ amount: '1500.5', ...order })).paymentPageUrl;
  const act = async (link: string, action: string, body: object = {}) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
    const response = await fetch(link.replace('?', `/${action}?`), {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${action} answered ${response.status}`);
    return link;
  };
  const deposit = { orderType: 'Deposit', walletType: 'ProviderA' } as const;
  const code = await act(await create({ ...deposit, walletType: 'ProviderAQR' }), 'open');
  const pay = await act(await create(deposit), 'open');
  return {
    pay: { url: pay },
    'pay, in Urdu': { url: `${pay}&lang=ur` },
    'pay by QR code': { url: await act(code, 'payer', { accountNumber: '03001234567' }) },
    waiting: { url: await create({ ...deposit, walletType: 'TillID' }) },
    account: { url: await create({ orderType: 'Withdrawal', walletType: 'ProviderA' }) },
  };
}

/** What members meet first: the door, and their work with orders in hand. */
async function memberScreens(): Promise<Readonly<Record<string, Shown>>> {
  const [member] = await seedMembers(environment.database, 1, { methods: ['BankAccount'] });
  const [merchant] = await seedMerchants(environment.database, 1);
  if (member === undefined || merchant === undefined) throw new Error('there is no member');
  const client = createClient({ baseUrl: server.url, ...merchant });
  for (const amount of ['1500.5', '2500', '700'])
    await client.createOrder({
      amount,
      orderType: 'Withdrawal',
      walletType: 'BankAccount',
      customerAccountNumber: '03001234567',
    });
  const url = `${server.url}/member/`;
  return {
    'member app, sign in': { url },
    'member app, work': { url, cookie: `munshi_member=${member.token}` },
  };
}

/** Runs Lighthouse on one address in a Chromium of its own. */
async function measure({ url, cookie }: Shown, throttling: readonly string[]): Promise<Report> {
  const { executablePath, env } = await findChromium();
  const output = path.join(profile, 'report.json');
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    `--user-data-dir=${profile}/chromium`,
  ].join(' ');
  const args = [
    url,
    '--quiet',
    '--output=json',
    `--output-path=${output}`,
    `--chrome-flags=${flags}`,
    ...throttling,
    WITHOUT,
    ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
  ];
  const child = spawn(process.execPath, [LIGHTHOUSE, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env, CHROME_PATH: executablePath },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`Lighthouse ended with ${code}`);
  return JSON.parse(await readFile(output, 'utf8')) as Report;
}

/** One row of the table in docs/page.md, and below it every audit that lost points. */
function say(name: string, { categories, audits }: Report): void {
  const scores = CATEGORIES.map((category) => Math.round((categories[category]?.score ?? 0) * 100));
  const seconds = (audit: string) =>
    `${((audits[audit]?.numericValue ?? Number.NaN) / 1000).toFixed(1)} s`;
  process.stdout.write(
    `| ${[name, ...scores, seconds('first-contentful-paint'), seconds('largest-contentful-paint')].join(' | ')} |\n`,
  );
  for (const { auditRefs } of Object.values(categories)) {
    for (const { id, weight } of auditRefs) {
      const { score = null, title = id } = audits[id] ?? {};
      if (weight > 0 && score !== null && score < 0.9)
        process.stderr.write(`  ${id}: ${score} (${title})\n`);
    }
  }
}
