import type { Instant, Order } from '@munshi/core';
import type pg from 'pg';
import { found } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { type OperatorCaller, recordedWrite } from '../writes/write.ts';
import { factsOf, NOTHING_ADDED, readAdded } from './added.store.ts';
import { findOrder } from './store.ts';

/** The customer's data of an order. */
export interface PersonalData
  extends Pick<Order, 'customerAccountNumber' | 'customerAccountName' | 'payerAccount'> {
  /** Who paid, as the customer says. */
  readonly paidBy: string | null;
}

/**
 * An operator looks at an order's personal data, which is masked everywhere else: who and when
 * stands in the audit log (security.md#texts-that-others-see). Throws `not-found`.
 */
export function revealCustomer(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  caller: OperatorCaller,
  orderId: string,
): Promise<PersonalData> {
  const work = async (client: pg.PoolClient, _now: Instant) => {
    const { order } = found(await findOrder(client, orderId), 'Order');
    const { customerAccountNumber, customerAccountName, payerAccount } = order;
    const { paidBy } = factsOf((await readAdded(client, [orderId])).get(orderId) ?? NOTHING_ADDED);
    const result = { customerAccountNumber, customerAccountName, payerAccount, paidBy };
    return { result, action: 'order.reveal' as const, target: orderId };
  };
  return recordedWrite(deps, caller, work, null);
}
