import { Button } from '@mantine/core';
import { READ_ORDER, READ_SANDBOX_ORDER } from '@munshi/api';
import { amountText } from '@munshi/web';
import { Card, Copy, Countdown, Head, Loaded, OrderStatus, useRead } from '@munshi/web-ui';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Happened } from '../order/happened.tsx';
import { PlayCustomer } from './play-customer.tsx';
import { PlayMember } from './play-member.tsx';
import type { Played } from './played.ts';
import classes from './sandbox.module.css';

/** An order with its customer and its member, and what has happened to it. */
export function PlayedOrder({ orderId }: { readonly orderId: string }) {
  const read = useRead(
    READ_SANDBOX_ORDER,
    { params: { orderId } },
    { watch: ['order', 'member', 'setting'] },
  );
  return (
    <section>
      <Loaded read={read} rows={10}>
        {({ data }) => <Stage order={data} />}
      </Loaded>
    </section>
  );
}

function Stage({ order }: { readonly order: Played }) {
  const { orderId, orderReference, merchantName, status, stage, expiresAt, customer } = order;
  const amount = amountText(order.amount, order.currency);
  const heading = useRef<HTMLHeadingElement>(null);
  // What was pressed may be gone: a screen reader says what has become of the order instead.
  const refocus = () => heading.current?.focus({ preventScroll: true });
  useEffect(refocus, []);
  return (
    <>
      <Head
        beside={
          <span role="status">
            <OrderStatus status={status} stage={stage} />
          </span>
        }
        lead={
          <div className={classes['lead']}>
            <Copy value={orderReference} what="the reference" mono />
            <span>{merchantName}</span>
            {customer.allowedActions.length === 0 ? null : (
              <span>
                link good for <Countdown at={expiresAt} />
              </span>
            )}
          </div>
        }
        actions={
          <Button component={Link} href={`/orders/${orderId}`} variant="default">
            Open the order
          </Button>
        }
      >
        <h2 ref={heading} tabIndex={-1}>
          {amount} {order.orderType.toLowerCase()}
        </h2>
      </Head>
      <div className={classes['roles']}>
        <Card title="As the customer">
          <PlayCustomer key={status} order={order} amount={amount} onDone={refocus} />
        </Card>
        <Card title="As the member">
          <PlayMember key={status} order={order} amount={amount} onDone={refocus} />
        </Card>
      </div>
      <Card title="What happened">
        <History orderId={orderId} />
      </Card>
    </>
  );
}

function History({ orderId }: { readonly orderId: string }) {
  const read = useRead(READ_ORDER, { params: { orderId } }, { watch: ['order', 'delivery'] });
  return (
    <Loaded read={read} rows={6}>
      {({ data }) => <Happened order={data} />}
    </Loaded>
  );
}
