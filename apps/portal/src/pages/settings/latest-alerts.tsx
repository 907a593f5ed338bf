import { Button } from '@mantine/core';
import {
  type AlertSettingsView,
  PORTAL_LIST_ALERTS,
  PORTAL_TEST_ALERT,
  type PortalAlertView,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  Card,
  Chip,
  Failed,
  type List,
  MoreButton,
  Refusal,
  Skeleton,
  type Tone,
  useList,
  useWrite,
  When,
} from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './settings.module.css';

const STATUSES: Readonly<Record<Message['status'], string>> = {
  waiting: 'Waiting',
  failing: 'Retrying',
  sent: 'Sent',
  failed: 'Not sent',
  superseded: 'Superseded',
};

/** After the receiver. */
const STATES = { begun: 'when it began', over: 'when it was over' };

type Alert = AsText<PortalAlertView>;
type Message = Alert['messages'][number];

/** At once; older ones come when they are asked for. */
const SHOWN = 20;

/** The alerts with their receivers, the newest first, and a test, which is listed among them. */
export function LatestAlerts({
  allowedActions,
}: Pick<AsText<AlertSettingsView>, 'allowedActions'>) {
  const list = useList(
    PORTAL_LIST_ALERTS,
    { query: { limit: SHOWN } },
    { watch: ['delivery', 'setting'] },
  );
  const test = useWrite(PORTAL_TEST_ALERT);
  return (
    <Card
      title="Alerts so far"
      actions={
        allowedActions.includes('change') ? (
          <Button
            variant="default"
            size="xs"
            title="To the saved addresses."
            loading={test.sending}
            disabled={!allowedActions.includes('test')}
            onClick={() => test.send({}).catch(() => {})} // shown by `error`
          >
            Send a test
          </Button>
        ) : null
      }
    >
      <Refusal error={test.error} />
      <Alerts list={list} />
    </Card>
  );
}

function Alerts({ list }: { readonly list: List<Alert> }) {
  const { rows, error } = list;
  if (rows === undefined)
    return error === null ? <Skeleton rows={6} /> : <Failed error={error} onRetry={list.again} />;
  if (rows.length === 0) return <p className="quiet">No alerts yet.</p>;
  return (
    <>
      <ol className={classes['alerts']}>
        {rows.map((alert) => (
          <li key={alert.alertId}>
            <OneAlert alert={alert} />
          </li>
        ))}
      </ol>
      <MoreButton list={list} label="Show older ones" className={classes['older'] ?? ''} />
    </>
  );
}

function OneAlert({ alert }: { readonly alert: Alert }) {
  const { test, message, beganAt, endedAt, messages } = alert;
  const isOnce = endedAt === beganAt; // a test, and what happens at one moment
  return (
    <>
      <p className={classes['what']}>
        <span>{test ? 'A test' : message}</span>
        {isOnce ? null : (
          <Chip
            tone={endedAt === null ? 'needed' : 'over'}
            label={endedAt === null ? 'Goes on' : 'Over'}
          />
        )}
      </p>
      <p className="quiet">
        {isOnce ? null : 'Began '}
        <When at={beganAt} />
        {isOnce || endedAt === null ? null : (
          <>
            , over <When at={endedAt} />
          </>
        )}
      </p>
      {messages.length === 0 ? (
        <p className="quiet">Sent to nobody: there was no address.</p>
      ) : (
        <ul>
          {messages.map((message) => (
            <li key={`${message.state} ${message.channel} ${message.target}`}>
              <OneMessage message={message} isOnce={isOnce} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const TONES = {
  waiting: 'waiting',
  failing: 'needed',
  sent: 'done',
  failed: 'failed',
  superseded: 'over',
} as const satisfies Record<Message['status'], Tone>;

function OneMessage({
  message: { state, channel, target, deliveryId, status, error },
  isOnce,
}: {
  readonly message: Message;
  readonly isOnce: boolean;
}) {
  return (
    <>
      <Chip tone={TONES[status]} label={STATUSES[status]} />
      <span>
        {channel === 'email' ? (
          target
        ) : deliveryId === null ? (
          'Alert URL'
        ) : (
          <Link href={`/deliveries/${deliveryId}`}>Alert URL</Link>
        )}
        {isOnce ? null : <span className="quiet"> {STATES[state]}</span>}
        {error === null || status === 'sent' ? null : <span className="quiet">: {error}</span>}
      </span>
    </>
  );
}
