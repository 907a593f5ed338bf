import { TextInput } from '@mantine/core';
import type { PortalDelivery } from '@munshi/api';
import { type AsText, dayText } from '@munshi/web';
import { useState } from 'react';
import { Copy } from '../copy.tsx';
import { Card } from '../page.tsx';
import { Timeline } from '../timeline.tsx';
import classes from './deliveries.module.css';

/** One try to reach the receiver, as every face that shows deliveries has it. */
export type DeliveryAttempt = AsText<PortalDelivery>['attempts'][number];

/** Every attempt of a delivery: when, how long, what came back, and the headers that were sent. */
export function DeliveryAttempts({
  attempts,
  removed,
}: {
  readonly attempts: readonly DeliveryAttempt[];
  /** How many were made that are not kept any more. */
  readonly removed: number;
}) {
  return (
    <Card title="Attempts">
      {attempts.length === 0 ? (
        <p className="quiet">
          {removed === 0
            ? 'No attempt has been made yet.'
            : removed === 1
              ? 'One attempt was made. It is no longer kept.'
              : `${removed} attempts were made. They are no longer kept.`}
        </p>
      ) : (
        <Timeline label="Attempts" entries={attempts.map(entryOf)} />
      )}
    </Card>
  );
}

/** The body of a delivery, to the byte, or since when it is gone. */
export function DeliveryBody({
  body,
  removedAt,
}: {
  readonly body: string | null;
  readonly removedAt: string | null;
}) {
  if (body === null)
    return (
      <Card title="Body as sent">
        <p className="quiet">
          The body was removed on {removedAt === null ? '' : dayText(Date.parse(removedAt))}, after
          the time for which bodies are kept. A resend makes it anew from the order.
        </p>
      </Card>
    );
  return (
    <Card
      title="Body as sent"
      actions={
        <Copy value={body} what="the body">
          {''}
        </Copy>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
      <section className={classes['code']} tabIndex={0} aria-label="The bytes of the body">
        {body}
      </section>
    </Card>
  );
}

const entryOf = (attempt: DeliveryAttempt) => ({
  id: String(attempt.number),
  at: attempt.startedAt,
  tone: attempt.succeeded ? ('done' as const) : ('failed' as const),
  what: [
    `Attempt ${attempt.number}`,
    attempt.responseStatus === null ? 'no answer' : `answered ${attempt.responseStatus}`,
    `took ${attempt.durationMs.toLocaleString('en')} ms`,
    ...(attempt.requested ? ['asked for by an operator'] : []),
  ].join(', '),
  detail: <AttemptDetail attempt={attempt} />,
});

function AttemptDetail({ attempt }: { readonly attempt: DeliveryAttempt }) {
  return (
    <>
      {attempt.error === null ? null : <div>{attempt.error}</div>}
      {attempt.answer === null ? null : (
        <details>
          <summary>What came back</summary>
          <pre className={classes['code']}>{attempt.answer}</pre>
        </details>
      )}
      {attempt.headers === null ? null : (
        <details>
          <summary>Headers as sent</summary>
          <pre className={classes['code']}>
            {attempt.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          </pre>
        </details>
      )}
    </>
  );
}

/** What the receiver computed beside what was sent; nothing leaves the browser. */
export function SignatureCheck({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
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
    <Card title="Signature check">
      <div className={classes['check']}>
        <span className="quiet">Sent with the last attempt</span>
        <Copy value={sent} what="Sent with the last attempt" mono />
        <TextInput
          label="Computed by the receiver"
          description="Paste what the receiver computed: HMAC-SHA256 over the exact bytes of the body with the signing secret, in hex after “sha256=”."
          value={computed}
          onChange={({ currentTarget }) => setComputed(currentTarget.value)}
        />
        <strong role="status" data-same={isSame} className={classes['verdict']}>
          {computed.trim() === ''
            ? ''
            : isSame
              ? 'The same: the receiver has the right secret and the right bytes.'
              : 'Not the same: another secret, or the body was changed before it was signed, by parsing and writing it again for example.'}
        </strong>
      </div>
    </Card>
  );
}
