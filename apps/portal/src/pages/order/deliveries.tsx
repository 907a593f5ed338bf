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
  deliveryTexts,
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
import { texts } from './texts.ts';

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
    <Card title={texts.webhooks}>
      {callbackUrl === null ? (
        <p className="quiet">{texts.noCallback}</p>
      ) : list.rows === undefined ? (
        <Skeleton />
      ) : list.rows.length === 0 ? (
        <p className="quiet">{texts.noDeliveries}</p>
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
        <strong>{deliveryTexts.events[eventType]}</strong>
        <DeliveryStatus status={status} attemptsMade={attemptsMade} />
      </div>
      {failed && lastAttempt !== null ? (
        <p className={classes['why']}>{whyOf(lastAttempt)}</p>
      ) : null}
      <div className="quiet">
        <When at={delivery.createdAt} /> · {texts.attempts(attemptsMade)}
        {nextAttemptAt === null ? null : (
          <>
            , {texts.next} <Countdown at={nextAttemptAt} />
          </>
        )}
      </div>
      <details onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary>{texts.details}</summary>
        {opened ? <Sent deliveryId={deliveryId} /> : null}
      </details>
    </li>
  );
}

const whyOf = ({ responseStatus, error }: NonNullable<Delivery['lastAttempt']>): string =>
  error ?? (responseStatus === null ? '' : texts.answered(responseStatus));

function Sent({ deliveryId }: { readonly deliveryId: string }) {
  const read = useRead(PORTAL_READ_DELIVERY, { params: { deliveryId } }, { watch: ['delivery'] });
  return (
    <Loaded read={read}>
      {({ data }) => (
        <>
          <DeliveryAttempts attempts={data.attempts} removed={data.attemptsRemoved} />
          <DeliveryBody body={data.body} removedAt={data.bodyRemovedAt} />
          <Link href={`/deliveries/${deliveryId}`}>{texts.openDelivery}</Link>
        </>
      )}
    </Loaded>
  );
}
