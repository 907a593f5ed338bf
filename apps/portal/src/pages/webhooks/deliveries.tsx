import { PORTAL_LIST_DELIVERIES } from '@munshi/api';
import {
  DELIVERY_FILTERS,
  DeliveryFilterBar,
  DeliveryTable,
  useDeliveries,
  useFilters,
} from '@munshi/web-ui';

/** Every delivery, found by its id, its order, and how it ended. */
export function Deliveries() {
  const chosen = useFilters(DELIVERY_FILTERS);
  const list = useDeliveries(PORTAL_LIST_DELIVERIES, chosen.values);
  return (
    <>
      <DeliveryFilterBar chosen={chosen} />
      <DeliveryTable
        list={list}
        filtered={chosen.count > 0}
        none="Nothing has been sent yet. A webhook is sent when an order ends."
      />
    </>
  );
}
