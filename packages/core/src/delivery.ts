import { type Objection, refuse } from './decision.ts';
import { isFinal, type Order } from './order.ts';

/** How far a delivery has come; `superseded`: a newer outcome of its order is told instead. */
export type DeliveryStatus = 'pending' | 'delivered' | 'abandoned' | 'superseded';

/**
 * Whether the latest delivery of an order can be made due now. Only one that has failed can be: an
 * earlier one tells what is no longer so, and what was acknowledged is not sent again (D73).
 */
export function refuseRetry(
  latest: { readonly status: DeliveryStatus; readonly attemptsMade: number } | undefined,
): Objection {
  if (latest === undefined) return refuse('wrong-state', 'This order has no delivery to retry.');
  const { status, attemptsMade } = latest;
  if (status === 'abandoned' || (status === 'pending' && attemptsMade > 0)) return undefined;
  const state = status === 'pending' ? 'being sent for the first time' : status;
  return refuse(
    'wrong-state',
    `The latest delivery is ${state}; only a failed one can be retried. Use resend to send the outcome again.`,
  );
}

/** Whether the present outcome of an order can be told once more. */
export function refuseResend({ status, callbackUrl }: Pick<Order, 'status' | 'callbackUrl'>) {
  if (!isFinal(status))
    return refuse('wrong-state', `The order is ${status}; only a final outcome is sent.`);
  if (callbackUrl === null) return refuse('wrong-state', 'The order has no callback URL.');
  return undefined;
}
