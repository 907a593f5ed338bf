import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/** Adding an account is one rule, whether the member does it or an operator for them. */

const PASSWORD = 'correct horse';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service);
afterEach(async () => {
  await everybodyOffline(service);
  await expectSound(service);
});

type Face = 'member' | 'operator';
const FACES = ['member', 'operator'] as const;

/** A member without accounts, and their account list as they and as operators see it. */
async function newMember(online = false) {
  const member = await createMember(service, { password: PASSWORD, methods: [], online });
  const { memberId } = member;
  const client = memberClient(service.url, await signInMember(service, member, PASSWORD));
  return {
    memberId,
    client,
    /** Adds an account over a face; a text is sent as it is. */
    async add(face: Face, body: object | string) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      if (face === 'member') {
        const { status, json } = await client.raw('POST', '/accounts', text);
        return { status, data: json.data, error: json.error, errors: json.errors };
      }
      const { status, data, error, errors } = await operator.post(
        `/members/${memberId}/accounts`,
        text,
      );
      return { status, data, error, errors };
    },
    async accounts() {
      return (await operator.get(`/members/${memberId}`)).data.accounts;
    },
  };
}

const ACCOUNT = { walletType: 'ProviderA', accountNumber: '0300', accountTitle: 'Aisha' };

describe.each(FACES)('an account that is added by the %s', (face) => {
  test('is pending, without the spaces around it, and takes no orders before it is approved', async () => {
    const member = await newMember(true);
    const body = {
      walletType: 'ProviderATillID',
      accountNumber: ' 778899 ',
      accountTitle: ' Shop ',
      maximumPerDay: 1000.5,
    };
    const { status, data } = await member.add(face, body);
    const { memberId: _, createdBy: __, allowedActions: ___, ...rest } = data;
    const { qrContent: ____, qrWarnings: _____, ...shown } = rest;
    expect([status, shown]).toMatchObject([
      200,
      {
        walletType: 'ProviderATillID',
        accountNumber: '778899',
        accountTitle: 'Shop',
        qrPayload: null,
        qrAmount: true,
        status: 'pending',
        paused: false,
        minimumPerOrder: null,
        maximumPerOrder: null,
        maximumPerDay: 1000.5,
        usedToday: 0,
      },
    ]);
    expect(await member.accounts()).toEqual([
      {
        ...shown,
        memberId: member.memberId,
        createdBy: face === 'operator' ? 'env-1' : null,
        qrContent: null,
        qrWarnings: [],
        allowedActions: ['approve', 'suspend', 'change-limits'],
      },
    ]);
    expect(await member.client.data('GET', '/accounts')).toEqual([shown]);
    expect((await createOrder(merchant, { walletType: 'ProviderATillID' })).status).toBe(
      'Awaiting',
    );
  });

  test('may have a minimum of 0, and a maximum that equals the minimum', async () => {
    const member = await newMember();
    const { data } = await member.add(face, { ...ACCOUNT, minimumPerOrder: 0, maximumPerDay: 1 });
    expect(data).toMatchObject({ minimumPerOrder: 0, maximumPerDay: 1 });
    const other = { ...ACCOUNT, accountNumber: '1', minimumPerOrder: 5, maximumPerOrder: 5 };
    expect((await member.add(face, other)).status).toBe(200);
  });

  const ABOVE_0 = 'must be greater than 0.';
  test.each<[object, string, string | RegExp]>([
    [{ walletType: 'Cash' }, '$.walletType', 'must be one of'],
    [{ accountNumber: '' }, '$.accountNumber', /./],
    [{ accountNumber: '1'.repeat(51) }, '$.accountNumber', /./],
    [{ accountTitle: ' ' }, '$.accountTitle', /./],
    [{ accountTitle: undefined }, '$.accountTitle', 'This field is required.'],
    [{ status: 'approved' }, '$.status', 'There is no such field.'],
    [{ minimumPerOrder: -0.0001 }, '$.minimumPerOrder', 'must not be negative.'],
    [{ maximumPerOrder: 0 }, '$.maximumPerOrder', ABOVE_0],
    [{ maximumPerDay: 0 }, '$.maximumPerDay', ABOVE_0],
    [
      { minimumPerOrder: 5, maximumPerOrder: 4.9999 },
      '$.maximumPerOrder',
      'must not be less than minimumPerOrder.',
    ],
    [
      { qrPayload: 'ü'.repeat(257) },
      '$.qrPayload',
      'must have at most 512 bytes of UTF-8; it has 514.',
    ],
  ])('is refused with %j, naming %s', async (change, field, message) => {
    const member = await newMember();
    const { status, errors } = await member.add(face, { ...ACCOUNT, ...change });
    expect([status, Object.keys(errors)]).toEqual([400, [field]]);
    expect(errors[field].join(' ')).toMatch(message);
    expect(await member.accounts()).toEqual([]);
  });

  test.each(FACES)('is refused where the %s has added the same number before', async (before) => {
    const [member, other] = [await newMember(), await newMember()];
    const mobile = { ...ACCOUNT, accountNumber: '0300 123-4567' };
    expect((await member.add(before, mobile)).status).toBe(200);
    expect(await member.add(face, { ...mobile, accountNumber: '+923001234567' })).toMatchObject({
      status: 409,
      error: 'This ProviderA account has been added already.',
    });
    expect((await member.add(face, { ...mobile, walletType: 'ProviderB' })).status).toBe(200);
    expect((await other.add(face, mobile)).status).toBe(200);
    expect(await member.accounts()).toHaveLength(2);
  });

  test('is added once, however many ask at once', async () => {
    const member = await newMember();
    const asked = Array.from({ length: 8 }, () => member.add(face, ACCOUNT));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(409)]);
    expect(await member.accounts()).toHaveLength(1);
  });

  test('is in the audit log with who added it', async () => {
    const member = await newMember();
    const { data } = await member.add(face, ACCOUNT);
    const log = await operator.get(`/audit-log?target=${data.accountId}&action=account.create`);
    const id = face === 'member' ? member.memberId : 'env-1';
    expect(log.data).toMatchObject([
      { actor: { kind: face, id }, detail: { memberId: member.memberId, walletType: 'ProviderA' } },
    ]);
  });
});

test('members see their own accounts alone, and why no orders come to them', async () => {
  const [member, other] = [await newMember(true), await newMember()];
  await member.add('member', ACCOUNT);
  expect(await other.client.data('GET', '/accounts')).toEqual([]);
  expect(await member.client.data('GET', '/me')).toMatchObject({
    noOrdersBecause: [
      { code: 'no-approved-account', message: expect.stringContaining('1 of yours waits') },
    ],
  });
});

test('a member who has a hundred accounts, stopped ones too, adds no more; an operator does', async () => {
  const member = await newMember();
  for (let number = 0; number < 100; number += 1)
    await member.add('operator', { ...ACCOUNT, accountNumber: `03${number}` });
  for (const { accountId } of await member.accounts())
    await member.client.data('POST', `/accounts/${accountId}/stop`);
  expect(await member.add('member', ACCOUNT)).toMatchObject({
    status: 409,
    error:
      'You have 100 accounts, with those that you have stopped. Ask your operator to add more.',
  });
  expect((await member.add('operator', ACCOUNT)).status).toBe(200);
});

test('operators add accounts to suspended members too; an unknown member is not found', async () => {
  const member = await newMember();
  await operator.patch(`/members/${member.memberId}`, { status: 'suspended' });
  expect((await member.add('operator', ACCOUNT)).status).toBe(200);
  expect(await member.add('member', { ...ACCOUNT, accountNumber: '1' })).toMatchObject({
    status: 403,
  });
  expect(await operator.post(`/members/${randomUUID()}/accounts`, ACCOUNT)).toMatchObject({
    status: 404,
    error: 'Member not found.',
  });
});
