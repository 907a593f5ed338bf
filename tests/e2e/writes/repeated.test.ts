import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signInMember,
} from '../../support/fixtures.ts';
import {
  createOperator,
  operatorClient,
  secondOperator,
  send,
} from '../../support/operator-client.ts';
import { createPortalUser } from '../../support/portal.ts';
import { OPERATOR_TOKEN, OPERATOR_TOKEN_2 } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** A repeated request of an operator is done once, also when the first answer got lost. */

// Nobody sends: deliveries stay as they are written.
const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '1000' });

describe('every write of the operator face that takes an Idempotency-Key', () => {
  interface Write {
    readonly path: string;
    readonly body?: object;
    /** The token of the asker, where it is not the first operator. */
    readonly by?: string;
    /** Counts what it does, where that is more than one entry of the audit log. */
    readonly effects?: string;
  }
  const note = { note: 'n' };
  const about = (path: string, body?: object, by?: string): Write => ({
    path,
    ...(body && { body }),
    ...(by && { by }),
  });
  const member = () => createMember(service, { online: false });
  const failedOrder = async () => {
    const { orderId } = await createOrder(merchant, { callbackUrl: 'https://shop.example/hook' });
    await operator.post(`/orders/${orderId}/cancel`, note);
    return orderId;
  };
  const inHand = async () => {
    await everybodyOffline(service);
    await createMember(service, { methods: ['ProviderA'] });
    return (await createOrder(merchant)).orderId;
  };
  /** Asked for by the first operator, while a second one is required. */
  const waiting = async (path: string, body?: object) => {
    await service.database.pool.query('update settings set require_second_operator = true');
    const { data } = await operator.post(path, body);
    await service.database.pool.query('update settings set require_second_operator = false');
    return data.approvalId as string;
  };
  const noClosing = async () => {
    const { data } = await operator.get('/closings');
    for (const { closingId, status } of data)
      if (status === 'open') await operator.post(`/closings/${closingId}/discard`, note);
  };
  /** With every float counted but this member’s. */
  const closing = async ({ but }: { readonly but?: string } = {}) => {
    await noClosing();
    const path = `/closings/${(await operator.post('/closings', {})).data.closingId}`;
    const { data } = await operator.get(`${path}/members?limit=200`);
    for (const { memberId, closing: counted } of data)
      if (memberId !== but) await operator.post(`${path}/counts`, { memberId, counted });
    return path;
  };
  const lateClaim = async () => {
    const { orderId } = await createOrder(merchant);
    const { rows } = await service.database.pool.query(
      `insert into late_claims (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
       values ($1, $2, 1, $3, '1234', now()) returning claim_id`,
      [merchant.merchantId, orderId, randomUUID()],
    );
    return rows[0].claim_id as string;
  };
  const VIEW = { name: 'Mine', query: 'status=Queued' };
  const savedView = async () => (await operator.post('/views', VIEW)).data.viewId as string;
  const apiKeys = () => `/merchants/${merchant.merchantId}/api-keys`;

  const WRITES: Readonly<Record<string, () => Promise<Write>>> = {
    'POST /operators': async () =>
      about('/operators', { username: randomUUID(), name: 'N', role: 'viewer' }),
    'POST /operators/:operatorId/tokens': async () => {
      const { operatorId } = await createOperator(service, 'viewer');
      return about(`/operators/${operatorId}/tokens`, { name: 't' });
    },
    'POST /merchants': async () => about('/merchants', { name: 'N' }),
    'POST /merchants/:merchantId/portal-users': async () =>
      about(`/merchants/${merchant.merchantId}/portal-users`, {
        username: randomUUID(),
        role: 'viewer',
        password: 'a long enough password',
      }),
    'POST /merchants/:merchantId/portal-users/invite': async () =>
      about(`/merchants/${merchant.merchantId}/portal-users/invite`, {
        username: randomUUID(),
        role: 'viewer',
      }),
    'POST /merchants/:merchantId/own-keys': async () =>
      about(`/merchants/${merchant.merchantId}/own-keys`, { allowed: true }),
    'POST /portal-users/:portalUserId/recovery-link': async () => {
      const { portalUserId } = await createPortalUser(service, merchant, 'viewer');
      return about(`/portal-users/${portalUserId}/recovery-link`);
    },
    'DELETE /portal-users/:portalUserId/invitation': async () => {
      const path = `/merchants/${merchant.merchantId}/portal-users/invite`;
      const body = { username: randomUUID(), role: 'viewer' };
      const { data } = await operatorClient(service).post(path, body);
      return about(`/portal-users/${data.portalUserId}/invitation`);
    },
    'DELETE /portal-users/:portalUserId/sessions': async () => {
      const { portalUserId } = await createPortalUser(service, merchant, 'viewer');
      return about(`/portal-users/${portalUserId}/sessions`);
    },
    'PATCH /portal-users/:portalUserId': async () => {
      const { portalUserId } = await createPortalUser(service, merchant, 'viewer');
      return about(`/portal-users/${portalUserId}`, { name: 'P' });
    },
    'POST /merchants/:merchantId/api-keys': async () => about(apiKeys()),
    'POST /merchants/:merchantId/api-keys/regenerate': async () => {
      const { merchantId } = await createMerchant(service);
      return about(`/merchants/${merchantId}/api-keys/regenerate`);
    },
    'POST /merchants/:merchantId/adjustments': async () =>
      about(`/merchants/${merchant.merchantId}/adjustments`, {
        kind: 'credit',
        amount: 1,
        reason: 'r',
      }),
    'POST /fee-rules': async () =>
      about('/fee-rules', { orderType: 'Deposit', walletType: 'TillID' }),
    'POST /exchange-rates': async () => about('/exchange-rates', { currency: 'INR', rate: 3.2 }),
    'POST /members': async () =>
      about('/members', { username: randomUUID(), name: 'N', password: 'a long enough password' }),
    'POST /members/:memberId/accounts': async () =>
      about(`/members/${(await member()).memberId}/accounts`, {
        walletType: 'TillID',
        accountNumber: '1',
        accountTitle: 'T',
      }),
    'POST /members/:memberId/float-adjustments': async () =>
      about(`/members/${(await member()).memberId}/float-adjustments`, { amount: 1, reason: 'r' }),
    'POST /member-accounts/:accountId/approve': async () =>
      about(`/member-accounts/${await pendingAccount()}/approve`),
    'PATCH /member-accounts/:accountId': async () =>
      about(`/member-accounts/${await pendingAccount()}`, { qrAmount: false }),
    'POST /member-accounts/:accountId/suspend': async () =>
      about(`/member-accounts/${await pendingAccount()}/suspend`),
    'POST /orders/:orderId/claim': async () =>
      about(`/orders/${(await createOrder(merchant)).orderId}/claim`),
    'POST /sandbox/orders': async () => {
      await everybodyOffline(service);
      await createMember(service, { methods: ['ProviderA'] });
      const { merchantId } = await createMerchant(service);
      const write = about('/sandbox/orders', { merchantId });
      return { ...write, effects: 'select count(*)::integer from orders' };
    },
    'POST /orders/:orderId/unclaim': async () =>
      about(`/orders/${(await createOrder(merchant)).orderId}/unclaim`),
    'POST /orders/:orderId/cancel': async () =>
      about(`/orders/${(await createOrder(merchant)).orderId}/cancel`, note),
    'POST /orders/:orderId/escalate': async () => about(`/orders/${await inHand()}/escalate`, note),
    'POST /orders/:orderId/resolve': async () => {
      const orderId = await inHand();
      await operator.post(`/orders/${orderId}/escalate`, note);
      return about(`/orders/${orderId}/resolve`, { outcome: 'Completed', ...note });
    },
    'POST /orders/:orderId/confirm': async () =>
      about(`/orders/${await failedOrder()}/confirm`, note),
    'POST /orders/:orderId/deliveries/resend': async () =>
      about(`/orders/${await failedOrder()}/deliveries/resend`),
    'POST /orders/:orderId/deliveries/retry-now': async () => {
      const orderId = await failedOrder();
      await failFirstAttempt(orderId);
      return about(`/orders/${orderId}/deliveries/retry-now`);
    },
    'POST /merchants/:merchantId/webhooks/test': async () => {
      const url = { defaultCallbackUrl: 'http://127.0.0.1:9/hook' };
      const { merchantId } = await createMerchant(service, url);
      return about(`/merchants/${merchantId}/webhooks/test`);
    },
    'POST /webhooks/replay': async () => {
      const since = new Date(service.app.deps.clock.now()).toISOString();
      await failedOrder();
      const write = about('/webhooks/replay', { since, merchantId: merchant.merchantId });
      return { ...write, effects: 'select count(*)::integer from deliveries' };
    },
    'POST /late-claims/:claimId/take': async () =>
      about(`/late-claims/${await lateClaim()}/take`, undefined),
    'POST /late-claims/:claimId/close': async () =>
      about(`/late-claims/${await lateClaim()}/close`, note),
    'POST /closings': async () => {
      await noClosing();
      return about('/closings', {});
    },
    'POST /closings/:closingId/counts': async () => {
      const { memberId } = await createMember(service, { online: false, float: '10' });
      return about(`${await closing({ but: memberId })}/counts`, { memberId, counted: 10 });
    },
    'POST /closings/:closingId/sign': async () => {
      const path = await closing();
      const { countedAt } = (await operator.get(path)).data;
      return about(`${path}/sign`, { countedAt }, OPERATOR_TOKEN_2);
    },
    'POST /closings/:closingId/discard': async () => about(`${await closing()}/discard`, note),
    'POST /approvals/:approvalId/approve': async () =>
      about(`/approvals/${await waiting(apiKeys())}/approve`, undefined, OPERATOR_TOKEN_2),
    'POST /approvals/:approvalId/decline': async () =>
      about(`/approvals/${await waiting(apiKeys())}/decline`, note, OPERATOR_TOKEN_2),
    'POST /approvals/:approvalId/fetch': async () => {
      const approvalId = await waiting(apiKeys());
      await secondOperator(service).post(`/approvals/${approvalId}/approve`);
      return about(`/approvals/${approvalId}/fetch`, undefined, OPERATOR_TOKEN_2);
    },
    'PATCH /merchants/:merchantId': async () =>
      about(`/merchants/${merchant.merchantId}`, { name: randomUUID() }),
    'PATCH /merchants/:merchantId/alert-settings': async () =>
      about(`/merchants/${merchant.merchantId}/alert-settings`, { failingWebhooks: true }),
    'PATCH /members/:memberId': async () =>
      about(`/members/${(await member()).memberId}`, { name: 'M', password: 'correct horse' }),
    'PATCH /operators/:operatorId': async () =>
      about(`/operators/${(await createOperator(service, 'viewer')).operatorId}`, { name: 'O' }),
    'POST /views': async () => about('/views', VIEW),
    'PATCH /views/:viewId': async () => about(`/views/${await savedView()}`, { name: 'Other' }),
    'DELETE /views/:viewId': async () => about(`/views/${await savedView()}`),
    'DELETE /members/:memberId/sessions': async () =>
      about(`/members/${(await member()).memberId}/sessions`),
    'DELETE /members/:memberId/sessions/:sessionId': async () => {
      const password = 'correct horse';
      const one = await createMember(service, { online: false, password });
      await signInMember(service, one, password);
      const { data } = await operator.get(`/members/${one.memberId}/standing`);
      return about(`/members/${one.memberId}/sessions/${data.sessions[0].sessionId}`);
    },
    'POST /alert-channels': async () =>
      about('/alert-channels', { position: 'second', url: 'https://alerts.example/' }),
    'POST /alert-channels/remove': async () => {
      await operator.post('/alert-channels', { position: 'third', url: 'https://alerts.example/' });
      return about('/alert-channels/remove', { position: 'third' });
    },
    'PATCH /settings': async () => about('/settings', { payoutWindowSeconds: 3_600 }),
    'DELETE /merchants/:merchantId/api-keys/:keyId': async () =>
      about(`${apiKeys()}/${(await operator.post(apiKeys())).data.keyId}`),
    'POST /operators/:operatorId/recovery-link': async () => {
      const { operatorId } = await createOperator(service, 'viewer');
      return about(`/operators/${operatorId}/recovery-link`);
    },
    'DELETE /operators/:operatorId/one-time-code': async () => {
      const { operatorId } = await createOperator(service, 'viewer');
      await service.database.pool.query(
        `insert into operator_codes (operator_id, sealed_secret, seal_key_id, created_at, confirmed_at)
         values ($1, '', '', now(), now())`,
        [operatorId],
      );
      return about(`/operators/${operatorId}/one-time-code`);
    },
    'POST /members/:memberId/recovery-link': async () =>
      about(`/members/${(await member()).memberId}/recovery-link`),
    'DELETE /sessions': async () => {
      const { username, password } = await createOperator(service, 'viewer');
      const { token } = await signedIn(username, password);
      await signedIn(username, password);
      return about('/sessions', undefined, token);
    },
    'DELETE /sessions/:sessionId': async () => {
      const { username, password } = await createOperator(service, 'viewer');
      const { token } = await signedIn(username, password);
      await signedIn(username, password);
      const [{ sessionId }] = (await operatorClient(service, token).get('/sessions')).data;
      return about(`/sessions/${sessionId}`, undefined, token);
    },
    'DELETE /operators/:operatorId/sessions': async () =>
      about(`/operators/${(await createOperator(service, 'viewer')).operatorId}/sessions`),
    'DELETE /operators/:operatorId/tokens': async () => about((await newToken()).tokens),
    'DELETE /operators/:operatorId/tokens/:tokenId': async () => {
      const { tokens, tokenId } = await newToken();
      return about(`${tokens}/${tokenId}`);
    },
    'DELETE /fee-rules/:feeRuleId': async () => {
      const rule = { orderType: 'Deposit', walletType: 'ProviderB' };
      return about(`/fee-rules/${(await operator.post('/fee-rules', rule)).data.feeRuleId}`);
    },
  };

  async function signedIn(username: string, password: string): Promise<{ readonly token: string }> {
    return (await operator.post('/session', { username, password })).data;
  }

  /** What the sender of webhooks leaves behind. */
  async function failFirstAttempt(orderId: string): Promise<void> {
    const now = service.app.deps.clock.now();
    const { rows } = await service.database.pool.query(
      `update delivery_queue set attempts = 1, next_attempt_at = $2 where order_id = $1
      returning merchant_id, delivery_id`,
      [orderId, new Date(now + 3_600_000)],
    );
    await service.database.pool.query(
      'insert into delivery_attempts values ($1, $2, 1, $3, 120, false, 500, null)',
      [rows[0].merchant_id, rows[0].delivery_id, new Date(now + 1_000)],
    );
  }

  async function newToken() {
    const { operatorId } = await createOperator(service, 'viewer');
    const tokens = `/operators/${operatorId}/tokens`;
    return { tokens, tokenId: (await operator.post(tokens, { name: 't' })).data.tokenId };
  }

  async function pendingAccount(): Promise<string> {
    const { memberId } = await member();
    const account = { walletType: 'TillID', accountNumber: '1', accountTitle: 'T' };
    return (await operator.post(`/members/${memberId}/accounts`, account)).data.accountId;
  }

  interface Method {
    readonly parameters?: readonly { readonly name: string }[];
  }
  test('is tried here', async () => {
    const answer = await fetch(`${service.url}/openapi/operator.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Method>> };
    const keyed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === KEY))
        .map(([method]) => {
          const within = path.replace('/api/operator', '').replaceAll(/\{(\w+)\}/g, ':$1');
          return `${method.toUpperCase()} ${within}`;
        }),
    );
    expect(Object.keys(WRITES).toSorted()).toEqual(keyed.toSorted());
  });

  const KEY = 'Idempotency-Key';
  const count = async (text = 'select count(*)::integer from audit_log') =>
    (await service.database.pool.query(text)).rows[0].count as number;
  const SHOWN_ONCE = ['apiKey', 'signingSecret', 'token', 'secretShown', 'link', 'mailed'];
  const repeatable = ({ status, data }: { readonly status: number; readonly data: object }) => ({
    status,
    data: Object.fromEntries(Object.entries(data).filter(([name]) => !SHOWN_ONCE.includes(name))),
  });

  test.each(Object.keys(WRITES))(
    '%s is done once and answers the same, at once and where its answer was lost',
    async (call) => {
      const write = await (WRITES[call] as () => Promise<Write>)();
      const method = call.split(' ')[0] as string;
      const [key, before] = [randomUUID(), await count(write.effects)];
      const headers = { Authorization: `Bearer ${write.by ?? OPERATOR_TOKEN}`, [KEY]: key };
      const ask = () => send(service, method, write.path, headers, write.body);
      // As when the service dies after the effect: what is kept outside its transaction is lost.
      for (const statement of LOSE_LATE_ANSWERS) await service.alter(statement);
      try {
        const first = await ask();
        expect(first.status, first.text).toBe(200);
        const after = await count(write.effects);
        expect(after).toBeGreaterThan(before);
        const repeats = [await ask(), ...(await Promise.all([ask(), ask(), ask()]))];
        expect(repeats.map(repeatable)).toEqual(repeats.map(() => repeatable(first)));
        expect(await count(write.effects)).toBe(after);
      } finally {
        await service.alter('drop trigger lose_late_answers on request_keys');
      }
    },
  );

  /** Drops an answer that is kept in a transaction which has written nothing to the audit log. */
  const LOSE_LATE_ANSWERS = [
    `create or replace function lose_late_answers() returns trigger language plpgsql as $$ begin
      if exists (select from audit_log where xmin = pg_current_xact_id()::xid) then return new; end if;
      return old;
    end $$`,
    `create trigger lose_late_answers before update on request_keys for each row
      when (new.status is not null) execute function lose_late_answers()`,
  ];
});
