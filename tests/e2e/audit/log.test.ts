import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { cellsOf } from '../../support/csv.ts';
import { createMerchant, createOrder } from '../../support/fixtures.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const [admin, second] = [operatorClient(service), secondOperator(service)];
const viewer = await createOperator(service, 'viewer');
const reader = operatorClient(service, viewer.token);

const listed = async (query: string) => (await reader.get(`/audit-log?${query}`)).data;
const csv = async (query: string) => {
  const response = await fetch(`${service.url}/api/operator/audit-log.csv?${query}`, {
    headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  return { response, text: await response.text() };
};

describe('the audit log is narrowed down', () => {
  test('by who: an id, a username or a name', async () => {
    const person = await createOperator(service, 'admin', 'Sana Iqbal');
    await operatorClient(service, person.token).patch('/settings', { payoutWindowSeconds: 3601 });
    for (const who of [person.operatorId, person.username])
      expect(await listed(`actor=${who}`)).toMatchObject([
        { actor: { id: person.operatorId }, action: 'settings.update' },
      ]);
    const byName = await listed('actor=Sana%20Iqbal');
    expect(byName.map(({ actor }: { actor: { id: string } }) => actor.id)).toContain(
      person.operatorId,
    );
    expect(await listed('actor=na%20iq')).toEqual(byName);
    expect(await listed('actor=nobody')).toEqual([]);
  });

  test('by on what: an id, part of a name or the reference of an order', async () => {
    const name = `Looms ${randomUUID()}`;
    const { data } = await admin.post('/merchants', { name });
    const entries = await listed(`target=${data.merchantId}`);
    expect(entries).toHaveLength(1);
    expect(await listed(`target=%20${name.slice(2).toUpperCase()}`)).toEqual(entries);
    const merchant = await createMerchant(service, { name: 'Corner' });
    const { orderId, orderReference } = await createOrder(merchant, { walletType: 'BankAccount' });
    await admin.post(`/orders/${orderId}/cancel`, { note: 'n' });
    expect(await listed(`target=${orderReference.toLowerCase()}`)).toMatchObject([
      { target: orderId },
    ]);
    for (const nothing of ['no%20such', '%25', '_'])
      expect(await listed(`target=${nothing}`)).toEqual([]);
  });

  test('by when, from where and what, all at once', async () => {
    const name = `Shop ${randomUUID()}`;
    const { data } = await admin.post('/merchants', { name });
    const [entry] = await listed(`target=${data.merchantId}`);
    const after = new Date(Date.parse(entry.at) + 1).toISOString();
    const of = `target=${data.merchantId}&action=merchant.create&address=127.0.0.1`;
    expect(await listed(`${of}&from=${entry.at}&to=${after}`)).toEqual([entry]);
    expect(await listed(`${of}&from=${after}`)).toEqual([]);
    expect(await listed(`${of}&to=${entry.at}`)).toEqual([]);
    expect(await listed(`target=${data.merchantId}&address=10.0.0.1`)).toEqual([]);
  });

  test('and times that are none are refused', async () => {
    expect((await admin.get('/audit-log?from=yesterday')).errors).toHaveProperty('from');
  });
});

test('an adjustment that waits is said to be asked for, and one that is done is not', async () => {
  await admin.patch('/settings', { adjustmentApprovalLimit: 100 });
  const { merchantId } = await createMerchant(service);
  for (const amount of [100, 101])
    await admin.post(`/merchants/${merchantId}/adjustments`, {
      ...{ kind: 'credit', amount, reason: 'a gift' },
    });
  const { data } = await admin.get(`/audit-log?target=${merchantId}&action=wallet.credit`);
  const said = data.map(({ isAsked, detail }: { isAsked: boolean; detail: { amount: string } }) => [
    detail.amount,
    isAsked,
  ]);
  expect(said).toEqual([
    ['101', true],
    ['100', false],
  ]);
});

describe('the audit log as a CSV file', () => {
  test('has the entries of the filters, newest first, for everybody who reads it', async () => {
    const { data } = await second.post('/merchants', { name: 'Kept for the file' });
    const { response, text } = await csv(`target=${data.merchantId}`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="audit-log.csv"',
    );
    const [header, entry, ...rest] = cellsOf(text);
    expect(header?.join(',')).toBe(
      'at,actorKind,actorId,actor,address,action,target,detail,isAsked',
    );
    expect(entry?.slice(1, 7)).toEqual([
      ...['operator', 'env-2', 'OPERATOR_TOKEN_2', '127.0.0.1'],
      ...['merchant.create', data.merchantId],
    ]);
    expect(rest).toEqual([]);
  });

  test('begins no formula, even where a name looks like one', async () => {
    const username = `mallory-${randomUUID()}`;
    const password = 'a long enough password';
    const name = '=HYPERLINK("evil")';
    const { data } = await admin.post('/operators', { username, name, role: 'admin', password });
    const made = await admin.post(`/operators/${data.operatorId}/tokens`, { name: 'tests' });
    await operatorClient(service, made.data.token).post('/merchants', { name: 'Theirs' });
    expect((await csv(`actor=${username}`)).text).toContain(`,"'=HYPERLINK(""evil"")",`);
  });
});
