import { Button, TextInput } from '@mantine/core';
import type { AnswerOf } from '@munshi/api';
import { READ_DELIVERY, RESEND_DELIVERY, RETRY_DELIVERY } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  Card,
  Copy,
  Countdown,
  EffectDialog,
  Facts,
  Loaded,
  Page,
  Refusal,
  Timeline,
  useRead,
  useWrite,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { DeliveryStatus } from '../webhooks/delivery-status.tsx';
import { texts as lists } from '../webhooks/texts.ts';
import classes from './delivery.module.css';
import { texts } from './texts.ts';

type Delivery = AsText<AnswerOf<typeof READ_DELIVERY>>['data'];
type Attempt = Delivery['attempts'][number];

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
  const { status, attemptsMade, orderReference, body } = delivery;
  return (
    <Page
      title={`${texts.title} · ${lists.events[delivery.eventType]}`}
      beside={<DeliveryStatus status={status} attemptsMade={attemptsMade} />}
      lead={orderReference}
      actions={<Actions delivery={delivery} />}
    >
      <div className={classes['columns']}>
        <div>
          <Card title={texts.attempts}>
            {delivery.attempts.length === 0 ? (
              <p className="quiet">{texts.none}</p>
            ) : (
              <Timeline label={texts.attempts} entries={delivery.attempts.map(entryOf)} />
            )}
          </Card>
          <Card
            title={texts.body}
            actions={
              <Copy value={body} what={texts.copyBody}>
                {''}
              </Copy>
            }
          >
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
            <section className={classes['code']} tabIndex={0} aria-label={texts.bytes}>
              {body}
            </section>
          </Card>
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

const entryOf = (attempt: Attempt) => ({
  id: String(attempt.number),
  at: attempt.startedAt,
  tone: attempt.succeeded ? ('done' as const) : ('failed' as const),
  what: [
    texts.attempt(attempt.number),
    attempt.responseStatus === null ? texts.noAnswer : texts.answered(attempt.responseStatus),
    texts.took(attempt.durationMs),
    ...(attempt.requested ? [texts.asked] : []),
  ].join(', '),
  detail: <AttemptDetail attempt={attempt} />,
});

function AttemptDetail({ attempt }: { readonly attempt: Attempt }) {
  return (
    <>
      {attempt.error === null ? null : <div>{attempt.error}</div>}
      {attempt.answer === null ? null : (
        <details>
          <summary>{texts.answer}</summary>
          <pre className={classes['code']}>{attempt.answer}</pre>
        </details>
      )}
      {attempt.headers === null ? null : (
        <details>
          <summary>{texts.headers}</summary>
          <pre className={classes['code']}>
            {attempt.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          </pre>
        </details>
      )}
    </>
  );
}

/** What the receiver computed beside what was sent; nothing leaves the browser. */
function SignatureCheck({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const [computed, setComputed] = useState('');
  const sent = attempts
    .findLast(({ headers }) => headers !== null)
    ?.headers?.find(({ name }) => name === 'x-svc-signature')?.value;
  if (sent === undefined) return null;
  const plain = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/^sha256=/, '');
  const isSame = plain(computed) === plain(sent);
  return (
    <Card title={texts.signature}>
      <div className={classes['check']}>
        <span className="quiet">{texts.sent}</span>
        <Copy value={sent} what={texts.sent} mono />
        <TextInput
          label={texts.computed}
          description={texts.signatureLead}
          value={computed}
          onChange={({ currentTarget }) => setComputed(currentTarget.value)}
        />
        <strong role="status" data-same={isSame} className={classes['verdict']}>
          {computed.trim() === '' ? '' : isSame ? texts.same : texts.differs}
        </strong>
      </div>
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
