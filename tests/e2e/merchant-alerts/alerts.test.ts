import type { AlertId, DeliveryId } from '@munshi/core';
import { afterAll, describe, expect } from 'vitest';
import { insertDeliveries } from '../../../apps/server/src/deliveries/store.ts';
import { sendAlertMails } from '../../../apps/server/src/merchant-alerts/mails.service.ts';
import { createMerchantAlertRounds } from '../../../apps/server/src/merchant-alerts/rounds.service.ts';
import { insertAlert } from '../../../apps/server/src/merchant-alerts/store.ts';
import { advance, createMerchant, fundMerchant } from '../../support/fixtures.ts';
import { MAIL_PASSWORD, MAIL_USER, startMailServer } from '../../support/mail-server.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { deliveryWhen, failedOrder } from '../../support/outcomes.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { startReceiver } from '../../support/receiver.ts';
import { type Service, startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Alerts of merchants, by e-mail and in the portal (portal.md#figures-and-alerts). */

const mailServer = await startMailServer();
const ENV = {
  SMTP_URL: `smtp://${MAIL_USER}:${encodeURIComponent(MAIL_PASSWORD)}@localhost:${mailServer.port}`,
  MAIL_FROM: 'Munshi <munshi@pay.example>',
};
const { test, service } = await serviceTest(ENV);
const operator = operatorClient(service);
const closing: (() => Promise<unknown>)[] = [() => mailServer.close()];
afterAll(async () => {
  for (const close of closing) await close();
});

let shops = 0;
/** A merchant with its people and an address of its own. */
async function shop(settings: object, fields: Parameters<typeof createMerchant>[1] = {}) {
  shops += 1;
  const name = `Shop ${shops}`;
  const merchant = await createMerchant(service, { name, balance: '1000', ...fields });
  const admin = portalClient(service, (await createPortalUser(service, merchant, 'admin')).token);
  const email = `ops-${shops}@shop.example`;
  await admin.data('PATCH', '/alert-settings', { alertEmails: [email], ...settings });
  const mails = () => mailServer.mails.filter(({ to }) => to.includes(email));
  const alerts = async () => admin.data('GET', '/alerts');
  return { name, merchant, admin, email, mails, alerts };
}
const MINUTES = 60;
/** Has every job run once. */
const look = () => advance(service, 0);

describe('a low balance', () => {
  test('is mailed once when it begins and once when it is over', async () => {
    const one = await shop({ lowBalance: 1000.0001 });
    await look();
    await advance(service, 5 * MINUTES);
    await fundMerchant(service, one.merchant, '5');
    await advance(service, 5 * MINUTES);
    expect(one.mails()).toHaveLength(1);
    await advance(service, 10 * MINUTES);
    await advance(service, 5 * MINUTES);
    const [first, second] = one.mails();
    expect(one.mails()).toHaveLength(2);
    expect(first?.headers).toContain(`Subject: Low balance (${one.name})`);
    expect(first?.body).toContain('1,000 PKR, below your limit of 1,000.0001 PKR');
    expect(second?.headers).toContain(`Subject: Over: Low balance (${one.name})`);
    const [alert] = await one.alerts();
    const id = (state: string) => `<alert.${alert.alertId}.${state}@pay.example>`;
    expect(first?.headers).toContain(`Message-ID: ${id('begun')}`);
    expect(second?.headers).toContain(`Message-ID: ${id('over')}`);
    expect(second?.headers).toContain(`In-Reply-To: ${id('begun')}`);
    expect(alert).toMatchObject({
      condition: { kind: 'low-balance', available: 1000, limit: 1000.0001 },
      messages: [
        { state: 'begun', channel: 'email', target: one.email, status: 'sent', error: null },
        { state: 'over', channel: 'email', status: 'sent' },
      ],
    });
  });

  test('is sent once, by several processes at the same time, and after a restart', async () => {
    const one = await shop({ lowBalance: 2000 });
    const { database, clock, ids, mail, log } = service.app.deps;
    const again = () =>
      createMerchantAlertRounds({
        database,
        clock,
        ids,
        log: service.app.http.log,
        onChange() {},
      });
    await Promise.all([1, 2, 3, 4].map(() => again().run()));
    const sending = {
      database,
      clock,
      mail,
      log,
      portalUrl: 'https://pay.example/portal',
      onChange() {},
    };
    await Promise.all([1, 2, 3, 4].map(() => sendAlertMails(sending)));
    const other: Service = await startService(ENV, service);
    await advance(other, 1 * MINUTES);
    await other.close();
    await advance(service, 1 * MINUTES);
    expect(await one.alerts()).toHaveLength(1);
    expect(one.mails()).toHaveLength(1);
  });

  test('that is turned off while it lasts ends untold', async () => {
    const one = await shop({ lowBalance: 2000 });
    await look();
    await one.admin.data('PATCH', '/alert-settings', { lowBalance: null });
    await advance(service, 5 * MINUTES);
    expect((await one.alerts())[0].endedAt).not.toBeNull();
    expect(one.mails()).toHaveLength(1);
  });
});

test('failing webhooks are reported, and so is their end', async () => {
  const hooks = await startReceiver(500);
  closing.push(() => hooks.close());
  const one = await shop({ failingWebhooks: true }, { defaultCallbackUrl: `${hooks.url}/hook` });
  const order = await failedOrder(service, one.merchant, {});
  await deliveryWhen(service, order, { status: 'pending', attempts: 1 });
  await look();
  expect(await one.alerts()).toEqual([]);
  await advance(service, 4 * MINUTES);
  const [begun] = await one.alerts();
  const host = `127.0.0.1:${hooks.port}`;
  const lastError = 'The receiver answered 500.';
  expect(begun.condition).toMatchObject({ kind: 'webhook-failing', host, lastError });
  hooks.behave(200);
  await advance(service, 20 * MINUTES);
  await advance(service, 20 * MINUTES);
  expect(one.mails().map(({ headers }) => /^Subject: (.*)/m.exec(headers)?.[1])).toEqual([
    `Webhooks fail (${one.name})`,
    `Over: Webhooks fail (${one.name})`,
  ]);
  expect(hooks.received.every(({ json }) => json.eventType === 'order.failed')).toBe(true);
});

test('a new key is mailed once and listed with no alert turned on, and listed without an address', async () => {
  const [one, silent] = [await shop({}), await shop({ alertEmails: [] })];
  const keys = ({ merchant: { merchantId } }: typeof one) => `/merchants/${merchantId}/api-keys`;
  const { prefix } = (await operator.post(keys(one))).data;
  await operator.post(`${keys(silent)}/regenerate`);
  await advance(service, 20 * MINUTES);
  const condition = { kind: 'key-made', prefix };
  const [alert] = await one.alerts();
  expect(alert).toMatchObject({ condition, test: false, endedAt: alert.beganAt });
  expect(one.mails()).toHaveLength(1);
  expect(one.mails()[0]?.headers).toContain(`Subject: An API key was made (${one.name})`);
  expect(one.mails()[0]?.body).toContain(`mk_live_${prefix}`);
  expect(await silent.alerts()).toMatchObject([{ condition: { kind: 'key-made' }, messages: [] }]);
});

/** So many receivers of a merchant fail, or none any more. */
async function failingReceivers({ merchantId }: { readonly merchantId: string }, count: number) {
  const { pool } = service.database;
  await pool.query('update webhook_endpoints set failing_since = null where merchant_id = $1', [
    merchantId,
  ]);
  await pool.query(
    `insert into webhook_endpoints (merchant_id, host, consecutive_failures, failing_since)
     select $1, 'host-' || n, 3, $2::timestamptz + n * interval '1 second'
     from generate_series(1, $3) n`,
    [merchantId, new Date(service.app.deps.clock.now() - 3_600_000), count],
  );
}

test('of many receivers that fail, the twenty that have failed for longest are reported', async () => {
  const one = await shop({ failingWebhooks: true });
  await failingReceivers(one.merchant, 25);
  await look();
  const alerts: readonly { readonly condition: { readonly host: string } }[] = await one.alerts();
  const hosts = alerts.map(({ condition }) => condition.host);
  expect(hosts.toSorted()).toEqual(Array.from({ length: 20 }, (_, at) => `host-${at + 1}`).sort());
});

test('of one kind ten alerts a day are mailed, and all are listed', async () => {
  const one = await shop({ failingWebhooks: true });
  await failingReceivers(one.merchant, 12);
  await look();
  const begun = one.mails();
  expect(begun).toHaveLength(10);
  const mailsOf = async (state: string) =>
    (await one.alerts()).map(
      ({ messages }: { messages: readonly { state: string; channel: string; status: string }[] }) =>
        messages.find((sent) => sent.state === state && sent.channel === 'email')?.status,
    );
  const told = [...Array(2).fill('failed'), ...Array(10).fill('sent')];
  expect(await mailsOf('begun')).toEqual(told);
  // Who got no mail at the beginning gets none at the end.
  await failingReceivers(one.merchant, 0);
  await advance(service, 5 * MINUTES);
  await advance(service, 10 * MINUTES);
  await look();
  expect(await mailsOf('over')).toEqual(told);
  // Another kind has its own ten.
  await one.admin.data('PATCH', '/alert-settings', { lowBalance: 2000 });
  await advance(service, 1 * MINUTES);
  await look();
  expect(one.mails()).toHaveLength(21);
});

test('a receiver to which nothing is sent for a day no longer counts as failing', async () => {
  const one = await shop({ failingWebhooks: true });
  await service.database.pool.query(
    `insert into webhook_endpoints
       (merchant_id, host, consecutive_failures, failing_since, last_failure_at)
     values ($1, 'old.example:443', 10, $2, $2), ($1, 'slow.example:443', 10, $2, $3)`,
    [
      one.merchant.merchantId,
      new Date(service.app.deps.clock.now() - 24 * 60 * MINUTES * 1_000),
      new Date(service.app.deps.clock.now() - 4 * 60 * MINUTES * 1_000),
    ],
  );
  await look();
  const { attention } = await one.admin.data('GET', '/home');
  const failing = attention.filter(({ kind }: { kind: string }) => kind === 'webhook-failing');
  expect(failing).toMatchObject([{ host: 'slow.example:443' }]);
});

test('the delivery of an alert of the version before is sent to its URL, fails no webhook, and is listed', async () => {
  const receiver = await startReceiver(500);
  closing.push(() => receiver.close());
  const { merchant, admin, alerts } = await shop({});
  const { merchantId } = merchant;
  const { database, clock, ids } = service.app.deps;
  const [now, url] = [clock.now(), `${receiver.url}/alerts`];
  const [alertId, deliveryId] = [ids.uuid<AlertId>(now), ids.uuid<DeliveryId>(now)];
  const condition = { kind: 'low-balance', available: 1n, limit: 2n } as const;
  const alert = { alertId, merchantId, kind: condition.kind, subject: '', condition, at: now };
  await insertAlert(database.pool, alert);
  const about = { merchantId, subjectId: alertId, apiKeyId: merchant.keyId, createdAt: now };
  const event = { deliveryId, url, eventType: 'alert.low_balance', body: '{}' } as const;
  await insertDeliveries(database.pool, [{ ...about, ...event }], now);
  await database.pool.query(
    `insert into merchant_alert_messages (alert_id, state, channel, target, delivery_id)
     values ($1, 'begun', 'url', $2, $3)`,
    [alertId, url, deliveryId],
  );
  for (const minutes of [0, 1, 2, 3]) await advance(service, minutes * MINUTES);
  await receiver.arrived(3);
  expect(await admin.data('GET', '/webhooks/receivers')).toMatchObject([
    { host: `127.0.0.1:${receiver.port}`, failingSince: null, lastFailureAt: null },
  ]);
  receiver.behave(200);
  await advance(service, 10 * MINUTES);
  expect((await alerts())[0].messages).toMatchObject([
    { channel: 'url', target: url, deliveryId, status: 'sent' },
  ]);
  const shown = await admin.data('GET', `/deliveries/${deliveryId}`);
  expect(shown).toMatchObject({ orderReference: null, allowedActions: [], status: 'delivered' });
});

test('wrong settings are refused, and every change is in the audit log', async () => {
  const one = await shop({});
  const path = `/merchants/${one.merchant.merchantId}/alert-settings`;
  for (const wrong of [
    { lowBalance: 0 },
    { lowBalance: 0.00001 },
    { alertUrl: 'https://shop.example/alerts' },
  ])
    expect((await operator.patch(path, wrong)).status).toBe(400);
  const { data } = await operator.patch(path, { lowBalance: 12345678901.2345 });
  expect(data).toMatchObject({ alertEmails: [one.email], mailAvailable: true });
  expect((await operator.get(path)).data).toEqual(data);
  const audit = await operator.get('/audit-log?action=merchant-alerts.change&limit=1');
  expect(audit.data[0]).toMatchObject({
    target: one.merchant.merchantId,
    detail: { lowBalanceBefore: null },
  });
});

describe('a mail', () => {
  test('whose sender died before it was recorded is sent again under the same name', async () => {
    const one = await shop({ lowBalance: 2000 });
    await look();
    expect(one.mails()).toHaveLength(1);
    await service.database.pool.query(
      `update merchant_alert_messages set sent_at = null, next_attempt_at = now() - interval '1 day'
       where target = $1`,
      [one.email],
    );
    await look();
    const names = one.mails().map(({ headers }) => /^Message-ID: (\S+)/im.exec(headers)?.[1]);
    expect(names).toHaveLength(2);
    expect(new Set(names).size).toBe(1);
  });

  test('that the server does not take is sent later, and an end takes the place of its beginning', async () => {
    const one = await shop({ lowBalance: 2000 });
    await mailServer.close();
    await look();
    expect((await one.alerts())[0].messages).toMatchObject([
      { channel: 'email', status: 'failing', error: 'The mail server did not take it.' },
    ]);
    const back = await startMailServer({}, mailServer.port);
    closing.push(() => back.close());
    await fundMerchant(service, one.merchant, '5000');
    await service.database.pool.query('update merchant_alert_messages set next_attempt_at = $1', [
      new Date('2100-01-01'),
    ]);
    await advance(service, 20 * MINUTES);
    expect(back.mails.filter(({ to }) => to.includes(one.email))).toHaveLength(1);
    expect((await one.alerts())[0].messages).toMatchObject([
      { state: 'begun', status: 'failed', error: 'The alert was over before it could be sent.' },
      { state: 'over', status: 'sent' },
    ]);
  });
});

test('a test goes to every address, three times a day at most', async () => {
  const none = await shop({ alertEmails: [] });
  expect((await none.admin.call('POST', '/alerts/test')).status).toBe(409);
  const one = await shop({});
  const { alertId } = await one.admin.data('POST', '/alerts/test');
  await expect
    .poll(async () => one.alerts())
    .toMatchObject([{ alertId, test: true, messages: [{ target: one.email, status: 'sent' }] }]);
  for (let sent = 1; sent < 3; sent += 1) await one.admin.data('POST', '/alerts/test');
  expect((await one.admin.call('POST', '/alerts/test')).status).toBe(409);
  expect(await none.alerts()).toEqual([]);
});
