import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../support/fixtures.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** D64: what an operator has done is done once, also where nobody heard the answer. */

// Nobody sends: deliveries stay as they are written.
const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '1000' });

describe('every POST of the operator face that takes an Idempotency-Key', () => {
  interface Write {
    readonly path: string;
    readonly body?: object;
    readonly by?: OperatorClient;
    /** Counts what it does, where that is more than one entry of the audit log. */
    readonly effects?: string;
  }
  const note = { note: 'n' };
  const second = () => secondOperator(service);
  const about = (path: string, body?: object, by?: OperatorClient): Write => ({
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
  const apiKeys = () => `/merchants/${merchant.merchantId}/api-keys`;

  const WRITES: Readonly<Record<string, () => Promise<Write>>> = {
    '/operators': async () =>
      about('/operators', { username: randomUUID(), name: 'N', role: 'viewer' }),
    '/operators/:operatorId/tokens': async () => {
      const { operatorId } = await createOperator(service, 'viewer');
      return about(`/operators/${operatorId}/tokens`, { name: 't' });
    },
    '/merchants': async () => about('/merchants', { name: 'N' }),
    '/merchants/:merchantId/api-keys': async () => about(apiKeys()),
    '/merchants/:merchantId/api-keys/regenerate': async () => {
      const { merchantId } = await createMerchant(service);
      return about(`/merchants/${merchantId}/api-keys/regenerate`);
    },
    '/merchants/:merchantId/adjustments': async () =>
      about(`/merchants/${merchant.merchantId}/adjustments`, {
        kind: 'credit',
        amount: 1,
        reason: 'r',
      }),
    '/adjustments/:adjustmentId/approve': async () => {
      const adjustments = `/merchants/${merchant.merchantId}/adjustments`;
      const adjustmentId = await waiting(adjustments, { kind: 'credit', amount: 1, reason: 'r' });
      return about(`/adjustments/${adjustmentId}/approve`, undefined, second());
    },
    '/fee-rules': async () => about('/fee-rules', { orderType: 'Deposit', walletType: 'TillID' }),
    '/exchange-rates': async () => about('/exchange-rates', { currency: 'INR', rate: 3.2 }),
    '/members': async () =>
      about('/members', { username: randomUUID(), name: 'N', password: 'a long enough password' }),
    '/members/:memberId/accounts': async () =>
      about(`/members/${(await member()).memberId}/accounts`, {
        walletType: 'TillID',
        accountNumber: '1',
        accountTitle: 'T',
      }),
    '/members/:memberId/float-adjustments': async () =>
      about(`/members/${(await member()).memberId}/float-adjustments`, { amount: 1, reason: 'r' }),
    '/member-accounts/:accountId/approve': async () =>
      about(`/member-accounts/${await pendingAccount()}/approve`),
    '/member-accounts/:accountId/suspend': async () =>
      about(`/member-accounts/${await pendingAccount()}/suspend`),
    '/orders/:orderId/cancel': async () =>
      about(`/orders/${(await createOrder(merchant)).orderId}/cancel`, note),
    '/orders/:orderId/escalate': async () => about(`/orders/${await inHand()}/escalate`, note),
    '/orders/:orderId/resolve': async () => {
      const orderId = await inHand();
      await operator.post(`/orders/${orderId}/escalate`, note);
      return about(`/orders/${orderId}/resolve`, { outcome: 'Completed', ...note });
    },
    '/orders/:orderId/confirm': async () => about(`/orders/${await failedOrder()}/confirm`, note),
    '/orders/:orderId/confirm/approve': async () => {
      const orderId = await failedOrder();
      await waiting(`/orders/${orderId}/confirm`, note);
      return about(`/orders/${orderId}/confirm/approve`, note, second());
    },
    '/orders/:orderId/deliveries/resend': async () =>
      about(`/orders/${await failedOrder()}/deliveries/resend`),
    '/orders/:orderId/deliveries/retry-now': async () => {
      const orderId = await failedOrder();
      await failFirstAttempt(orderId);
      return about(`/orders/${orderId}/deliveries/retry-now`);
    },
    '/webhooks/replay': async () => {
      const since = new Date(service.app.deps.clock.now()).toISOString();
      await failedOrder();
      const write = about('/webhooks/replay', { since, merchantId: merchant.merchantId });
      return { ...write, effects: 'select count(*)::integer from deliveries' };
    },
    '/late-claims/:claimId/close': async () => {
      const { orderId } = await createOrder(merchant);
      const { rows } = await service.database.pool.query(
        `insert into late_claims (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
        values ($1, $2, 1, $3, '1234', now()) returning claim_id`,
        [merchant.merchantId, orderId, randomUUID()],
      );
      return about(`/late-claims/${rows[0].claim_id}/close`, note);
    },
    '/approvals/:approvalId/approve': async () =>
      about(`/approvals/${await waiting(apiKeys())}/approve`, undefined, second()),
    '/approvals/:approvalId/decline': async () =>
      about(`/approvals/${await waiting(apiKeys())}/decline`, note, second()),
    '/approvals/:approvalId/fetch': async () => {
      const approvalId = await waiting(apiKeys());
      await second().post(`/approvals/${approvalId}/approve`);
      return about(`/approvals/${approvalId}/fetch`);
    },
  };

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

  async function pendingAccount(): Promise<string> {
    const { memberId } = await member();
    const account = { walletType: 'TillID', accountNumber: '1', accountTitle: 'T' };
    return (await operator.post(`/members/${memberId}/accounts`, account)).data.accountId;
  }

  interface Path {
    readonly post?: { readonly parameters?: readonly { readonly name: string }[] };
  }
  test('is tried here', async () => {
    const answer = await fetch(`${service.url}/openapi/operator.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, Path> };
    const keyed = Object.entries(paths)
      .filter(([, { post }]) => post?.parameters?.some(({ name }) => name === 'Idempotency-Key'))
      .map(([path]) => path.replace('/api/operator', '').replaceAll(/\{(\w+)\}/g, ':$1'));
    expect(Object.keys(WRITES).toSorted()).toEqual(keyed.toSorted());
  });

  const count = async (text = 'select count(*)::integer from audit_log') =>
    (await service.database.pool.query(text)).rows[0].count as number;
  const SHOWN_ONCE = ['apiKey', 'signingSecret', 'token', 'secretShown'];
  const repeatable = ({ status, data }: { readonly status: number; readonly data: object }) => ({
    status,
    data: Object.fromEntries(Object.entries(data).filter(([name]) => !SHOWN_ONCE.includes(name))),
  });

  test.each(Object.keys(WRITES))(
    '%s is done once and answers the same, at once and where its answer was lost',
    async (path) => {
      const write = await (WRITES[path] as () => Promise<Write>)();
      const [key, before] = [randomUUID(), await count(write.effects)];
      const ask = () => (write.by ?? operator).post(write.path, write.body, key);
      // As when the service dies after the effect: what is kept outside its transaction is lost.
      await service.database.pool.query(LOSE_LATE_ANSWERS);
      try {
        const first = await ask();
        expect(first.status, first.text).toBe(200);
        const after = await count(write.effects);
        expect(after).toBeGreaterThan(before);
        const repeats = [await ask(), ...(await Promise.all([ask(), ask(), ask()]))];
        expect(repeats.map(repeatable)).toEqual(repeats.map(() => repeatable(first)));
        expect(await count(write.effects)).toBe(after);
      } finally {
        await service.database.pool.query('drop trigger lose_late_answers on request_keys');
      }
    },
  );

  /** Drops an answer that is kept in a transaction which has written nothing to the audit log. */
  const LOSE_LATE_ANSWERS = `
    create or replace function lose_late_answers() returns trigger language plpgsql as $$ begin
      if exists (select from audit_log where xmin = pg_current_xact_id()::xid) then return new; end if;
      return old;
    end $$;
    create trigger lose_late_answers before update on request_keys for each row
      when (new.status is not null) execute function lose_late_answers()`;
});
