import { randomUUID } from 'node:crypto';
import type { PortalRole } from '@munshi/core';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { nextCode, withPortalCodes } from '../../support/authenticator.ts';
import { advance, createMerchant, type TestMerchant } from '../../support/fixtures.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { PORTAL_PASSWORD, portalClient, signInPortal } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * Who gets a merchant's API key that two operators have agreed to: its own people, so that the one
 * who asked cannot spend its balance (security.md#two-operators).
 */

const { test, service } = await serviceTest();
const { pool } = service.database;
const thief = await createOperator(service, 'admin', 'Omar Thief');
const asker = operatorClient(service, thief.token);
const second = operatorClient(service);
const third = secondOperator(service);
beforeEach(() => require(true));
afterEach(() => expectSound(service));

const require = (on: boolean) =>
  pool.query('update settings set require_second_operator = $1', [on]);

/** A merchant without people; made while one operator is enough. */
async function shop(more: object = {}): Promise<TestMerchant> {
  await require(false);
  const merchant = await createMerchant(service, { balance: '1000', ...more });
  await require(true);
  return merchant;
}

interface Hired {
  readonly by?: OperatorClient;
  readonly name?: string;
  readonly role?: PortalRole;
  readonly codes?: boolean;
}
/** Lets somebody in at a merchant, with one-time codes unless without. */
async function hire(
  { merchantId }: Pick<TestMerchant, 'merchantId'>,
  { by = third, name = 'Hina Malik', role = 'admin', codes = true }: Hired = {},
) {
  const username = `portal-${randomUUID()}`;
  const body = { username, name, role, password: PORTAL_PASSWORD };
  await require(false);
  const { data } = await by.post(`/merchants/${merchantId}/portal-users`, body);
  await require(true);
  const client = portalClient(service, await signInPortal(service, username));
  const code = codes ? (await withPortalCodes(service, client)).code : () => '000000';
  const fetch = async (approvalId: string, oneTimeCode = code(), key?: string) =>
    client.call('POST', `/api-key-requests/${approvalId}/fetch`, { oneTimeCode }, key);
  const ready = () => client.data('GET', '/api-key-requests');
  return { portalUserId: data.portalUserId as string, username, client, code, fetch, ready };
}

const ask = async ({ merchantId }: TestMerchant, path = ''): Promise<string> =>
  (await asker.post(`/merchants/${merchantId}/api-keys${path}`)).data.approvalId;
const read = async (approvalId: string, by = second) =>
  (await by.get(`/approvals/${approvalId}`)).data;
const approve = (approvalId: string, by = second) => by.post(`/approvals/${approvalId}/approve`);
const fetchAsApprover = (approvalId: string, by = second) =>
  by.post(`/approvals/${approvalId}/fetch`);
async function approved(merchant: TestMerchant, path = ''): Promise<string> {
  const approvalId = await ask(merchant, path);
  expect((await approve(approvalId)).data.status).toBe('approved');
  return approvalId;
}
const keysOf = async ({ merchantId }: TestMerchant) =>
  (await second.get(`/merchants/${merchantId}/api-keys`)).data.length;
const works = async (apiKey: string) => {
  const headers = { 'SVC-API-Key': apiKey };
  return (await fetch(`${service.url}/api/merchant/orders/balance`, { headers })).status === 200;
};
const BY_MERCHANT = {
  status: 403,
  error: 'This merchant has an admin with one-time codes, who fetches the key in the portal.',
};

describe('of a merchant with people of its own', () => {
  test('they fetch it, by a one-time code, and operators are refused', async () => {
    const merchant = await shop();
    const hina = await hire(merchant);
    await hire(merchant, { name: 'Without Codes', codes: false });
    await hire(merchant, { name: 'A Viewer', role: 'viewer' });
    const asked = (await asker.post(`/merchants/${merchant.merchantId}/api-keys`)).data;
    const { approvalId } = asked;
    const { request } = await read(approvalId);
    expect(asked.request).toEqual(request);
    expect(request).toEqual({
      merchantId: merchant.merchantId,
      merchant: 'Test Merchant',
      revokesOthers: false,
      ipWhitelist: 'off',
      balance: '1000',
    });
    expect(await hina.ready()).toEqual([]);
    expect((await hina.fetch(approvalId)).status).toBe(409);
    expect((await approve(approvalId)).data.status).toBe('approved');
    for (const by of [asker, second])
      expect(await read(approvalId, by)).toMatchObject({
        fetcher: 'merchant',
        allowedActions: ['decline'],
      });
    expect(await fetchAsApprover(approvalId)).toMatchObject(BY_MERCHANT);

    expect(await hina.ready()).toEqual([
      {
        approvalId,
        requestedName: 'Omar Thief',
        approvedAt: expect.any(String),
        fetchableUntil: expect.any(String),
        revokesOthers: false,
      },
    ]);
    const oneTimeCode = hina.code();
    const first = await hina.fetch(approvalId, oneTimeCode, 'once');
    const repeat = await hina.fetch(approvalId, oneTimeCode, 'once');
    const { apiKey, signingSecret, ...shown } = first.json.data;
    expect(signingSecret).toMatch(/^sksec_/);
    expect(repeat.json.data).toEqual({ ...shown, secretShown: true });
    expect(await works(apiKey)).toBe(true);
    expect((await read(approvalId)).status).toBe('done');
    expect(await hina.ready()).toEqual([]);
    const [entry] = (await second.get('/audit-log?action=api-key.create')).data;
    expect(entry).toMatchObject({
      actor: { kind: 'portal', id: hina.portalUserId },
      target: merchant.merchantId,
      detail: { ...shown, approvalId, askedBy: thief.operatorId, approvedBy: 'env-1' },
    });
  });

  test('one that revokes the others revokes them when it is fetched', async () => {
    const merchant = await shop();
    const hina = await hire(merchant);
    const approvalId = await approved(merchant, '/regenerate');
    expect(await hina.ready()).toMatchObject([{ approvalId, revokesOthers: true }]);
    expect(await works(merchant.apiKey)).toBe(true);
    const { json } = await hina.fetch(approvalId);
    expect([await works(merchant.apiKey), await works(json.data.apiKey)]).toEqual([false, true]);
    const [entry] = (await second.get('/audit-log?action=api-key.regenerate')).data;
    expect(entry.actor.id).toBe(hina.portalUserId);
  });

  test('with a wrong code nothing happens', async () => {
    const merchant = await shop();
    const hina = await hire(merchant);
    const approvalId = await approved(merchant);
    const before = await keysOf(merchant);
    const wrong = await hina.fetch(approvalId, '000000');
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([400, ['$.oneTimeCode']]);
    expect(await keysOf(merchant)).toBe(before);
    expect((await read(approvalId)).status).toBe('approved');
    expect((await hina.fetch(approvalId)).status).toBe(200);
  });

  test('two who fetch at once make one key', async () => {
    const merchant = await shop();
    const people = [await hire(merchant), await hire(merchant, { name: 'Bilal Ahmed' })];
    const approvalId = await approved(merchant);
    const before = await keysOf(merchant);
    const answers = await Promise.all(people.map((one) => one.fetch(approvalId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await keysOf(merchant)).toBe(before + 1);
  });

  test('nobody else of theirs or of another merchant fetches it, nor anybody after a day', async () => {
    const [merchant, other] = [await shop(), await shop()];
    const hina = await hire(merchant);
    const viewer = await hire(merchant, { role: 'viewer' });
    const stranger = await hire(other);
    const approvalId = await approved(merchant);
    expect((await viewer.fetch(approvalId)).json.code).toBe('role-too-low');
    expect((await viewer.client.call('GET', '/api-key-requests')).json.code).toBe('role-too-low');
    expect((await stranger.fetch(approvalId)).json.code).toBe('not-found');
    expect(await stranger.ready()).toEqual([]);
    await advance(service, 86_400);
    const again = portalClient(service, await signIn(hina));
    expect(await again.data('GET', '/api-key-requests')).toEqual([]);
    await nextCode(service);
    const body = { oneTimeCode: hina.code() };
    const late = await again.call('POST', `/api-key-requests/${approvalId}/fetch`, body);
    expect(late.json.code).toBe('wrong-state');
  });
});

const signIn = async ({ username, code }: Awaited<ReturnType<typeof hire>>): Promise<string> => {
  const body = { username, password: PORTAL_PASSWORD, oneTimeCode: code() };
  return (await portalClient(service, '').data('POST', '/session', body)).token;
};

describe('an admin whom the asker let in', () => {
  test('does not count as the merchant’s people, and fetches nothing', async () => {
    const merchant = await shop();
    const own = await hire(merchant, { by: asker, name: 'Puppet' });
    const approvalId = await approved(merchant);
    expect(await own.ready()).toEqual([]);
    expect((await own.fetch(approvalId)).json.code).toBe('second-operator');
    // Nor does anybody whom that person has let in.
    const invited = await own.client.data('POST', '/people', {
      ...{ username: `invited-${randomUUID()}`, role: 'admin', oneTimeCode: own.code() },
    });
    const token = invited.link.slice(invited.link.indexOf('#') + 1);
    const nobody = portalClient(service, '');
    await nobody.data('POST', '/recovery', { token, newPassword: PORTAL_PASSWORD });
    const puppet = portalClient(service, await signInPortal(service, invited.username));
    const { code } = await withPortalCodes(service, puppet);
    const path = `/api-key-requests/${approvalId}/fetch`;
    const refused = await puppet.call('POST', path, { oneTimeCode: code() });
    expect([refused.status, refused.json.code]).toEqual([403, 'second-operator']);
    expect((await read(approvalId)).status).toBe('approved');
    const hina = await hire(merchant);
    expect(await fetchAsApprover(approvalId)).toMatchObject(BY_MERCHANT);
    expect((await hina.fetch(approvalId)).status).toBe(200);
  });
});

describe('of a merchant without people', () => {
  test('an approver fetches it, and never the asker', async () => {
    const merchant = await shop();
    const approvalId = await approved(merchant);
    expect((await read(approvalId, asker)).allowedActions).toEqual(['decline']);
    expect((await read(approvalId, third)).allowedActions).toEqual(['decline', 'fetch']);
    expect(await fetchAsApprover(approvalId, asker)).toMatchObject({
      status: 403,
      error:
        'A key is fetched by an admin of its merchant with one-time codes, or where there is none by an approver who did not ask for it.',
    });
    expect((await fetchAsApprover(approvalId, third)).data.apiKey).toMatch(/^mk_live_/);
  });

  test('the request says from where it works and what it can pay out', async () => {
    const merchant = await shop({
      ipWhitelist: {
        enabled: true,
        entries: [
          { address: '203.0.113.7', scope: 'Both' },
          { address: '198.51.100.0/24', scope: 'Deposit' },
        ],
      },
    });
    expect((await read(await ask(merchant))).request).toEqual({
      merchantId: merchant.merchantId,
      merchant: 'Test Merchant',
      revokesOthers: false,
      ipWhitelist: '203.0.113.7 (Both), 198.51.100.0/24 (Deposit)',
      balance: '1000',
    });
  });

  test('another balance makes it no other request, and another whitelist does', async () => {
    const merchant = await shop();
    const approvalId = await ask(merchant);
    await require(false);
    const more = { kind: 'credit', amount: 500, reason: 'paid in' };
    await second.post(`/merchants/${merchant.merchantId}/adjustments`, more);
    await require(true);
    expect((await approve(approvalId)).data).toMatchObject({
      status: 'approved',
      request: { balance: '1000' },
    });
    const waiting = await ask(merchant);
    await second.patch(`/merchants/${merchant.merchantId}`, {
      ipWhitelist: { enabled: true, entries: [{ address: '203.0.113.7', scope: 'Both' }] },
    });
    const outdated = {
      status: 409,
      error: 'It would no longer do what it says here. Decline it, and have it asked for again.',
    };
    expect(await approve(waiting)).toMatchObject(outdated);
    expect(await fetchAsApprover(approvalId)).toMatchObject(outdated);
  });
});

test('without the rule an operator gets a key at once', async () => {
  const merchant = await shop();
  await hire(merchant);
  await require(false);
  const { data } = await asker.post(`/merchants/${merchant.merchantId}/api-keys`);
  expect(await works(data.apiKey)).toBe(true);
});
