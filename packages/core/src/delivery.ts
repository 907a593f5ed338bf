import { type Objection, refuse } from './decision.ts';
import { type Instant, isFinal, type Order } from './order.ts';
import type { Delivery } from './rows.ts';

/** Whether a webhook is sent; the feed has what is not, too (decision 33). */
export const isSent = <Outcome extends Pick<Delivery, 'url'>>(
  delivery: Outcome,
): delivery is Outcome & { readonly url: string } => delivery.url !== null;

/** The state of a delivery; `superseded`: a newer outcome of its order is sent instead. */
export type DeliveryStatus = 'pending' | 'delivered' | 'abandoned' | 'superseded';

/** What is said where a delivery would be sent again whose body was removed. */
export const BODY_REMOVED =
  'The body of this delivery has been removed after its time. Use resend to send the outcome again.';

/**
 * Whether the latest delivery of an order can be made due now. Only one that has failed can be: an
 * earlier one says what is no longer so, and what was acknowledged is not sent again
 * (webhooks.md#when-it-does-not-arrive).
 */
export function refuseRetry(
  latest:
    | {
        readonly status: DeliveryStatus;
        readonly attemptsMade: number;
        readonly bodyRemovedAt: Instant | null;
      }
    | undefined,
): Objection {
  if (latest === undefined) return refuse('wrong-state', 'This order has no delivery to retry.');
  const { status, attemptsMade, bodyRemovedAt } = latest;
  if (status === 'abandoned' || (status === 'pending' && attemptsMade > 0))
    return bodyRemovedAt === null ? undefined : refuse('wrong-state', BODY_REMOVED);
  const state = status === 'pending' ? 'being sent for the first time' : status;
  return refuse(
    'wrong-state',
    `The latest delivery is ${state}; only a failed one can be retried. Use resend to send the outcome again.`,
  );
}

/** Whether the current outcome of an order can be sent again. */
export function refuseResend({ status, callbackUrl }: Pick<Order, 'status' | 'callbackUrl'>) {
  if (!isFinal(status))
    return refuse('wrong-state', `The order is ${status}; only a final outcome is sent.`);
  if (callbackUrl === null) return refuse('wrong-state', 'The order has no callback URL.');
  return undefined;
}
