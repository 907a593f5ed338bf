import { Button } from '@mantine/core';
import { PORTAL_READ_DELIVERY, PORTAL_RESEND, type PortalDelivery } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  Card,
  Copy,
  Countdown,
  DeliveryAttempts,
  DeliveryBody,
  DeliveryStatus,
  EffectDialog,
  Facts,
  Loaded,
  Page,
  SignatureCheck,
  useRead,
  useWrite,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { texts as lists } from '../webhooks/texts.ts';
import classes from './delivery.module.css';
import { texts } from './texts.ts';

type Delivery = AsText<PortalDelivery>;
interface ShownProps {
  readonly delivery: Delivery;
}

/** P6, one delivery as it was sent, and why it was refused. */
export default function DeliveryPage() {
  const { deliveryId = '' } = useParams();
  const read = useRead(PORTAL_READ_DELIVERY, { params: { deliveryId } }, { watch: ['delivery'] });
  return (
    <Loaded read={read} rows={8}>
      {({ data }) => <Shown key={data.deliveryId} delivery={data} />}
    </Loaded>
  );
}

function Shown({ delivery }: ShownProps) {
  const { status, attemptsMade, orderReference, body, attempts } = delivery;
  return (
    <Page
      title={`${texts.title} · ${lists.events[delivery.eventType]}`}
      beside={<DeliveryStatus status={status} attemptsMade={attemptsMade} />}
      lead={orderReference}
      actions={<Resend delivery={delivery} />}
    >
      <div className={classes['columns']}>
        <div>
          <WhyNot delivery={delivery} />
          <DeliveryAttempts attempts={attempts} removed={delivery.attemptsRemoved} />
          <DeliveryBody body={body} removedAt={delivery.bodyRemovedAt} />
        </div>
        <div>
          <About delivery={delivery} />
          <SignatureCheck attempts={attempts} />
        </div>
      </div>
    </Page>
  );
}

/** The last failure in words, with what the receiver answered. */
function WhyNot({ delivery: { status, attempts } }: ShownProps) {
  const last = attempts.at(-1);
  if (last === undefined || last.succeeded || status === 'superseded') return null;
  const { responseStatus, error, answer } = last;
  return (
    <Card title={texts.why}>
      <p className={classes['why']}>
        <strong>
          {responseStatus === null ? texts.whys.noAnswer : texts.whys.answered(responseStatus)}
        </strong>
      </p>
      {error === null ? null : <p className={classes['why']}>{error}</p>}
      {answer === null || answer === '' ? null : <pre className={classes['answer']}>{answer}</pre>}
      <p className="quiet">{status === 'abandoned' ? texts.abandoned : texts.retries}</p>
    </Card>
  );
}

function About({ delivery }: ShownProps) {
  return (
    <Card title={texts.facts}>
      <Facts
        facts={[
          delivery.orderReference === null
            ? null
            : [
                texts.order,
                <Link key="order" href={`/orders/${delivery.orderId}`}>
                  {delivery.orderReference}
                </Link>,
              ],
          [texts.url, <Copy key="url" value={delivery.url} what={texts.url} mono />],
          [texts.id, <Copy key="id" value={delivery.deliveryId} what={texts.id} mono />],
          [texts.made, <When key="made" at={delivery.createdAt} />],
          delivery.nextAttemptAt === null
            ? null
            : [texts.next, <Countdown key="next" at={delivery.nextAttemptAt} />],
        ]}
      />
    </Card>
  );
}

function Resend({ delivery: { orderId, allowedActions } }: ShownProps) {
  const resend = useWrite(PORTAL_RESEND);
  const [asking, setAsking] = useState(false);
  const [, go] = useLocation();
  if (!allowedActions.includes('resend')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {texts.resend}
      </Button>
      {asking ? (
        <EffectDialog
          title={texts.resendTitle}
          deed={texts.resendDeed}
          onClose={() => setAsking(false)}
          onSend={async () => {
            const { data } = await resend.send({ params: { orderId } });
            go(`/deliveries/${data.deliveryId}`);
          }}
        >
          <p>{texts.resendLead}</p>
        </EffectDialog>
      ) : null}
    </>
  );
}
