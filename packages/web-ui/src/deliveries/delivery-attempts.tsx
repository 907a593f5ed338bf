import { TextInput } from '@mantine/core';
import type { PortalDelivery } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { dayText } from '@munshi/web';
import { useState } from 'react';
import { Copy } from '../copy.tsx';
import { Card } from '../page.tsx';
import { Timeline } from '../timeline.tsx';
import classes from './deliveries.module.css';
import { texts } from './texts.ts';

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
    <Card title={texts.attempts}>
      {attempts.length === 0 ? (
        <p className="quiet">{removed === 0 ? texts.none : texts.attemptsRemoved(removed)}</p>
      ) : (
        <Timeline label={texts.attempts} entries={attempts.map(entryOf)} />
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
      <Card title={texts.body}>
        <p className="quiet">
          {texts.bodyRemoved(removedAt === null ? '' : dayText(Date.parse(removedAt)))}
        </p>
      </Card>
    );
  return (
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
  );
}

const entryOf = (attempt: DeliveryAttempt) => ({
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

function AttemptDetail({ attempt }: { readonly attempt: DeliveryAttempt }) {
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
