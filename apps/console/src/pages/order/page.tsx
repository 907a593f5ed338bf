import { useParams } from 'wouter';
import { OrderPanel } from './order-panel.tsx';

/** C5. */
export default function OrderPage() {
  const { orderId = '' } = useParams<{ orderId: string }>();
  return <OrderPanel key={orderId} orderId={orderId} />;
}
