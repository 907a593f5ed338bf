import { type AlertId, type AlertState, type Condition, subjectOf } from '@munshi/core';
import {
  endAlert,
  insertAlert,
  insertMessages,
} from '../../apps/server/src/merchant-alerts/store.ts';
import { type ConsoleOrders, consoleOrders } from './console-orders.ts';
import { createMerchant, createOrder, type TestMerchant } from './fixtures.ts';
import { operatorClient } from './operator-client.ts';
import { deliveryWhen, failedOrder } from './outcomes.ts';
import type { Service } from './service.ts';

/** A merchant with orders in the states that its people meet, and one that has none. */
export interface PortalShop {
  readonly merchant: TestMerchant;
  readonly newcomer: TestMerchant;
  readonly orders: ConsoleOrders;
  /** A deposit whose customer says to have paid. */
  readonly paid: Named;
  /** One whose link still works. */
  readonly open: Named;
  /** A withdrawal that is being paid out. */
  readonly payout: Named;
  /** One that failed, and whose webhook nobody has taken. */
  readonly failing: Named & { readonly deliveryId: string };
  /** One with long names in every field. */
  readonly long: Named;
}
interface Named {
  readonly orderId: string;
  readonly orderReference: string;
}

const LONG = 'x'.repeat(60);

export async function portalShop(service: Service): Promise<PortalShop> {
  const orders = await consoleOrders(service);
  const { merchant } = orders;
  const deaf = { callbackUrl: 'https://deaf.invalid/munshi/hook' };
  const paid = await orders.paid('4417', { amount: 2500, merchantOrderRef: 'INV-1001' });
  const payout = await orders.payout({ amount: 1800, merchantOrderRef: 'PAY-77' });
  const open = await orders.inHand({ amount: 900, merchantOrderRef: 'INV-1002' });
  const failing = await failedOrder(service, merchant, {
    ...deaf,
    ...{ amount: 4200, merchantOrderRef: 'INV-1003', customerReference: 'customer-9' },
  });
  const { deliveryId } = await deliveryWhen(service, failing, { attempts: 1 });
  // As three attempts in a row would have it.
  await service.database.pool.query(
    `insert into webhook_endpoints (merchant_id, host, consecutive_failures, failing_since, last_error)
     values ($1, 'deaf.invalid', 3, now(), 'Refused.')
     on conflict (merchant_id, host) do update
     set consecutive_failures = 3, failing_since = now()`,
    [merchant.merchantId],
  );
  const long = await createOrder(merchant, {
    ...{ amount: 99_999_999.99, merchantOrderRef: `INV-${LONG}`, customerReference: `c-${LONG}` },
    callbackUrl: `https://shop.example/${LONG}/${LONG}?${LONG}`,
  });
  await alertsOf(service, merchant);
  const newcomer = await createMerchant(service, { name: 'A New Shop With Quite a Long Name' });
  return {
    merchant,
    newcomer,
    orders,
    paid,
    open,
    payout,
    long,
    failing: { ...failing, deliveryId },
  };
}

/** One alert that goes on, one that is over, and a new key, written as if they had been sent. */
async function alertsOf(service: Service, { merchantId }: TestMerchant): Promise<void> {
  const { clock, ids } = service.app.deps;
  const { pool } = service.database;
  const email = 'ops@shop.example';
  await operatorClient(service).patch(`/merchants/${merchantId}/alert-settings`, {
    ...{ alertEmails: [email], lowBalance: 10, failingWebhooks: true },
  });
  const writeAlert = async (condition: Condition, states: readonly AlertState[], at: number) => {
    const alertId = ids.uuid<AlertId>(at);
    const { kind } = condition;
    await insertAlert(pool, {
      ...{ alertId, merchantId, kind, subject: subjectOf(condition), condition, at },
    });
    const message = { alertId, channel: 'email', target: email } as const;
    await insertMessages(
      pool,
      states.map((state) => ({ ...message, state, nextAttemptAt: null, error: null })),
    );
    return alertId;
  };
  const low = { kind: 'low-balance', available: 7_5000n, limit: 10_0000n } as const;
  const now = clock.now();
  const minutesAgo = (minutes: number) => now - minutes * 60_000;
  await endAlert(pool, await writeAlert(low, ['begun', 'over'], minutesAgo(50)), minutesAgo(8));
  const deaf = { host: 'deaf.invalid', since: now, lastError: 'Refused.' };
  await writeAlert({ kind: 'key-made', prefix: 'Ab3dEf9h' }, ['begun'], minutesAgo(30));
  await writeAlert({ kind: 'webhook-failing', ...deaf }, ['begun'], now);
  await pool.query('update merchant_alert_messages set sent_at = now() ');
}
