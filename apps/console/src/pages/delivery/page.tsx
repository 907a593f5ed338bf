import { Button } from '@mantine/core';
import { type AnswerOf, READ_DELIVERY, RESEND_DELIVERY, RETRY_DELIVERY } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { DeliveryPage, Loaded, Refusal, ResendDialog, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';

type Delivery = AsText<AnswerOf<typeof READ_DELIVERY>>['data'];

/** C9, one delivery as its receiver got it. */
export default function OneDelivery() {
  const { deliveryId = '' } = useParams();
  const read = useRead(READ_DELIVERY, { params: { deliveryId } }, { watch: ['delivery'] });
  return (
    <Loaded read={read} rows={8}>
      {({ data }) => (
        <DeliveryPage
          delivery={data}
          actions={<Actions delivery={data} />}
          more={[['Merchant', data.merchantName]]}
        />
      )}
    </Loaded>
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
          Resend…
        </Button>
      ) : null}
      {allowedActions.includes('retry-now') ? (
        <Button loading={retry.sending} onClick={() => void retry.send(request).catch(() => {})}>
          Retry now
        </Button>
      ) : null}
      {resending ? <ResendDialog onClose={() => setResending(false)} onSend={sendAgain} /> : null}
    </>
  );
}
