import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WALLET_TYPES } from '@munshi/core';
import type { App } from '../app/app.ts';
import { isWithoutPeople } from '../merchants/store.ts';
import { createOperatorWithToken } from '../operators/service.ts';
import type { DemoKeys, DemoSignIns } from '../platform/http/deps.ts';
import { type Call, caller, injectedInto, type Send } from './calls.ts';

/**
 * What the demo made, with every secret: for the developer who started it, and for `npm run try`.
 */
export interface Demo {
  readonly merchant: {
    readonly merchantId: string;
    readonly name: string;
    readonly apiKey: string;
    readonly signingSecret: string;
  };
  readonly operator: { readonly username: string; readonly password: string };
  readonly operatorToken: string;
  /** An admin of the merchant's people. Not in demos of versions without the portal. */
  readonly portalUser?: { readonly username: string; readonly password: string };
  readonly members: readonly {
    readonly memberId: string;
    readonly name: string;
    readonly username: string;
    readonly password: string;
    readonly online: boolean;
  }[];
}

const MEMBERS = [
  { name: 'Bilal Ahmed', username: 'bilal', online: true },
  { name: 'Sana Iqbal', username: 'sana', online: true },
  { name: 'Rahim Uddin', username: 'rahim', online: true },
  { name: 'Priya Nair', username: 'priya', online: false },
];

const FEE_RULES = [
  { orderType: 'Deposit', walletType: 'ProviderA', percent: 1.5, minimum: 5 },
  { orderType: 'Deposit', walletType: 'ProviderB', percent: 1.5, minimum: 5 },
  { orderType: 'Deposit', walletType: 'TillID', percent: 1.2 },
  { orderType: 'Withdrawal', walletType: 'ProviderA', fixed: 10, percent: 0.5 },
  { orderType: 'Withdrawal', walletType: 'ProviderB', fixed: 10, percent: 0.5 },
];

/** As customers and people at work read them; programs go by ProviderA and ProviderB. */
const DISPLAY_NAMES = { providers: { ProviderA: 'Easypaisa', ProviderB: 'JazzCash' } };

/** Where the demo is written down, beside the data that it is in. */
export const demoFile = (dataDir: string) => path.join(dataDir, 'demo.json');

/** Who lets visitors in to the demo that was made on these data; undefined where there is none. */
export function readDemoSignIns(dataDir: string): DemoSignIns | undefined {
  const file = demoFile(dataDir);
  if (!existsSync(file)) return undefined;
  const { operator, members, portalUser } = JSON.parse(readFileSync(file, 'utf8')) as Demo;
  return { operator, member: members[0] as Demo['members'][number], portal: portalUser };
}

/** The keys of its merchant, likewise. */
export function readDemoKeys(dataDir: string): DemoKeys | undefined {
  const file = demoFile(dataDir);
  if (!existsSync(file)) return undefined;
  const { merchant } = JSON.parse(readFileSync(file, 'utf8')) as Demo;
  return merchant;
}

/** Whether nobody has used this database yet. A demo is never made on anything else. */
export const isUnused = ({ deps }: App): Promise<boolean> => isWithoutPeople(deps.database.pool);

/**
 * Makes an operator, names of the wallets, a merchant with money, a key, fee rules and somebody who
 * signs in to its portal, and members with approved accounts of every method, some of them online.
 * All but the operator is made by the operator's own calls, as a person would.
 */
export async function createDemo(app: App, dataDir: string | undefined): Promise<Demo> {
  const { clock } = app.deps;
  const operator = { username: 'operator', password: newPassword() };
  const { token } = await createOperatorWithToken(
    app.deps,
    { ...operator, name: 'Demo operator', role: 'admin' },
    clock.now(),
  );
  const send = injectedInto(app.http);
  const call = caller(send, token);
  await call('PATCH', '/api/operator/settings', { displayNames: DISPLAY_NAMES });

  const name = 'Demo Store';
  const { merchantId } = await call('POST', '/api/operator/merchants', { name });
  const { apiKey, signingSecret } = await call(
    'POST',
    `/api/operator/merchants/${merchantId}/api-keys`,
  );
  for (const rule of FEE_RULES)
    await call('POST', '/api/operator/fee-rules', { merchantId, ...rule });
  await call('POST', `/api/operator/merchants/${merchantId}/adjustments`, {
    kind: 'credit',
    amount: 50_000,
    reason: 'Demo: opening balance',
  });
  const portalUser = { username: 'store', password: newPassword() };
  await call('POST', `/api/operator/merchants/${merchantId}/portal-users`, {
    ...portalUser,
    name: 'Demo merchant',
    role: 'admin',
  });

  const members = [];
  for (const [index, member] of MEMBERS.entries())
    members.push(await createMember(call, send, member, index));
  const demo: Demo = {
    merchant: {
      merchantId: String(merchantId),
      name,
      apiKey: String(apiKey),
      signingSecret: String(signingSecret),
    },
    operator,
    operatorToken: token,
    portalUser,
    members,
  };
  if (dataDir !== undefined)
    writeFileSync(demoFile(dataDir), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  return demo;
}

async function createMember(
  call: Call,
  send: Send,
  member: (typeof MEMBERS)[number],
  index: number,
) {
  const password = newPassword();
  const { memberId } = await call('POST', '/api/operator/members', {
    name: member.name,
    username: member.username,
    password,
    maxOpenOrders: 20,
  });
  for (const [kind, walletType] of WALLET_TYPES.entries()) {
    const accountNumber = `03${index}${kind}1234567`;
    const qrPayload = walletType.endsWith('QR')
      ? { qrPayload: `demo:${walletType}:${accountNumber}` }
      : {};
    const account = { walletType, accountNumber, accountTitle: member.name, ...qrPayload };
    const { accountId } = await call('POST', `/api/operator/members/${memberId}/accounts`, account);
    await call('POST', `/api/operator/member-accounts/${accountId}/approve`);
  }
  await call('POST', `/api/operator/members/${memberId}/float-adjustments`, {
    amount: 200_000,
    reason: 'Demo: opening float',
  });
  if (member.online) {
    const { token } = await call('POST', '/api/member/session', {
      username: member.username,
      password,
    });
    const own = caller(send, String(token));
    await own('POST', '/api/member/presence', { online: true });
    await own('DELETE', '/api/member/session'); // in a sandbox who is signed in does not play
  }
  return {
    memberId: String(memberId),
    name: member.name,
    username: member.username,
    password,
    online: member.online,
  };
}

const newPassword = () => randomBytes(9).toString('base64url');
