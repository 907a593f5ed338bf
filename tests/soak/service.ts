import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Environment } from '../../bench/environment.ts';
import { startCommand } from '../../bench/processes.ts';

const OPERATOR_TOKEN = 'op_soak-operator';
const PASSWORD = 'a long enough password';
const METHODS = ['ProviderA', 'ProviderB', 'TillID'] as const;

/** A server as users run it, with a merchant and members made through its own APIs. */
export interface SoakService {
  readonly url: string;
  readonly apiKey: string;
  readonly signingSecret: string;
  /** Tokens of members who are online. */
  readonly members: readonly string[];
  /** Ends the server and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts the server. Unlike in production it may send webhooks to this machine. */
export async function openSoakService(
  { env }: Environment,
  { members, callbackUrl }: { readonly members: number; readonly callbackUrl: string },
): Promise<SoakService> {
  const start = startCommand();
  const child = spawn(process.execPath, start.args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...start.env,
      ...env,
      PORT: '0',
      ALLOW_PRIVATE_CALLBACKS: '1',
      OPERATOR_TOKEN,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const url = await listening(child);
  const operator = (method: string, at: string, body?: object) =>
    call(`${url}/api/operator${at}`, method, OPERATOR_TOKEN, body);

  const merchant = await operator('POST', '/merchants', {
    name: 'Soak',
    defaultCallbackUrl: callbackUrl,
  });
  const key = await operator('POST', `/merchants/${merchant.merchantId}/api-keys`);
  await operator('POST', `/merchants/${merchant.merchantId}/adjustments`, {
    kind: 'credit',
    amount: 1_000_000_000,
    reason: 'soak',
  });
  for (const walletType of METHODS) {
    await operator('POST', '/fee-rules', {
      orderType: 'Deposit',
      walletType,
      percent: 2,
      fixed: 1,
    });
    await operator('POST', '/fee-rules', { orderType: 'Withdrawal', walletType, fixed: 3 });
  }
  const tokens: string[] = [];
  for (let number = 0; number < members; number += 1) tokens.push(await hire(url, operator));
  return {
    url,
    apiKey: key.apiKey,
    signingSecret: key.signingSecret,
    members: tokens,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      return (await exited)[0] as number | null;
    },
  };
}

async function hire(
  url: string,
  operator: (method: string, at: string, body?: object) => ReturnType<typeof call>,
): Promise<string> {
  const username = `soak-${randomUUID().slice(0, 8)}`;
  const { memberId } = await operator('POST', '/members', {
    name: username,
    username,
    password: PASSWORD,
    maxOpenOrders: 10_000,
  });
  for (const walletType of METHODS) {
    const account = {
      walletType,
      accountNumber: `03${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`,
      accountTitle: username,
    };
    const { accountId } = await operator('POST', `/members/${memberId}/accounts`, account);
    await operator('POST', `/member-accounts/${accountId}/approve`);
  }
  await operator('POST', `/members/${memberId}/float-adjustments`, {
    amount: 1_000_000_000,
    reason: 'soak',
  });
  const { token } = await call(`${url}/api/member/session`, 'POST', undefined, {
    username,
    password: PASSWORD,
  });
  await call(`${url}/api/member/presence`, 'POST', token, { online: true });
  return token;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas elsewhere
async function call(url: string, method: string, token?: string, body?: object): Promise<any> {
  const headers = {
    'Idempotency-Key': randomUUID(),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: unknown }).data;
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('exit', (code) => reject(new Error(`the server exited with ${code}: ${said}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const match = /listening on (\S+)/.exec(said);
      if (match !== null) resolve(match[1] as string);
    });
  });
}
