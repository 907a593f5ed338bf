import { randomUUID } from 'node:crypto';
import type { PortalRole } from '@munshi/core';
import { codeAt } from '../support/authenticator.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  setPresence,
  signInMember,
  type TestMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { type MemberClient, memberClient } from '../support/member-client.ts';
import {
  type Answer,
  createControlled,
  createOperator,
  type OperatorClient,
  operatorClient,
  type TestOperator,
} from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import {
  createPortalUser,
  PORTAL_PASSWORD,
  portalClient,
  signInPortal,
} from '../support/portal.ts';
import type { Service } from '../support/service.ts';

/** The platform before an operator turns bad, and everybody who acts for them on any face. */

export const LIMIT = 100;
/** Where the group wants to be paid. */
export const THEIR_ACCOUNT = '03111111111';
export const PASSWORD = 'the thief knows this one';
export const note = { note: 'n' };

/** Somebody of a merchant whose sign-in the group has. */
export interface PortalPerson {
  readonly portalUserId: string;
  readonly client: MemberClient;
  /** Their present one-time code, which nobody has used. */
  readonly code: () => Promise<string>;
}

export interface World {
  readonly service: Service;
  /** The person who runs the platform, by a script token of the environment. */
  readonly owner: OperatorClient;
  /** An approver whom nobody here has made. */
  readonly honest: OperatorClient;
  readonly thief: TestOperator;
  /** The thief, and an admin and a supporter of their making. */
  readonly operators: readonly TestOperator[];
  /** Whose moves alone count in one sum of a day. */
  readonly sums: readonly (readonly TestOperator[])[];
  /** Of nobody of these, with people whom the group let in before the rule. */
  readonly merchant: TestMerchant;
  readonly viewer: MemberClient;
  readonly merchantAdmin: PortalPerson;
  /** The same, and it issues its own keys, by an admin of its own. */
  readonly issuer: TestMerchant;
  /** Its key, and an admin with codes, are in the group's hands. */
  readonly accomplice: TestMerchant;
  /** Works with the group, of which nothing is known here. */
  readonly friend: TestMerchant;
  readonly accompliceAdmin: PortalPerson;
  /** With approved accounts, made by nobody of these. */
  readonly member: TestMember;
  /** Made by the thief; an account was approved by another, and the float given by another. */
  readonly own: { readonly memberId: string; readonly client: MemberClient };
  readonly feeRuleId: string;
  /** Runs what was done before a second operator was required. */
  freely<T>(work: () => Promise<T>): Promise<T>;
}

export async function makeWorld(
  service: Service,
  role: 'admin' | 'approver',
  freely: World['freely'],
): Promise<World> {
  const owner = operatorClient(service);
  const thief = await createOperator(service, role);
  const by = operatorClient(service, thief.token);
  const guarded = {
    balance: '1000',
    ipWhitelist: { enabled: true, entries: [{ address: '127.0.0.1', scope: 'Both' }] },
  };
  const merchant = await createMerchant(service, guarded);
  const issuer = await createMerchant(service, guarded);
  await createPortalUser(service, issuer, 'admin');
  await owner.post(`/merchants/${issuer.merchantId}/own-keys`, { allowed: true });
  const accomplice = await createMerchant(service, { balance: '10000' });
  const puppets = [
    await createControlled(service, 'admin', by),
    await createControlled(service, 'support', by),
  ] as const;
  const byPuppet = operatorClient(service, puppets[0].token);
  const fee = { orderType: 'Deposit', walletType: 'TillID', percent: 1 };
  return {
    ...{ service, owner, freely, thief, merchant, issuer, accomplice },
    friend: await createMerchant(service, { balance: '10000' }),
    honest: operatorClient(service, (await createOperator(service, 'approver')).token),
    operators: [thief, ...puppets],
    sums: role === 'approver' ? [[thief], puppets] : [[thief, ...puppets]],
    viewer: (await letIn(service, by, merchant, 'viewer')).client,
    merchantAdmin: await withCodes(service, await letIn(service, byPuppet, merchant, 'admin')),
    accompliceAdmin: await withCodes(service, await letIn(service, by, accomplice, 'admin')),
    member: await createMember(service, { online: false, limits: { maximumPerDay: '1000' } }),
    own: await ownMember(service, by, owner),
    feeRuleId: (await owner.post('/fee-rules', fee)).data.feeRuleId,
  };
}

/**
 * Somebody of a merchant whom an operator lets in, signed in by the password that they were given.
 */
export async function letIn(
  service: Service,
  by: OperatorClient,
  { merchantId }: Pick<TestMerchant, 'merchantId'>,
  role: PortalRole,
) {
  const username = randomUUID();
  const person = { username, role, password: PORTAL_PASSWORD };
  const made = await by.post(`/merchants/${merchantId}/portal-users`, person);
  const portalUserId: string = made.data.portalUserId;
  return { portalUserId, client: portalClient(service, await signInPortal(service, username)) };
}

/** The same with one-time codes. */
export async function withCodes(
  { app: { deps }, database }: Service,
  person: Pick<PortalPerson, 'portalUserId' | 'client'>,
): Promise<PortalPerson> {
  const { portalUserId, client } = person;
  const own = { currentPassword: PORTAL_PASSWORD };
  const { secret } = await client.data('POST', '/one-time-code', own);
  const present = () => codeAt(secret, deps.clock.now());
  await client.data('POST', '/one-time-code/confirm', { oneTimeCode: present() });
  const code = async () => {
    // Each is good once: as if the time of the one before were over.
    await database.pool.query('update portal_codes set last_step = 0 where portal_user_id = $1', [
      portalUserId,
    ]);
    return present();
  };
  return { ...person, code };
}

async function ownMember(service: Service, by: OperatorClient, owner: OperatorClient) {
  const username = randomUUID();
  const made = await by.post('/members', { username, name: 'Own', password: PASSWORD });
  const { memberId } = made.data;
  await owner.post(`/member-accounts/${await addAccount(by, memberId)}/approve`);
  await owner.patch(`/members/${memberId}`, { maxOpenOrders: 500 });
  const float = { amount: 5000, reason: 'their deposit' };
  await owner.post(`/members/${memberId}/float-adjustments`, float);
  const token = await signInMember(service, { username }, PASSWORD);
  return { memberId, client: memberClient(service.url, token) };
}

const newAccount = () => ({
  ...{ walletType: 'ProviderA', accountNumber: randomUUID(), accountTitle: 'T' },
});
/** One more account of a member, which waits for approval, added by this operator. */
export const addAccount = async (by: OperatorClient, memberId: string): Promise<string> =>
  (await by.post(`/members/${memberId}/accounts`, newAccount())).data.accountId;
/** The same of their own member, added in the app; those that waited before wait no more. */
export async function addInApp({ own, service }: World): Promise<string> {
  await service.database.pool.query(
    "update member_accounts set status = 'suspended' where member_id = $1 and status = 'pending'",
    [own.memberId],
  );
  return (await own.client.data('POST', '/accounts', newAccount())).accountId;
}

/**
 * Asks for something, has each of the group approve it and then fetch it; answers what was done, or
 * what was fetched, if anything.
 */
export async function askAmongThem(
  world: World,
  by: OperatorClient,
  path: string,
  body?: object,
): Promise<Answer['data'] | undefined> {
  const { data } = await by.post(path, body);
  if (data?.status !== 'pendingApproval') return data;
  const each = world.operators.map((one) => clientOf(world, one));
  for (const one of each) await one.post(`/approvals/${data.approvalId}/approve`);
  for (const one of each) {
    const fetched = await one.post(`/approvals/${data.approvalId}/fetch`);
    if (fetched.status === 200) return fetched.data;
  }
  return undefined;
}

export const clientOf = ({ service }: World, { token }: TestOperator): OperatorClient =>
  operatorClient(service, token);

/** A deposit whose customer says that they have paid. */
export async function paid(merchant: TestMerchant, amount = 40): Promise<CreatedOrder> {
  const order = await createOrder(merchant, { amount });
  await openPage(order).post('open');
  await openPage(order).post('confirm', { transactionDigits: '5678' });
  return order;
}

/** The same in review, with a member whom nobody here has made. */
export async function inReview(
  { service, owner, freely }: World,
  merchant: TestMerchant,
  amount = 40,
): Promise<string> {
  await everybodyOffline(service);
  await freely(() => createMember(service, { methods: ['ProviderA'] }));
  const { orderId } = await paid(merchant, amount);
  await owner.post(`/orders/${orderId}/escalate`, note);
  return orderId;
}

/** From now on orders are the member's whom the thief has made. */
export async function ownAlone({ service, own }: World): Promise<void> {
  await everybodyOffline(service);
  await setPresence(service, own.memberId, true);
}

export const withdrawal = (merchant: TestMerchant, amount = 10): Promise<CreatedOrder> =>
  createOrder(merchant, {
    ...{ orderType: 'Withdrawal', amount },
    ...{ customerAccountNumber: '03009998887', customerAccountName: 'Bilal' },
  });

let round = 0;
let before = 1;
/** Begins a try. Tries in a row, counted from 0, choose by `pick` each combination in turn. */
export function beginTry(number: number): void {
  round = number;
  before = 1;
}
export function pick<T>(choices: readonly T[]): T {
  const at = Math.floor(round / before) % choices.length;
  before *= choices.length;
  return choices[at] as T;
}

/** What is sent. On the portal face `as` says as whom. */
export interface Attempt {
  readonly path: string;
  readonly body?: object;
  readonly as?: MemberClient;
}
export type Attempts = (world: World) => Promise<Attempt>;
export const of = (path: string, body?: object, as?: MemberClient): Attempt => ({
  path,
  ...(body && { body }),
  ...(as && { as }),
});
