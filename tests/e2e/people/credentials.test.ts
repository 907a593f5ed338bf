import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  type TestMember,
} from '../../support/fixtures.ts';
import { type MemberClient, memberClient } from '../../support/member-client.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * With `requireSecondOperator`, an operator who gets a way to sign in as an established member gets
 * none of the member's approved accounts with it (security.md#two-operators).
 */

const { test, service } = await serviceTest();
const other = await startService({}, service);
afterAll(() => other.close());
const OLD = 'what the member chose';
const NEW = 'what the thief has chosen';
const thief = await createOperator(service, 'admin');
const asker = operatorClient(service, thief.token);
const second = operatorClient(service);
const third = secondOperator(service);
const merchant = await createMerchant(service, { balance: '1000' });
beforeEach(() => require(true));
afterEach(async () => {
  await expectSound(service);
  await everybodyOffline(service);
});

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await service.database.pool.query(text, [...values])).rows;
const require = (on: boolean) =>
  sql('update settings set require_second_operator = $1, adjustment_approval_limit = 100', [on]);
/** A member with float from before the rule was turned on. */
async function established(): Promise<TestMember> {
  await require(false);
  const made = await createMember(service, { methods: ['ProviderA', 'ProviderB'], password: OLD });
  await require(true);
  return made;
}

/**
 * The token of a link that the asker asked for, another operator approved and the asker fetched.
 */
async function linkTo({ memberId }: TestMember) {
  const { approvalId } = (await asker.post(`/members/${memberId}/recovery-link`)).data;
  expect((await second.post(`/approvals/${approvalId}/approve`)).data.status).toBe('approved');
  const { link } = (await asker.post(`/approvals/${approvalId}/fetch`)).data;
  return new URL(link).hash.slice(1);
}
const useLink = (token: string, { url } = service) =>
  memberClient(url, '').call('POST', '/recovery', { token, newPassword: NEW });
const signIn = ({ username }: TestMember, password: string) =>
  memberClient(service.url, '').call('POST', '/session', { username, password });
const clientOf = async (member: TestMember): Promise<MemberClient> =>
  memberClient(service.url, (await signIn(member, NEW)).json.data.token);
const standing = async ({ memberId }: TestMember) => {
  const { online, accounts } = (await second.get(`/members/${memberId}`)).data;
  return [online, ...accounts.map(({ status }: { status: string }) => status).toSorted()];
};
const BACK = [false, 'pending', 'pending'];
const orderOf = async (orderId: string) => (await second.get(`/orders/${orderId}`)).data;
const statusOf = async (orderId: string): Promise<string> => (await orderOf(orderId)).status;
const approve = (by: OperatorClient, accountId: string) =>
  by.post(`/member-accounts/${accountId}/approve`);
const approveRequest = (by: OperatorClient, approvalId: string, key?: string) =>
  by.post(`/approvals/${approvalId}/approve`, undefined, key);
const accountOf = ({ accounts }: TestMember) => accounts[0]?.accountId as string;
const entriesOf = async ({ memberId }: TestMember) =>
  (await second.get(`/audit-log?target=${memberId}`)).data.map(
    ({ action }: { action: string }) => action,
  );

/** What waits for rows that a transaction of a test holds. */
const waiting = async (name: string) =>
  sql(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and application_name = $1`,
    [name],
  );
/** Runs `work` while transactions that need these rows wait. */
async function holding<T>(statement: string, value: string, work: () => Promise<T>): Promise<T> {
  const holder = await service.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(statement, [value]);
    return await work();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}
/**
 * Keeps a use of a link before its commit: the password is set, and the accounts go back next.
 */
const beforePassword = <T>({ memberId }: TestMember, work: () => Promise<T>) =>
  holding('select from recovery_links where principal_id = $1 for update', memberId, work);
const SERVICE = 'munshi';

describe('a link of an established member', () => {
  test('gives its asker no approved account: an operator outside approves each again', async () => {
    const member = await established();
    const paid = await createOrder(merchant, { walletType: 'ProviderA' });
    await openPage(paid).data('open');
    await openPage(paid).data('confirm', { transactionDigits: '5678' });
    const seen = await createOrder(merchant, { walletType: 'ProviderA', amount: 20 });
    await openPage(seen).data('open');
    const unseen = await createOrder(merchant, { walletType: 'ProviderB' });
    const token = await linkTo(member);
    expect(await standing(member)).toEqual([true, 'approved', 'approved']);

    expect((await useLink(token)).json.data).toEqual({ username: member.username });
    expect(await standing(member)).toEqual(BACK);
    expect(await statusOf(seen.orderId)).toBe('CancelledAuto');
    expect(await orderOf(unseen.orderId)).toMatchObject({
      status: 'Queued',
      member: null,
    });
    expect(await statusOf(paid.orderId)).toBe('AwaitingMemberConfirmation');
    const log = (await second.get(`/audit-log?target=${member.memberId}`)).data;
    const entry = log.find(({ action }: { action: string }) => action === 'member.update');
    expect(entry).toMatchObject({
      actor: { kind: 'clock' },
      detail: { because: 'credential', online: false, accountStatus: 'pending' },
    });
    expect(entry.detail.accounts.split(', ').toSorted()).toEqual(
      member.accounts.map(({ accountId }) => accountId).toSorted(),
    );

    const client = await clientOf(member);
    await client.data('POST', '/presence', { online: true });
    expect((await client.data('GET', '/me')).accounts).toMatchObject([
      { status: 'pending' },
      { status: 'pending' },
    ]);
    expect(await approve(asker, accountOf(member))).toMatchObject({
      status: 403,
      error: expect.stringMatching(/^You made this member, or a password or link of theirs/),
    });
    expect(await standing(member)).toEqual([true, 'pending', 'pending']);
    const none = await createOrder(merchant, { walletType: 'ProviderA', amount: 30 });
    expect((await orderOf(none.orderId)).member).toBeNull();

    expect((await approve(third, accountOf(member))).data.status).toBe('approved');
    const order = await createOrder(merchant, { walletType: 'ProviderA', amount: 40 });
    expect((await orderOf(order.orderId)).member.memberId).toBe(member.memberId);
  });

  test('leaves who gets no orders as they are', async () => {
    const member = await createMember(service, { methods: [], online: false });
    expect((await useLink(await linkTo(member))).status).toBe(200);
    expect(await entriesOf(member)).not.toContain('member.update');
  });

  test('changes nothing by being made, read, or used with a weak password or twice', async () => {
    const member = await established();
    const token = await linkTo(member);
    const nobody = memberClient(service.url, '');
    await nobody.data('POST', '/recovery/read', { token });
    const weak = await nobody.call('POST', '/recovery', { token, newPassword: 'password1234' });
    expect(weak.status).toBe(400);
    expect(await standing(member)).toEqual([true, 'approved', 'approved']);
    expect((await useLink(token)).status).toBe(200);
    for (const { accountId } of member.accounts) await approve(third, accountId);
    expect((await useLink(token)).status).toBe(410);
    expect(await standing(member)).toEqual([false, 'approved', 'approved']);
  });

  test('gives a new password and nothing else while one operator is enough', async () => {
    const member = await established();
    await require(false);
    const order = await createOrder(merchant, { walletType: 'ProviderA' });
    const { link } = (await asker.post(`/members/${member.memberId}/recovery-link`)).data;
    expect((await useLink(new URL(link).hash.slice(1))).status).toBe(200);
    expect(await standing(member)).toEqual([true, 'approved', 'approved']);
    expect((await orderOf(order.orderId)).member.memberId).toBe(member.memberId);
    expect(await entriesOf(member)).not.toContain('member.update');
    expect((await approve(asker, accountOf(member))).status).toBe(200);
  });

  test('that was made while one was enough puts the accounts back once two are needed', async () => {
    const member = await established();
    await require(false);
    const { link } = (await asker.post(`/members/${member.memberId}/recovery-link`)).data;
    await require(true);
    expect((await useLink(new URL(link).hash.slice(1))).status).toBe(200);
    expect(await standing(member)).toEqual(BACK);
  });
});

describe('while the accounts are put back and the password is set', () => {
  test('a use that breaks off leaves everything as it was, and the link is still good', async () => {
    const member = await established();
    const order = await createOrder(merchant, { walletType: 'ProviderA' });
    const token = await linkTo(member);
    await beforePassword(member, async () => {
      const broken = useLink(token);
      await expect.poll(() => waiting(SERVICE)).toHaveLength(1);
      await sql('select pg_terminate_backend($1::integer)', [(await waiting(SERVICE))[0].pid]);
      expect((await broken).status).toBeGreaterThanOrEqual(500);
    });
    expect(await standing(member)).toEqual([true, 'approved', 'approved']);
    expect((await orderOf(order.orderId)).member.memberId).toBe(member.memberId);
    expect((await signIn(member, NEW)).status).toBe(401);
    expect((await signIn(member, OLD)).status).toBe(200);
    expect(await entriesOf(member)).not.toContain('member.recover');
    expect((await useLink(token)).status).toBe(200);
    expect((await signIn(member, NEW)).status).toBe(200);
    expect(await standing(member)).toEqual(BACK);
    expect((await orderOf(order.orderId)).member).toBeNull();
  });

  test('the minutely job takes the deposits of a process that died with the accounts put back', async () => {
    const { memberId } = await established();
    const order = await createOrder(merchant, { walletType: 'ProviderA' });
    await openPage(order).data('open');
    await service.app.deps.engine.submit({
      kind: 'update-member',
      commandId: order.orderId,
      memberId,
      putBack: 'credential',
      actor: { kind: 'clock', id: null },
    });
    expect(await statusOf(order.orderId)).toBe('AwaitingCustomerPayment');
    await advance(service, 61);
    await expect.poll(() => statusOf(order.orderId)).toBe('CancelledAuto');
  });

  test('an approval that the asker sends meanwhile waits, and is refused', async () => {
    const member = await established();
    const token = await linkTo(member);
    const { using, approving } = await beforePassword(member, async () => {
      const asked = useLink(token);
      await expect.poll(() => waiting(SERVICE)).toHaveLength(1);
      const late = approve(operatorClient(other, thief.token), accountOf(member));
      await expect.poll(() => waiting(SERVICE)).toHaveLength(2);
      return { using: asked, approving: late };
    });
    expect((await using).status).toBe(200);
    expect((await approving).status).toBe(403);
    expect(await standing(member)).toEqual(BACK);
  });

  test('two uses at once, in two processes, set one password', async () => {
    const member = await established();
    const token = await linkTo(member);
    const uses = await Promise.all([useLink(token), useLink(token, other), useLink(token)]);
    const [used, ...others] = uses.map(({ status }) => status).toSorted();
    expect(used).toBe(200);
    // One password is hashed at a time by a link in a process: too many tries, or it was used.
    for (const status of others) expect([410, 429]).toContain(status);
    expect(await standing(member)).toEqual(BACK);
    const backs = (await entriesOf(member)).filter((action: string) => action === 'member.update');
    expect(backs).toHaveLength(1);
  });
});

describe('a password that an operator gives an established member', () => {
  const ask = async ({ memberId }: TestMember) => {
    const asked = await asker.patch(`/members/${memberId}`, { password: NEW });
    return asked.data.approvalId as string;
  };

  test('puts the accounts back before it works, which its asker does not approve', async () => {
    const member = await established();
    const order = await createOrder(merchant, { walletType: 'ProviderA' });
    const approvalId = await ask(member);
    await second.post(`/approvals/${approvalId}/approve?preview=true`);
    expect((await approveRequest(asker, approvalId)).status).toBe(403);
    expect(await standing(member)).toEqual([true, 'approved', 'approved']);
    expect((await approveRequest(second, approvalId, 'once')).data.status).toBe('done');
    expect((await approveRequest(second, approvalId, 'once')).data.status).toBe('done');
    expect(await standing(member)).toEqual(BACK);
    expect((await orderOf(order.orderId)).member).toBeNull();
    expect((await signIn(member, NEW)).status).toBe(200);
    expect((await approve(asker, accountOf(member))).status).toBe(403);
    expect((await approve(third, accountOf(member))).status).toBe(200);
    expect((await approveRequest(third, approvalId)).status).toBe(409);
    expect(await standing(member)).toEqual([false, 'approved', 'pending']);
  });

  test('changes nothing where it is declined, or only a name is given', async () => {
    const member = await established();
    await second.post(`/approvals/${await ask(member)}/decline`, { note: 'no' });
    await asker.patch(`/members/${member.memberId}`, { name: 'Another' });
    expect(await standing(member)).toEqual([true, 'approved', 'approved']);
  });
});
