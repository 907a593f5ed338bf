import { READ_ORDER } from '@munshi/api';
import { Loaded, OrderStatus, useRead } from '@munshi/web-ui';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { Evidence } from '../order/evidence.tsx';
import { amountOf, type OrderDetail } from '../order/order.ts';
import { Customer, LateClaims, LooksLike, Member, Payment } from '../order/order-facts.tsx';
import classes from './approvals.module.css';

/** The order of a request: what was said and shown, as its own page has it. */
export function OrderBeside({ orderId, onShown }: { readonly orderId: string; onShown(): void }) {
  const read = useRead(READ_ORDER, { params: { orderId } }, { watch: ['order', 'claim'] });
  return <Loaded read={read}>{({ data }) => <Shown order={data} onShown={onShown} />}</Loaded>;
}

function Shown({ order, onShown }: { readonly order: OrderDetail; onShown(): void }) {
  useEffect(onShown, []);
  return (
    <>
      <h3 className={classes['order']}>
        <Link href={`/orders/${order.orderId}`}>
          {amountOf(order)} {order.orderType.toLowerCase()}
        </Link>
        <OrderStatus status={order.status} stage={order.stage} />
      </h3>
      <LooksLike order={order} />
      <LateClaims order={order} />
      <Evidence order={order} />
      <Payment order={order} />
      <Customer order={order} />
      <Member order={order} />
    </>
  );
}
