import {
  PORTAL_LIST_DELIVERIES,
  PORTAL_READ_DELIVERY,
  type PortalListedDelivery,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  Card,
  Countdown,
  DeliveryAttempts,
  DeliveryBody,
  DeliveryStatus,
  EVENT_NAMES,
  Loaded,
  Skeleton,
  useList,
  useRead,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import classes from './order.module.css';
import type { Order } from './order.ts';

type Delivery = AsText<PortalListedDelivery>;

/** What was sent about the order, the newest first, and why it did not arrive. */
export function Deliveries({ order }: { readonly order: Order }) {
  const { orderId, callbackUrl } = order;
  const list = useList(
    PORTAL_LIST_DELIVERIES,
    { query: { orderId } },
    { watch: ['delivery', 'order'], enabled: callbackUrl !== null },
  );
  return (
    <Card title="Webhooks">
      {callbackUrl === null ? (
        <p className="quiet">This order has no callback URL, so no webhook is sent.</p>
      ) : list.rows === undefined ? (
        <Skeleton />
      ) : list.rows.length === 0 ? (
        <p className="quiet">
          Nothing has been sent yet. A webhook is sent as soon as the order ends.
        </p>
      ) : (
        <ul className={classes['deliveries']}>
          {list.rows.map((delivery) => (
            <OneDelivery key={delivery.deliveryId} delivery={delivery} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function OneDelivery({ delivery }: { readonly delivery: Delivery }) {
  const { deliveryId, eventType, status, attemptsMade, lastAttempt, nextAttemptAt } = delivery;
  const failed = status === 'pending' || status === 'abandoned';
  const [opened, setOpened] = useState(false);
  return (
    <li>
      <div className={classes['line']}>
        <Link href={`/deliveries/${deliveryId}`}>{EVENT_NAMES[eventType]}</Link>
        <DeliveryStatus status={status} attemptsMade={attemptsMade} />
      </div>
      {failed && lastAttempt !== null ? (
        <p className={classes['why']}>{whyOf(lastAttempt)}</p>
      ) : null}
      <div className="quiet">
        <When at={delivery.createdAt} /> ·{' '}
        {attemptsMade === 1 ? '1 attempt' : `${attemptsMade} attempts`}
        {nextAttemptAt === null ? null : (
          <>
            , next one in <Countdown at={nextAttemptAt} />
          </>
        )}
      </div>
      <details onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary>Attempts and body</summary>
        {opened ? <Sent deliveryId={deliveryId} /> : null}
      </details>
    </li>
  );
}

const whyOf = ({ responseStatus, error }: NonNullable<Delivery['lastAttempt']>): string =>
  error ?? (responseStatus === null ? '' : `Your server answered ${responseStatus}.`);

function Sent({ deliveryId }: { readonly deliveryId: string }) {
  const read = useRead(PORTAL_READ_DELIVERY, { params: { deliveryId } }, { watch: ['delivery'] });
  return (
    <Loaded read={read}>
      {({ data }) => (
        <>
          <DeliveryAttempts attempts={data.attempts} removed={data.attemptsRemoved} />
          <DeliveryBody body={data.body} removedAt={data.bodyRemovedAt} />
        </>
      )}
    </Loaded>
  );
}
