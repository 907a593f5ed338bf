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
import { texts } from './alert-texts.ts';
import classes from './settings.module.css';

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
      title={texts.latest}
      actions={
        allowedActions.includes('change') ? (
          <Button
            variant="default"
            size="xs"
            title={texts.testHint}
            loading={test.sending}
            disabled={!allowedActions.includes('test')}
            onClick={() => test.send({}).catch(() => {})} // shown by `error`
          >
            {texts.test}
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
  if (rows.length === 0) return <p className="quiet">{texts.none}</p>;
  return (
    <>
      <ol className={classes['alerts']}>
        {rows.map((alert) => (
          <li key={alert.alertId}>
            <OneAlert alert={alert} />
          </li>
        ))}
      </ol>
      <MoreButton list={list} label={texts.older} className={classes['older'] ?? ''} />
    </>
  );
}

function OneAlert({ alert }: { readonly alert: Alert }) {
  const { test, message, beganAt, endedAt, messages } = alert;
  return (
    <>
      <p className={classes['what']}>
        <span>{test ? texts.aTest : message}</span>
        {test ? null : (
          <Chip
            tone={endedAt === null ? 'needed' : 'over'}
            label={endedAt === null ? texts.lasts : texts.over}
          />
        )}
      </p>
      <p className="quiet">
        {test ? texts.sent : texts.began} <When at={beganAt} />
        {test || endedAt === null ? null : (
          <>
            , {texts.ended} <When at={endedAt} />
          </>
        )}
      </p>
      {messages.length === 0 ? (
        <p className="quiet">{texts.nobody}</p>
      ) : (
        <ul>
          {messages.map((message) => (
            <li key={`${message.state} ${message.channel} ${message.target}`}>
              <OneMessage message={message} isTest={test} />
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
  isTest,
}: {
  readonly message: Message;
  readonly isTest: boolean;
}) {
  return (
    <>
      <Chip tone={TONES[status]} label={texts.statuses[status]} />
      <span>
        {channel === 'email' ? (
          target
        ) : deliveryId === null ? (
          texts.toUrl
        ) : (
          <Link href={`/deliveries/${deliveryId}`}>{texts.toUrl}</Link>
        )}
        {isTest ? null : <span className="quiet"> {texts.states[state]}</span>}
        {error === null || status === 'sent' ? null : <span className="quiet">: {error}</span>}
      </span>
    </>
  );
}
