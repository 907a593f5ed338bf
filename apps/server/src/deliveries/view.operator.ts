import type { DeliveryView, Given } from '@munshi/api';
import { deliveryActions } from '@munshi/core';
import type { Operator } from '../people/access.operator.ts';
import type { DeliveryRecord } from './store.ts';

/** One of an order's deliveries; the latest of them alone can be retried. */
export const showDelivery = (
  delivery: DeliveryRecord,
  operator: Operator,
  isLatest: boolean,
): Given<DeliveryView> => ({
  ...delivery,
  allowedActions: isLatest ? deliveryActions(delivery, operator) : [],
});
