import type { PortalDelivery } from '@munshi/api';
import type { AsText } from '@munshi/web';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Copy } from '../copy.tsx';
import { EffectDialog } from '../effect-dialog.tsx';
import { Reference } from '../orders/reference.tsx';
import { Card, type Fact, Facts, Page } from '../page.tsx';
import { Countdown, When } from '../when.tsx';
import classes from './deliveries.module.css';
import { DeliveryAttempts, DeliveryBody, SignatureCheck } from './delivery-attempts.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { EVENT_NAMES } from './names.ts';

type Delivery = AsText<Omit<PortalDelivery, 'allowedActions'>>;

interface DeliveryPageProps {
  readonly delivery: Delivery;
  readonly actions: ReactNode;
  /** Before the attempts. */
  readonly before?: ReactNode;
  /** After the order, such as whose it is. */
  readonly more?: readonly Fact[];
}

/** One delivery as it was sent. */
export function DeliveryPage({ delivery, actions, before, more = [] }: DeliveryPageProps) {
  const { status, attemptsMade, attempts } = delivery;
  return (
    <Page
      title={`Webhook · ${EVENT_NAMES[delivery.eventType]}`}
      beside={<DeliveryStatus status={status} attemptsMade={attemptsMade} />}
      lead={
        delivery.orderReference ?? 'A test of the default callback URL. It belongs to no order.'
      }
      actions={actions}
    >
      <div className={classes['columns']}>
        <div>
          {before}
          <DeliveryAttempts attempts={attempts} removed={delivery.attemptsRemoved} />
          <DeliveryBody body={delivery.body} removedAt={delivery.bodyRemovedAt} />
        </div>
        <div>
          <About delivery={delivery} more={more} />
          <SignatureCheck attempts={attempts} />
        </div>
      </div>
    </Page>
  );
}

function About({ delivery, more }: Required<Pick<DeliveryPageProps, 'delivery' | 'more'>>) {
  const { orderId, orderReference, url, deliveryId, createdAt, nextAttemptAt } = delivery;
  const order: Fact =
    orderReference === null
      ? null
      : [
          'Order',
          <Link key="order" href={`/orders/${orderId}`}>
            <Reference reference={orderReference} />
          </Link>,
        ];
  return (
    <Card title="About it">
      <Facts
        facts={[
          order,
          ...more,
          ['Address', <Copy key="url" value={url} what="Address" mono />],
          ['Delivery id', <Copy key="id" value={deliveryId} what="Delivery id" mono />],
          ['Made', <When key="made" at={createdAt} />],
          nextAttemptAt === null
            ? null
            : ['Next attempt', <Countdown key="next" at={nextAttemptAt} />],
        ]}
      />
    </Card>
  );
}

/** Asks before an order’s outcome is sent again. */
export function ResendDialog({ onClose, onSend }: { onClose(): void; onSend(): Promise<unknown> }) {
  return (
    <EffectDialog
      title="Send the outcome again"
      button="Resend the outcome"
      onClose={onClose}
      onSend={onSend}
    >
      <p>
        A new delivery of the present outcome, with a new id and time. Deliveries that are still
        retried are superseded.
      </p>
    </EffectDialog>
  );
}
