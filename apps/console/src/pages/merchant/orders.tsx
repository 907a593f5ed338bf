import { OrdersOf } from '../../orders-of.tsx';
import type { TabProps } from './shown.ts';

export const OrdersTab = ({ merchant: { merchantId } }: TabProps) => (
  <OrdersOf owner={{ merchantId }} empty={<p>No order yet.</p>} />
);
