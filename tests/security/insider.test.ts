import { describe, expect } from 'vitest';
import { ENDPOINTS } from '../support/contract.ts';
import { createMember, createMerchant } from '../support/fixtures.ts';
import {
  createControlled,
  createOperator,
  operatorClient,
  send,
  type TestOperator,
} from '../support/operator-client.ts';
import { serviceTest } from '../support/service-test.ts';
import { SEED, size } from '../support/size.ts';
import { ATTEMPTS, type World } from './insider-writes.ts';

/**
 * One admin alone, with everybody they have made, tries every write while a second operator is
 * required. What they have afterwards is read from the tables, not from what the service says: no
 * power more than before, and no more money moved in a day than the limit.
 */

// Nobody sends: deliveries stay as they are written.
const { test, service } = await serviceTest({ ROLES: 'http' });
const { pool } = service.database;
const LIMIT = 100;

const require = (on: boolean) =>
  pool.query(
    'update settings set require_second_operator = $1, adjustment_approval_limit = $2, evidence_days = 90, stop_withdrawals_on_breach = true, require_one_time_code = false',
    [on, LIMIT],
  );
async function freely<T>(work: () => Promise<T>): Promise<T> {
  await require(false);
  try {
    return await work();
  } finally {
    await require(true);
  }
}

const owner = operatorClient(service);
const thief = await createOperator(service, 'admin');
const world: World = {
  service,
  owner,
  thief,
  merchant: await createMerchant(service, {
    balance: '1000',
    ipWhitelist: { enabled: true, entries: [{ address: '127.0.0.1', scope: 'Both' }] },
  }),
  member: await createMember(service, { online: false, limits: { maximumPerDay: '1000' } }),
  feeRuleId: (
    await owner.post('/fee-rules', { orderType: 'Deposit', walletType: 'TillID', percent: 1 })
  ).data.feeRuleId,
  freely,
};
const third = { position: 'third', url: 'https://alerts.example/' };
await owner.post('/alert-channels', third);
await owner.patch(`/merchants/${world.merchant.merchantId}/alert-settings`, {
  failingWebhooks: true,
  alertUrl: 'https://shop.example/alerts',
});
/** The thief, and an admin and a supporter of their making. */
const GROUP: readonly TestOperator[] = [
  thief,
  await createControlled(service, 'admin', operatorClient(service, thief.token)),
  await createControlled(service, 'support', operatorClient(service, thief.token)),
];
await require(true);

/** What gives power, a line each. A protection that is gone is one more. */
const POWER = `
  select 'rate ' || currency || ' ' || rate from exchange_rates
  union all select 'fee rule ' || fee_rule_id from fee_rules where valid_until is null
  union all select 'fee rule ended ' || fee_rule_id from fee_rules where valid_until is not null
  union all select 'rule off' from settings where not require_second_operator
  union all select 'limit' from settings
    where adjustment_approval_limit is null or adjustment_approval_limit > ${LIMIT}
  union all select 'evidence' from settings where evidence_days < 90
  union all select 'no stop' from settings where not stop_withdrawals_on_breach
  union all select 'no channel' where not exists (
    select from alert_channels where position = 'third' and url = 'https://alerts.example')
  union all select 'no alert' from merchant_alert_settings
    where merchant_id = '${world.merchant.merchantId}'
      and not (failing_webhooks and alert_url = 'https://shop.example/alerts')
  union all select 'admin ' || username from operators where role = 'admin' and status = 'active'
  union all select 'supporter ' || username from operators
    where role <> 'viewer' and status = 'active'
  union all select 'operator ' || username from operators where status = 'active'
  union all select 'password ' || operator_id || password_hash from operators
    where password_hash is not null
  union all select 'token of ' || principal_id || ' ' || session_id from sessions
    where kind = 'operator-token'
  union all select 'codes off ' || operator_id from operators o where not exists (
    select from operator_codes c where c.operator_id = o.operator_id)
  union all select 'link ' || principal_kind || ' ' || link_id from recovery_links
    where principal_kind <> 'portal'
  union all select 'key ' || key_id from api_keys where revoked_at is null
  union all select 'own keys ' || merchant_id from merchants where own_keys_allowed
  union all select 'whitelist ' || merchant_id || ip_whitelist from merchants
    where not (ip_whitelist ->> 'enabled')::boolean and merchant_id = '${world.merchant.merchantId}'
  union all select 'member ' || member_id || password_hash from members
  union all select 'account ' || account_id || ' ' || coalesce(maximum_per_day::text, 'any')
    from member_accounts where status = 'approved'`;
const power = async () =>
  new Set(
    (await pool.query(`select what from (${POWER}) as power (what)`)).rows.map(({ what }) => what),
  );

/** What the group has moved today and nobody outside of it agreed to, in PKR. */
const MOVED = `
  with mine as (
    select * from audit_log
    where actor_id = any($1) and detail ->> 'requestedBy' is null
      and at >= date_trunc('day', $2::timestamptz at time zone 'utc') at time zone 'utc'
  )
  select coalesce(sum(amount), 0)::float8 as moved from (
    select amount from adjustments
    where requested_by = any($1) and status = 'applied' and approved_by is null
      and requested_at >= date_trunc('day', $2::timestamptz at time zone 'utc') at time zone 'utc'
    union all
    select abs((detail ->> 'amount')::numeric) from mine where action = 'member.float'
    union all
    select o.float_amount from mine m join orders o on o.order_id::text = m.target
    where m.action = 'order.confirm'
  ) as money`;
const moved = async () =>
  (
    await pool.query(MOVED, [
      GROUP.map(({ operatorId }) => operatorId),
      new Date(service.app.deps.clock.now()),
    ])
  ).rows[0].moved as number;

/** What one may have more of alone, and why that is no power. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  'POST /members': /^member /, // without accounts or float: others give these
};

/** Sends one attempt, and answers what power there is more of. */
async function tryIt(call: string, who: TestOperator): Promise<readonly string[]> {
  const attempt = await (
    ATTEMPTS[call] as (world: World) => Promise<{ path: string; body?: object }>
  )(world);
  const before = await power();
  const headers = {
    Authorization: `Bearer ${who.token}`,
    'Idempotency-Key': crypto.randomUUID(),
  };
  const method = call.split(' ')[0] as string;
  const answer = await send(service, method, attempt.path, headers, attempt.body);
  expect(answer.status, `${call}: ${answer.text}`).toBeLessThan(500);
  const allowed = ALLOWED[call];
  return [...(await power())].filter((one) => !before.has(one) && !allowed?.test(one));
}

/** Writes that are about oneself alone: sign-ins, a password, codes. */
const OWN = /^(POST|DELETE|PATCH|PUT) \/(session|sessions|password|recovery|one-time-code)\b/;

test('every write of the operator face is tried', () => {
  const writes = ENDPOINTS.filter(
    ({ face, decides }) => face === 'operator' && decides !== undefined,
  )
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => !OWN.test(call) && !/\/(sandbox|clock)\//.test(call));
  expect(Object.keys(ATTEMPTS).toSorted()).toEqual(writes.toSorted());
});

describe('an admin alone', () => {
  test.for(Object.keys(ATTEMPTS))('gains no power by %s', async (call) => {
    for (let again = 0; again < 5; again += 1) expect(await tryIt(call, thief)).toEqual([]);
    expect(await moved()).toBeLessThanOrEqual(LIMIT);
  });
});

test(`an admin and whom they made gain no power together, and move no more than the limit (seed ${SEED})`, async () => {
  const random = randomOf(SEED);
  const calls = Object.keys(ATTEMPTS);
  const one = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  for (
    let step = 0;
    step < size('INSIDER_STEPS', { short: 80, deep: 400, full: 5_000 });
    step += 1
  ) {
    const call = one(calls);
    expect([step, call, await tryIt(call, one(GROUP))]).toEqual([step, call, []]);
    // One of them says yes to what another has asked for.
    const { rows } = await pool.query(
      "select approval_id from approvals where status in ('pending', 'waiting') and requested_by = any($1)",
      [GROUP.map(({ operatorId }) => operatorId)],
    );
    if (rows.length > 0) {
      const before = await power();
      const { approval_id: approvalId } = one(rows);
      await operatorClient(service, one(GROUP).token).post(`/approvals/${approvalId}/approve`);
      expect([...(await power())].filter((what) => !before.has(what))).toEqual([]);
    }
    expect(await moved()).toBeLessThanOrEqual(LIMIT);
  }
});

/** Numbers from 0 to 1 that follow from the seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
