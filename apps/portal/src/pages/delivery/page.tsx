import { Button } from '@mantine/core';
import { PORTAL_READ_DELIVERY, PORTAL_RESEND_DELIVERY, type PortalDelivery } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Card, DeliveryPage, Loaded, ResendDialog, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { TestEvent } from '../../test-event.tsx';
import classes from './delivery.module.css';

interface OfDelivery {
  readonly delivery: AsText<PortalDelivery>;
}

/** P6, one delivery as it was sent, and why it was refused. */
export default function OneDelivery() {
  const { deliveryId = '' } = useParams();
  const read = useRead(PORTAL_READ_DELIVERY, { params: { deliveryId } }, { watch: ['delivery'] });
  return (
    <Loaded read={read} rows={8}>
      {({ data }) => (
        <DeliveryPage
          key={data.deliveryId}
          delivery={data}
          actions={data.orderReference === null ? <TestEvent /> : <Resend delivery={data} />}
          before={<WhyNot delivery={data} />}
        />
      )}
    </Loaded>
  );
}

/** The last failure in words, with what the receiver answered. */
function WhyNot({ delivery: { status, attempts } }: OfDelivery) {
  const last = attempts.at(-1);
  if (last === undefined || last.succeeded || status === 'superseded') return null;
  const { responseStatus, error, answer } = last;
  return (
    <Card title="Why it has not arrived">
      <p className={classes['why']}>
        <strong>
          {responseStatus === null
            ? 'Nothing answered at this address.'
            : `Your receiver answered ${responseStatus}; only 2xx counts as received.`}
        </strong>
      </p>
      {error === null || responseStatus !== null ? null : <p className={classes['why']}>{error}</p>}
      {answer === null || answer === '' ? null : <pre className={classes['answer']}>{answer}</pre>}
      <p className="quiet">
        {status === 'abandoned'
          ? 'Ten attempts have failed, so it is not retried automatically.'
          : 'It is retried automatically, ten attempts in all, with growing pauses.'}
      </p>
    </Card>
  );
}

function Resend({ delivery: { orderId, allowedActions } }: OfDelivery) {
  const resend = useWrite(PORTAL_RESEND_DELIVERY);
  const [asking, setAsking] = useState(false);
  const [, go] = useLocation();
  if (!allowedActions.includes('resend')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Resend…
      </Button>
      {asking ? (
        <ResendDialog
          onClose={() => setAsking(false)}
          onSend={async () => {
            const { data } = await resend.send({ params: { orderId } });
            go(`/deliveries/${data.deliveryId}`);
          }}
        />
      ) : null}
    </>
  );
}
