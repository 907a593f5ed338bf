import { beforeEach, expect } from 'vitest';
import { advance } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const of = async (role: 'admin' | 'approver', name: string) =>
  operatorClient(service, (await createOperator(service, role, name)).token);
const asma = await of('admin', 'Asma');
const others = [await of('admin', 'Bilal'), await of('approver', 'Chanda')];

const DAY_SECONDS = 86_400;
const channel = { position: 'second', url: 'https://alerts.example/token' };
const noticesOf = async (who: typeof asma) => (await who.get('/notices')).data.notices;

beforeEach(async () => {
  await service.database.pool.query('update settings set require_second_operator = true');
  await asma.patch('/settings', { evidenceDays: 180 });
  await asma.post('/alert-channels', channel);
  await advance(service, 4 * DAY_SECONDS);
});

test('an alert channel is set, changed and turned off by one admin, and the others are notified', async () => {
  const changed = { url: 'https://elsewhere.example/', afterSeconds: 3_600 };
  expect((await asma.post('/alert-channels', { ...channel, ...changed })).data).toMatchObject({
    origin: 'https://elsewhere.example',
    afterSeconds: 3_600,
  });
  const removed = await asma.post('/alert-channels/remove', { position: 'second' });
  expect(removed.data).toEqual({ removed: true });
  for (const other of others) {
    const notices = await noticesOf(other);
    expect(notices).toMatchObject([
      { name: 'Asma', action: 'alert-channel.remove', detail: { position: 'second' } },
      {
        name: 'Asma',
        action: 'alert-channel.set',
        detail: { origin: 'https://elsewhere.example' },
      },
    ]);
    const [entry] = (await other.get('/audit-log?action=alert-channel.remove&limit=1')).data;
    expect(notices[0]).toMatchObject({ auditId: entry.auditId, at: entry.at });
  }
  expect(await noticesOf(asma)).toEqual([]);
});

test('fewer days of evidence are one admin’s, and the others are notified of these alone', async () => {
  for (const evidenceDays of [90, 100])
    expect((await asma.patch('/settings', { evidenceDays })).data.evidenceDays).toBe(evidenceDays);
  await asma.patch('/settings', { missedAlertsMax: 7 });
  expect(await noticesOf(others[0] as typeof asma)).toMatchObject([
    { action: 'settings.update', detail: { evidenceDays: 90, evidenceDaysBefore: 180 } },
  ]);
});

test('the others are notified for 72 hours', async () => {
  await asma.post('/alert-channels/remove', { position: 'second' });
  const [other] = others as [typeof asma];
  await advance(service, 3 * DAY_SECONDS - 60);
  expect(await noticesOf(other)).toHaveLength(1);
  await advance(service, 120);
  expect(await noticesOf(other)).toEqual([]);
});
