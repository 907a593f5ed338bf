import { Button } from '@mantine/core';
import type { AnswerOf } from '@munshi/api';
import { READ_DELIVERY, RESEND_DELIVERY, RETRY_DELIVERY } from '@munshi/api';
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
  Refusal,
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

type Delivery = AsText<AnswerOf<typeof READ_DELIVERY>>['data'];

/** C9, one delivery as its receiver got it. */
export default function DeliveryPage() {
  const { deliveryId = '' } = useParams();
  const read = useRead(READ_DELIVERY, { params: { deliveryId } }, { watch: ['delivery'] });
  return (
    <Loaded read={read} rows={8}>
      {({ data }) => <Shown delivery={data} />}
    </Loaded>
  );
}

function Shown({ delivery }: { readonly delivery: Delivery }) {
  const { status, attemptsMade, attemptsRemoved, orderReference, body, bodyRemovedAt } = delivery;
  return (
    <Page
      title={`${texts.title} · ${lists.events[delivery.eventType]}`}
      beside={<DeliveryStatus status={status} attemptsMade={attemptsMade} />}
      lead={orderReference}
      actions={<Actions delivery={delivery} />}
    >
      <div className={classes['columns']}>
        <div>
          <DeliveryAttempts attempts={delivery.attempts} removed={attemptsRemoved} />
          <DeliveryBody body={body} removedAt={bodyRemovedAt} />
        </div>
        <div>
          <About delivery={delivery} />
          <SignatureCheck attempts={delivery.attempts} />
        </div>
      </div>
    </Page>
  );
}

function About({ delivery }: { readonly delivery: Delivery }) {
  return (
    <Card title={texts.facts}>
      <Facts
        facts={[
          [
            texts.order,
            <Link key="order" href={`/orders/${delivery.orderId}`}>
              {delivery.orderReference}
            </Link>,
          ],
          [texts.merchant, delivery.merchantName],
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

function Actions({ delivery }: { readonly delivery: Delivery }) {
  const { orderId, allowedActions } = delivery;
  const retry = useWrite(RETRY_DELIVERY);
  const resend = useWrite(RESEND_DELIVERY);
  const [resending, setResending] = useState(false);
  const [, go] = useLocation();
  const request = { params: { orderId } };
  const sendAgain = async () => {
    const { data } = await resend.send(request);
    if ('deliveryId' in data) go(`/deliveries/${data.deliveryId}`);
  };
  return (
    <>
      <Refusal error={retry.error} />
      {allowedActions.includes('resend') ? (
        <Button variant="default" onClick={() => setResending(true)}>
          {texts.resend}
        </Button>
      ) : null}
      {allowedActions.includes('retry-now') ? (
        <Button loading={retry.sending} onClick={() => void retry.send(request).catch(() => {})}>
          {texts.retry}
        </Button>
      ) : null}
      {resending ? (
        <EffectDialog
          title={texts.resendTitle}
          deed={texts.resendDeed}
          onClose={() => setResending(false)}
          onSend={sendAgain}
        >
          <p>{texts.resendLead}</p>
        </EffectDialog>
      ) : null}
    </>
  );
}
