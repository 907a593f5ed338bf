import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type Client,
  createClient,
  MunshiError,
  type NewOrder,
  type OrderStatus,
  signedBody,
} from '@munshi/sdk';

/** What demo.json holds: enough to act as the demo's merchant, members and operator. */
interface Demo {
  readonly merchant: {
    readonly name: string;
    readonly apiKey: string;
    readonly signingSecret: string;
  };
  readonly operatorToken: string;
  readonly members: readonly {
    readonly memberId: string;
    readonly name: string;
    readonly username: string;
    readonly password: string;
  }[];
}

/** In DATA_DIR, or in the folders that `npm start` uses without it. */
const DEMO_FILES = (
  process.env['DATA_DIR'] ? [process.env['DATA_DIR']] : ['.data', '/var/lib/munshi']
).map((folder) => `${folder}/demo.json`);
const WHICH_DEMO = 'The start of the service names the file; pass it: npm run try -- --demo <file>';
const bold = (text: string) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text);
const say = (text = '') => process.stdout.write(`${text}\n`);
let step = 0;
const heading = (text: string) => {
  step += 1;
  say(`\n${bold(`${step}. ${text}`)}`);
};

interface TourOptions {
  readonly url: string;
  /** Path of a demo.json; without it the one that `npm start` wrote is used. */
  readonly demo?: string;
  readonly callback?: string;
}

/**
 * Takes a deposit and a withdrawal from creation to completion over HTTP, as merchant, customer and
 * member, and prints each step. Throws when one of them does not complete.
 */
export async function runTour({ url, demo: named, callback }: TourOptions): Promise<void> {
  const file = named ?? findDemo();
  const demo = readDemo(file);
  await fetch(`${url}/healthz`).catch(() => {
    throw new Error(
      `nothing answers at ${url}. Start the service with "npm start", or name another address with --url.`,
    );
  });
  const client = createClient({
    baseUrl: url,
    apiKey: demo.merchant.apiKey,
    signingSecret: demo.merchant.signingSecret,
  });
  say(`Munshi at ${url}, as the merchant "${demo.merchant.name}".`);

  heading('The balance before');
  await showBalance(client).catch((error: Error) => {
    if (!(error instanceof MunshiError) || error.status !== 401) throw error;
    throw new Error(
      `the service at ${url} does not know the merchant of ${path.resolve(file)}: it works on other data. ${WHICH_DEMO}`,
    );
  });
  const withCallback = callback === undefined ? {} : { callbackUrl: callback };
  const deposit = await tourDeposit(url, demo, client, withCallback);
  const withdrawal = await tourWithdrawal(url, demo, client, withCallback);

  heading('The balance after');
  await showBalance(client);
  if (callback !== undefined) {
    heading(`The webhooks to ${callback}`);
    for (const order of [deposit, withdrawal]) await showDelivery(url, demo, order);
  }
  if (deposit.status !== 'Completed' || withdrawal.status !== 'Completed')
    throw new Error('the orders did not complete');
  say(
    `\nDone: ${deposit.orderReference} and ${withdrawal.orderReference} are both Completed. "npm run munshi -- verify" checks the books${named || process.env['DATA_DIR'] ? ', with the DATA_DIR of the service' : ''}.`,
  );
}

type Callback = Pick<NewOrder, 'callbackUrl'>;

async function tourDeposit(
  url: string,
  demo: Demo,
  client: Client,
  callback: Callback,
): Promise<OrderStatus> {
  heading('The merchant creates a deposit of 1500.50 PKR');
  const order: NewOrder = {
    orderType: 'Deposit',
    amount: '1500.50',
    walletType: 'ProviderA',
    merchantOrderRef: `try-deposit-${Date.now()}`,
    ...callback,
  };
  showRequest(order, demo);
  const created = await client.createOrder(order);
  say(`   → ${created.status}, ${created.orderReference}`);

  heading('The customer opens the payment page, pays and confirms');
  say(`   GET ${created.paymentPageUrl}`);
  const opened = await page(created.paymentPageUrl, '/open');
  say(
    `   POST /open → ${opened['status']}; the page shows: ${JSON.stringify(opened['account'] ?? opened['view'])}`,
  );
  const confirmed = await page(created.paymentPageUrl, '/confirm', { transactionDigits: '4821' });
  say(`   POST /confirm (last digits of the transaction: 4821) → ${confirmed['status']}`);

  heading('The member sees the money and confirms the receipt');
  await memberConfirms(url, demo, created.orderId, { receivedAmount: 1500.5 });
  return showStatus(client, created.orderId);
}

async function tourWithdrawal(
  url: string,
  demo: Demo,
  client: Client,
  callback: Callback,
): Promise<OrderStatus> {
  heading('The merchant creates a withdrawal of 800 PKR, without the customer’s account');
  const order: NewOrder = {
    orderType: 'Withdrawal',
    amount: '800',
    walletType: 'ProviderB',
    merchantOrderRef: `try-withdrawal-${Date.now()}`,
    ...callback,
  };
  showRequest(order, demo);
  const created = await client.createOrder(order);
  say(`   → ${created.status}, ${created.orderReference}; amount + fee are reserved:`);
  await showBalance(client);

  heading('The customer says where to pay');
  const submitted = await page(created.paymentPageUrl, '/account', {
    accountNumber: '03451234567',
    accountName: 'Ayesha Khan',
  });
  say(`   POST /account → ${submitted['status']}`);

  heading('The member sends the payout and confirms it');
  await memberConfirms(url, demo, created.orderId, { transactionReference: `TX${Date.now()}` });
  return showStatus(client, created.orderId);
}

function findDemo(): string {
  const file = DEMO_FILES.find((each) => existsSync(each));
  if (file !== undefined) return file;
  throw new Error(
    `there is no ${DEMO_FILES.join(' and no ')}. "npm start" makes a demo when it first runs on an empty data folder. ${WHICH_DEMO}`,
  );
}

function readDemo(file: string): Demo {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Demo;
  } catch (error) {
    throw new Error(
      `${path.resolve(file)} cannot be read: ${(error as Error).message}. ${WHICH_DEMO}`,
    );
  }
}

function showRequest(order: NewOrder, { merchant }: Demo) {
  say('   POST /api/merchant/orders');
  say(`   SVC-API-Key: ${merchant.apiKey.slice(0, 16)}…`);
  say('   Idempotency-Key: one for each order, the same for its retries');
  say(`   ${signedBody(order, merchant.signingSecret)}`);
}

async function showStatus(client: Client, orderId: string): Promise<OrderStatus> {
  const status = await client.orderStatus(orderId);
  say(
    `   GET /api/merchant/orders/${orderId}/status → ${bold(status.status)}, amount ${status.amount}, fee ${status.fee ?? 'none'}`,
  );
  for (const [milestone, at] of Object.entries(status.lifecycle))
    if (at !== null) say(`     ${milestone.padEnd(12)} ${at}`);
  return status;
}

async function showBalance(client: Client) {
  const { availableBalance, reservedBalance, frozenBalance, currency } = await client.balance();
  say(
    `   available ${availableBalance}, reserved ${reservedBalance}, frozen ${frozenBalance} ${currency}`,
  );
}

interface Delivery {
  readonly eventType: string;
  readonly attempts: readonly {
    readonly responseStatus: number | null;
    readonly error: string | null;
    readonly durationMs: number;
  }[];
}

/** The first attempt follows the outcome at once and takes at most five seconds. */
const ATTEMPT_PATIENCE_MS = 10_000;
/** No endpoint waits for attempts or announces them, so this one asks again. */
const ASK_AGAIN_MS = 100;

/** What the receiver answered to the order's webhook, or why it was not sent. */
async function showDelivery(url: string, demo: Demo, { orderId, orderReference }: OrderStatus) {
  const delivery = await firstAttempt(url, demo, orderId);
  if (delivery === undefined) {
    say(`   ${orderReference}: no attempt yet. Does a process with the worker role run?`);
    return;
  }
  const { eventType, responseStatus, error, durationMs } = delivery;
  const result =
    responseStatus === null ? error : `answered ${responseStatus} in ${Math.round(durationMs)} ms`;
  say(`   ${orderReference} ${eventType} → ${result}`);
  if (error?.includes('not a public address'))
    say(
      '   Start the service with ALLOW_PRIVATE_CALLBACKS=1 to send webhooks to this machine or its network.',
    );
}

async function firstAttempt(url: string, demo: Demo, orderId: string) {
  const deliveries = `${url}/api/operator/orders/${orderId}/deliveries`;
  for (const end = Date.now() + ATTEMPT_PATIENCE_MS; Date.now() < end; ) {
    const answer = await call('GET', deliveries, undefined, demo.operatorToken);
    const [delivery] = answer as unknown as readonly Delivery[];
    const [attempt] = delivery?.attempts ?? [];
    if (delivery !== undefined && attempt !== undefined)
      return { eventType: delivery.eventType, ...attempt };
    await setTimeout(ASK_AGAIN_MS);
  }
  return undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** An action of the payment page, as its script sends it. */
function page(pageUrl: string, action: string, body: Json = {}): Promise<Json> {
  const [base, query] = pageUrl.split('?');
  return call('POST', `${base}${action}?${query}`, body);
}

/** The member who holds the order signs in and confirms. */
async function memberConfirms(url: string, demo: Demo, orderId: string, body: Json) {
  const order = await call(
    'GET',
    `${url}/api/operator/orders/${orderId}`,
    undefined,
    demo.operatorToken,
  );
  const holder = (order['member'] as { memberId: string } | null)?.memberId;
  const member = demo.members.find(({ memberId }) => memberId === holder);
  if (member === undefined)
    throw new Error('no demo member holds the order; are the demo members online?');
  const { token } = await call('POST', `${url}/api/member/session`, {
    username: member.username,
    password: member.password,
  });
  const confirmed = await call(
    'POST',
    `${url}/api/member/orders/${orderId}/confirm`,
    body,
    String(token),
  );
  say(
    `   ${member.name}: POST /api/member/orders/…/confirm → ${String(confirmed['status'] ?? 'done')}`,
  );
}

async function call(
  method: 'GET' | 'POST',
  url: string,
  body?: Json,
  token?: string,
): Promise<Json> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${method} ${new URL(url).pathname} answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: Json }).data;
}
