import { hash, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeEach, describe, expect } from 'vitest';
import { handingIn, photo } from '../../support/evidence.ts';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  orderStatus,
  setPresence,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const PASSWORD = 'correct horse';
const BYTES_MAX = 200 * 1024;

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '1000000' });

async function newMember(name: string) {
  const member = await createMember(service, {
    ...{ name, password: PASSWORD, online: false, methods: ['ProviderA'] },
    ...{ float: '1000000', maxOpenOrders: 100 },
  });
  const token = await signInMember(service, member, PASSWORD);
  const client = memberClient(service.url, token);
  return {
    ...member,
    handIn: (orderId: string, body: object) =>
      client.call('POST', `/orders/${orderId}/evidence`, body),
    list: (orderId: string) => client.data('GET', `/orders/${orderId}/evidence`),
    client,
    token,
  };
}
const [first, second] = [await newMember('Aisha'), await newMember('Bilal')];

// The first member is the only one there, so that every order comes to them.
beforeEach(async () => {
  await everybodyOffline(service);
  await setPresence(service, first.memberId, true);
});

async function confirmedDeposit(): Promise<CreatedOrder> {
  const order = await createOrder(merchant);
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4321' });
  return order;
}

const payout = () =>
  createOrder(merchant, {
    ...{ orderType: 'Withdrawal', amount: 250 },
    ...{ customerAccountNumber: '03009998887', customerAccountName: 'Bilal' },
  });

/** What an answer of bytes is, with its headers. */
async function picture(path: string, token: string) {
  const response = await fetch(`${service.url}/api${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const content = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, content };
}

const openedBy = async (orderId: string) =>
  (await operator.get(`/audit-log?action=evidence.open&target=${orderId}`)).data;

describe('a picture that a member hands in', () => {
  test('is drawn again, small and without what the camera wrote, for who sent it and for operators', async () => {
    const { orderId } = await confirmedDeposit();
    const before = await orderStatus(merchant, orderId);
    const camera = await sharp(await photo({ width: 3_000, height: 2_000 }))
      .withExif({ IFD0: { ImageDescription: 'secret place' } })
      .jpeg()
      .toBuffer();
    expect(camera.includes('secret place')).toBe(true);
    const body = {
      kind: 'reject',
      picture: `data:image/jpeg;base64,${camera.toString('base64')}`,
    };
    const { status, json } = await first.handIn(orderId, body);
    const { data } = json;
    expect([status, data]).toEqual([
      200,
      {
        ...{ evidenceId: expect.any(String), kind: 'reject', sentAt: expect.any(String) },
        ...{ bytes: expect.any(Number), width: 1600, height: 1067, deletedAt: null },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(await first.list(orderId)).toEqual([data]);

    const own = await picture(`/member/orders/${orderId}/evidence/${data.evidenceId}`, first.token);
    const kept = await sharp(own.content).metadata();
    expect(kept).toMatchObject({ format: 'webp', width: 1600, height: 1067 });
    expect([kept.exif, kept.xmp, kept.icc]).toEqual([undefined, undefined, undefined]);
    expect(own.content.includes('secret place')).toBe(false);
    expect([own.content.length, hash('sha256', own.content)]).toEqual([data.bytes, data.sha256]);

    const { data: detail } = await operator.get(`/orders/${orderId}`);
    expect(detail.evidence).toEqual([
      { ...data, memberId: first.memberId, memberName: 'Aisha', alsoFor: [] },
    ]);
    expect(await openedBy(orderId)).toEqual([]);
    expect(await orderStatus(merchant, orderId)).toEqual(before);
  });

  test('is opened by an operator under their name, each time, and by no viewer', async () => {
    const { orderId } = await confirmedDeposit();
    const { json } = await first.handIn(orderId, await handingIn());
    const { evidenceId, sha256 } = json.data;
    const path = `/operator/orders/${orderId}/evidence/${evidenceId}`;
    const opened = await picture(path, OPERATOR_TOKEN);
    expect(hash('sha256', opened.content)).toBe(sha256);
    expect(Object.fromEntries(opened.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    });
    const support = await createOperator(service, 'support');
    // What a write would only show is no way around the record.
    expect((await picture(`${path}?preview=true`, support.token)).status).toBe(200);
    expect(await openedBy(orderId)).toMatchObject([
      { actor: { id: support.operatorId }, detail: { evidenceId, sha256 } },
      { actor: { id: 'env-1' }, detail: { evidenceId, sha256 } },
    ]);

    const viewer = await createOperator(service, 'viewer');
    const seen = (await operatorClient(service, viewer.token).get(`/orders/${orderId}`)).data;
    expect([seen.canReveal, seen.evidence.length]).toEqual([false, 1]);
    expect((await picture(path, viewer.token)).status).toBe(403);
    const elsewhere = (await confirmedDeposit()).orderId;
    for (const nowhere of [
      `/operator/orders/${elsewhere}/evidence/${evidenceId}`,
      `/operator/orders/${orderId}/evidence/${randomUUID()}`,
    ])
      expect((await picture(nowhere, OPERATOR_TOKEN)).status).toBe(404);
    expect(await openedBy(orderId)).toHaveLength(2);
  });

  test('comes before the action or after it, also once the order is another member’s, who does not see it', async () => {
    const order = await confirmedDeposit();
    await first.client.data('POST', `/orders/${order.orderId}/confirm`);
    expect((await first.handIn(order.orderId, await handingIn())).status).toBe(200);

    const { orderId } = await payout();
    await everybodyOffline(service);
    await setPresence(service, second.memberId, true);
    await advance(service, 3_600);
    const { status, json } = await first.handIn(orderId, await handingIn(1, 'report'));
    expect(status).toBe(200);
    expect((await first.client.data('GET', `/orders/${orderId}`)).handedOver).toBe(true);
    expect((await second.handIn(orderId, await handingIn(2))).status).toBe(200);
    expect(await second.list(orderId)).toMatchObject([{ kind: 'confirm' }]);
    const others = `/member/orders/${orderId}/evidence/${json.data.evidenceId}`;
    expect((await picture(others, second.token)).status).toBe(404);
    expect((await picture(others, first.token)).status).toBe(200);

    // A member who never had the order.
    expect((await second.handIn(order.orderId, await handingIn())).status).toBe(404);
    expect((await second.client.call('GET', `/orders/${order.orderId}/evidence`)).status).toBe(404);
  });

  test('is one however often it is sent, and operators see where else it was handed in', async () => {
    const [one, other] = [await confirmedDeposit(), await confirmedDeposit()];
    const body = await handingIn(7);
    const answers = await Promise.all([1, 2, 3].map(() => first.handIn(one.orderId, body)));
    const [sent] = answers.map(({ json }) => json.data);
    expect(answers.map(({ status, json }) => [status, json.data])).toEqual(
      Array(3).fill([200, sent]),
    );
    expect(await first.list(one.orderId)).toEqual([sent]);

    await first.handIn(other.orderId, body);
    const { data } = await operator.get(`/orders/${other.orderId}`);
    const alsoFor = [{ orderId: one.orderId, orderReference: one.orderReference }];
    expect(data.evidence).toMatchObject([{ sha256: sent.sha256, alsoFor }]);
  });

  test('is kept once for an Idempotency-Key, which takes no other picture', async () => {
    const { orderId } = await confirmedDeposit();
    const key = randomUUID();
    const send = async (seed: number) => {
      const response = await fetch(`${service.url}/api/member/orders/${orderId}/evidence`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
          Authorization: `Bearer ${first.token}`,
        },
        body: JSON.stringify(await handingIn(seed)),
      });
      return [response.status, await response.json()];
    };
    const sent = await send(1);
    expect(await send(1)).toEqual(sent);
    expect(await send(2)).toMatchObject([422, { code: 'key-reused' }]);
    expect(await first.list(orderId)).toHaveLength(1);
  });

  test('is one of five of the order, however many come at once', async () => {
    const { orderId } = await confirmedDeposit();
    await first.handIn(orderId, await handingIn(9));
    const bodies = await Promise.all(Array.from({ length: 8 }, (_, at) => handingIn(at)));
    const answers = await Promise.all(bodies.map((body) => first.handIn(orderId, body)));
    const codes = answers.map(({ status, json }) => (status === 200 ? 'taken' : json.code));
    expect(codes.filter((code) => code === 'taken')).toHaveLength(4);
    // Either by the places for drawing, or once five are there.
    expect(codes).toEqual(codes.map(() => expect.stringMatching(/^(taken|too-many(-tries)?)$/)));
    expect(await first.list(orderId)).toHaveLength(5);
  });

  test('is not drawn where five are there, and the same one again is answered without', async () => {
    const { orderId } = await confirmedDeposit();
    const bodies = await Promise.all([1, 2, 3, 4, 5].map((at) => handingIn(at)));
    const sent = await Promise.all(bodies.map((body) => first.handIn(orderId, body)));
    expect((await first.handIn(orderId, bodies[4] as object)).json).toEqual(sent[4]?.json);
    // What cannot be drawn is refused by the count: nobody has tried.
    const cut = (await photo({}, 'png')).subarray(0, 900).toString('base64');
    const { status, json } = await first.handIn(orderId, { kind: 'confirm', picture: cut });
    expect([status, json.code]).toEqual([409, 'too-many']);
  });

  test('waits for no picture of somebody who sends dozens', async () => {
    const { orderId } = await confirmedDeposit();
    await everybodyOffline(service);
    await setPresence(service, second.memberId, true);
    const other = await confirmedDeposit();
    const large = {
      kind: 'confirm',
      picture: (await photo({ width: 4_000, height: 3_000 })).toString('base64'),
    };
    const flood = Array.from({ length: 40 }, () => first.handIn(orderId, large));
    for (const seed of [1, 2, 3])
      expect((await second.handIn(other.orderId, await handingIn(seed))).status).toBe(200);
    const codes = (await Promise.all(flood)).map(({ json }) => json.code ?? 'taken');
    expect(codes).toContain('too-many-tries');
  });

  test('is deleted after the days of the setting; what is known of it stays', async () => {
    const { orderId } = await confirmedDeposit();
    const { data } = (await first.handIn(orderId, await handingIn())).json;
    expect((await operator.get('/settings')).data.evidenceDays).toBe(180);
    await operator.patch('/settings', { evidenceDays: 1 });
    await advance(service, 23 * 3_600);
    expect(await first.list(orderId)).toEqual([data]);
    await advance(service, 2 * 3_600);
    const [gone] = await first.list(orderId);
    expect(gone).toEqual({ ...data, deletedAt: expect.any(String) });
    for (const [face, token] of [
      ['member', first.token],
      ['operator', OPERATOR_TOKEN],
    ] as const) {
      const path = `/${face}/orders/${orderId}/evidence/${data.evidenceId}`;
      expect((await picture(path, token)).status).toBe(404);
    }
    const { rows } = await service.database.pool.query(
      'select picture from evidence where evidence_id = $1',
      [data.evidenceId],
    );
    expect(rows).toEqual([{ picture: null }]);
  });
});

test('the worst of pictures, noise, still fits', async () => {
  const { orderId } = await confirmedDeposit();
  const noise = { type: 'gaussian', mean: 128, sigma: 100 } as const;
  const background = { r: 0, g: 0, b: 0 };
  const create = { width: 1_600, height: 1_200, channels: 3, background, noise } as const;
  const content = await sharp({ create }).jpeg({ quality: 30 }).toBuffer();
  const handIn = () =>
    first.handIn(orderId, { kind: 'confirm', picture: content.toString('base64') });
  let answer = await handIn();
  // Drawing ends after five seconds, which a busy machine may take.
  while (answer.text.includes('seconds to draw')) answer = await handIn();
  expect(answer.json.data.bytes).toBeLessThanOrEqual(BYTES_MAX);
});

const NO_PICTURE = 'must be a PNG, JPEG or WebP picture.';
test.each([
  ['no base64', () => 'https://shop.example/x.png', 'must be a data: URL or base64.'],
  ['an SVG', () => btoa('<svg xmlns="http://www.w3.org/2000/svg"/>'), NO_PICTURE],
  ['a PDF', () => btoa('%PDF-1.7'), NO_PICTURE],
  [
    'a picture that breaks off',
    async () => (await photo({}, 'png')).subarray(0, 900).toString('base64'),
    'could not be read as a picture.',
  ],
  [
    'one that unpacks to more memory than it may',
    async () => (await photo({ width: 20_000, height: 1_000 }, 'png')).toString('base64'),
    'must have at most 16 million pixels.',
  ],
  [
    'one of more than 1 MB',
    () => Buffer.alloc(1024 * 1024 + 1).toString('base64'),
    'must have at most 1024 KB.',
  ],
])('%s is not taken', async (_name, made, message) => {
  const { orderId } = await confirmedDeposit();
  const { status, json } = await first.handIn(orderId, { kind: 'confirm', picture: await made() });
  expect([status, json.errors]).toEqual([400, { '$.picture': [message] }]);
  expect(await first.list(orderId)).toEqual([]);
});

test('a body that no picture needs is refused before it is read, and so is an unknown kind', async () => {
  const { orderId } = await confirmedDeposit();
  const large = { kind: 'confirm', picture: 'A'.repeat(1_500_000) };
  expect((await first.handIn(orderId, large)).status).toBe(413);
  const { status, json } = await first.handIn(orderId, { ...(await handingIn()), kind: 'selfie' });
  expect([status, Object.keys(json.errors)]).toEqual([400, ['$.kind']]);
});
