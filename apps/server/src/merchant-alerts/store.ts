import {
  type AlertFacts,
  type AlertId,
  type AlertKind,
  type AlertSettings,
  type AlertState,
  type AlertWay,
  type Condition,
  formatMoney,
  type Instant,
  isEvent,
  money,
  type OpenAlert,
} from '@munshi/core';
import {
  assignedFrom,
  columns,
  from,
  insertion,
  insertions,
  type KindsOf,
  made,
  only,
  orNull,
  parameters,
  type RecordFrom,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { firstIdOf } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  execute,
  lists,
  PAGE,
  readsAll,
  readsOne,
  readsRow,
  statement,
  writes,
} from '../platform/database/statement.ts';

/** Merchants' alert settings, alerts and their messages (portal.md#figures-and-alerts). */

const SETTINGS = {
  alertEmails: t.listOf<string>(),
  lowBalance: orNull(t.amount),
  failingWebhooks: t.boolean,
} satisfies KindsOf<AlertSettings>;
const ALERT_SETTINGS = columns('', SETTINGS);

/** Undefined where the merchant has never set any. */
export const findAlertSettings = readsOne(
  'find-alert-settings',
  `select ${ALERT_SETTINGS.list}
   from merchant_alert_settings
   where merchant_id = $1`,
  ALERT_SETTINGS,
  (merchantId: string) => [merchantId],
);

/** The same, locked until the transaction ends: alerts of one merchant go one after the other. */
export const lockAlertSettings = readsOne(
  'lock-alert-settings',
  `select ${ALERT_SETTINGS.list}
   from merchant_alert_settings
   where merchant_id = $1
   for no key update`,
  ALERT_SETTINGS,
  (merchantId: string) => [merchantId],
);

const STORED = { ...SETTINGS, changedAt: t.instant };
const NEW = insertion('merchant_alert_settings', { merchantId: t.uuid, ...STORED });

export const putAlertSettings = writes(
  'put-alert-settings',
  `${NEW.into}
   on conflict (merchant_id) do update
   set ${assignedFrom('excluded', STORED)}`,
  (merchantId: string, settings: AlertSettings, changedAt: Instant) =>
    NEW.valuesOf({ merchantId, ...settings, changedAt }),
);

/** Receivers of a merchant that it is alerted to at once: those that have failed for longest. */
const FAILING_MAX = 20;

/** A merchant with what its alerts depend on. */
const WATCHED_MERCHANT = columns('s', {
  merchantId: t.uuid,
  settings: columns('s', SETTINGS),
  facts: columns('w', {
    available: from('w.balance - w.reserved', t.amount),
    failingReceivers: from(
      `(
       select coalesce(
         json_agg(
           json_build_object(
             'host', e.host,
             'since', (extract(epoch from e.failing_since) * 1000)::bigint,
             'lastError', e.last_error
           )
           order by e.failing_since
         ),
         '[]'
       )
       from (
         select host, failing_since, last_error
         from webhook_endpoints
         where merchant_id = s.merchant_id
           and failing_since is not null
         order by failing_since, host
         limit ${FAILING_MAX}
       ) e
     )`,
      t.json<AlertFacts['failingReceivers']>(),
    ),
  }),
});
export type WatchedMerchant = RecordOf<typeof WATCHED_MERCHANT>;

/** Merchants behind an id that have set alerts. */
export const readWatched = readsAll(
  'watched-merchants',
  `select ${WATCHED_MERCHANT.list}
   from merchant_alert_settings s
   join merchant_wallets w on w.merchant_id = s.merchant_id
   where s.merchant_id > $1
   order by s.merchant_id
   limit $2`,
  WATCHED_MERCHANT,
  (after: string, limit: number) => [after, limit],
);

/** As it was when it began; amounts are text in the row. */
const CONDITION = made(
  t.json<Stored>(),
  (condition): Condition =>
    condition.kind === 'low-balance'
      ? { ...condition, available: money(condition.available), limit: money(condition.limit) }
      : condition,
);
type Stored =
  | Exclude<Condition, { readonly kind: 'low-balance' }>
  | (Omit<Extract<Condition, { readonly kind: 'low-balance' }>, 'available' | 'limit'> & {
      readonly available: string;
      readonly limit: string;
    });
const writeCondition = (condition: Condition): string =>
  JSON.stringify(condition, (_name, value) =>
    typeof value === 'bigint' ? formatMoney(value) : value,
  );

const ONGOING_ALERT = columns('', {
  alertId: t.id<AlertId>(),
  merchantId: t.uuid,
  kind: t.oneOf<OpenAlert['kind']>(),
  subject: t.text,
  condition: CONDITION,
  beganAt: t.instant,
  heldAt: t.instant,
});
/** An alert that is not over, with what it is about. */
export type OngoingAlert = RecordOf<typeof ONGOING_ALERT>;

export const readOngoing = readsAll(
  'ongoing-merchant-alerts',
  `select ${ONGOING_ALERT.list}
   from merchant_alerts
   where merchant_id = any($1::uuid[])
     and ended_at is null`,
  ONGOING_ALERT,
  (merchantIds: readonly string[]) => [merchantIds],
);

const BEGIN = statement(
  'begin-merchant-alert',
  `insert into merchant_alerts (
     alert_id, merchant_id, kind, subject, condition, began_at, held_at, ended_at
   )
   values ($1, $2, $3, $4, $5, $6, $6, $7)
   on conflict (merchant_id, kind, subject) where ended_at is null do nothing`,
);

export interface NewAlert {
  readonly alertId: string;
  readonly merchantId: string;
  readonly kind: AlertKind | 'test';
  readonly subject: string;
  /** Null for a test, which is over at once as an event is. */
  readonly condition: Condition | null;
  readonly at: Instant;
}

/** Answers whether it has begun: not where one like it goes on. */
export async function insertAlert(db: Queryable, alert: NewAlert): Promise<boolean> {
  const { alertId, merchantId, kind, subject, condition, at } = alert;
  const content = condition === null ? null : writeCondition(condition);
  const endedAt = condition === null || isEvent(condition) ? time(at) : null;
  const values = [alertId, merchantId, kind, subject, content, time(at), endedAt];
  return (await execute(db, BEGIN, values)) === 1;
}

/** Alerts of a merchant of one kind that began since then, this one the last of them. */
export const countBegunUntil = readsRow(
  'count-alerts-begun',
  `select count(*)::integer as alerts
   from merchant_alerts
   where merchant_id = $1
     and kind = $2
     and alert_id >= $3
     and alert_id <= $4`,
  only('alerts', t.integer),
  (
    { merchantId, kind, alertId }: Pick<OngoingAlert, 'merchantId' | 'kind' | 'alertId'>,
    since: Instant,
  ) => [merchantId, kind, firstIdOf(since), alertId],
);

const HOLD = statement(
  'hold-merchant-alerts',
  `update merchant_alerts
   set held_at = $2
   where alert_id = any($1::uuid[])
     and ended_at is null`,
);

export async function holdAlerts(
  db: Queryable,
  alertIds: readonly string[],
  at: Instant,
): Promise<void> {
  if (alertIds.length > 0) await execute(db, HOLD, [alertIds, time(at)]);
}

const END = statement(
  'end-merchant-alert',
  `update merchant_alerts
   set ended_at = $2
   where alert_id = $1
     and ended_at is null`,
);
const FORGET_MAILS = statement(
  'forget-alert-mails',
  `update merchant_alert_messages
   set next_attempt_at = null,
     error = 'The alert was over before it could be sent.'
   where alert_id = $1
     and channel = 'email'
     and next_attempt_at is not null`,
);

/** Ends it, with the mails about its beginning; answers whether this did. */
export async function endAlert(db: Queryable, alertId: string, at: Instant): Promise<boolean> {
  if ((await execute(db, END, [alertId, time(at)])) === 0) return false;
  await execute(db, FORGET_MAILS, [alertId]);
  return true;
}

/** The message about an alert, to one address. */
const MESSAGE = {
  alertId: t.id<AlertId>(),
  state: t.oneOf<AlertState>(),
  channel: t.oneOf<AlertWay>(),
  target: t.text,
  nextAttemptAt: orNull(t.instant),
  error: orNull(t.text),
};
export type AlertMessage = RecordFrom<typeof MESSAGE>;

const NEW_MESSAGES = insertions('merchant_alert_messages', MESSAGE);

export const insertMessages = writes(
  'insert-alert-messages',
  NEW_MESSAGES.text,
  (messages: readonly AlertMessage[]) => [...NEW_MESSAGES.arraysOf(messages)],
);

const DUE_MAIL = columns('a', {
  alertId: t.id<AlertId>(),
  state: from('c.state', t.oneOf<AlertState>()),
  target: from('c.target', t.text),
  /** This one included. */
  attempts: from('c.attempts', t.integer),
  merchantId: t.uuid,
  merchantName: from('b.name', t.text),
  condition: orNull(CONDITION),
  beganAt: t.instant,
  endedAt: orNull(t.instant),
});
/** A mail to send, with its alert; the condition is null for a test. */
export type DueMail = RecordOf<typeof DUE_MAIL>;

/** Mails that are due, at most `limit`; they are due again at `until` if nobody records them. */
export const claimMails = readsAll(
  'claim-alert-mails',
  `with due as (
     select alert_id, state, channel, target
     from merchant_alert_messages
     where next_attempt_at <= $1
     order by next_attempt_at
     limit $3
     for update skip locked
   ), claimed as (
     update merchant_alert_messages m
     set next_attempt_at = $2,
       attempts = attempts + 1
     from due d
     where m.alert_id = d.alert_id
       and m.state = d.state
       and m.channel = d.channel
       and m.target = d.target
     returning m.alert_id, m.state, m.target, m.attempts
   )
   select ${DUE_MAIL.list}
   from claimed c
   join merchant_alerts a on a.alert_id = c.alert_id
   join merchants b on b.merchant_id = a.merchant_id`,
  DUE_MAIL,
  (now: Instant, until: Instant, limit: number) => [time(now), time(until), limit],
);

const RECORD = statement(
  'record-alert-mail',
  `update merchant_alert_messages
   set sent_at = $5,
     next_attempt_at = $6,
     error = $7
   where alert_id = $1
     and state = $2
     and channel = 'email'
     and target = $3
     and attempts = $4
     and next_attempt_at is not null`,
);

/** What became of a claimed mail. A claim that was lost, or is of no use any more, changes nothing. */
export async function recordMail(
  db: Queryable,
  { alertId, state, target, attempts }: DueMail,
  outcome: {
    readonly sentAt: Instant | null;
    readonly nextAttemptAt: Instant | null;
    readonly error: string | null;
  },
): Promise<void> {
  const { sentAt, nextAttemptAt, error } = outcome;
  const values = [alertId, state, target, attempts, time(sentAt), time(nextAttemptAt), error];
  await execute(db, RECORD, values);
}

/** How far a message has come, of a URL by its delivery. */
export interface SentMessage {
  readonly state: AlertState;
  readonly channel: AlertMessage['channel'];
  readonly target: string;
  readonly deliveryId: string | null;
  readonly status: 'waiting' | 'failing' | 'sent' | 'failed' | 'superseded';
  /** Of its last attempt. */
  readonly at: Instant | null;
  readonly error: string | null;
}

const LISTED = columns('a', {
  alertId: t.id<AlertId>(),
  kind: t.oneOf<AlertKind | 'test'>(),
  condition: orNull(CONDITION),
  beganAt: t.instant,
  endedAt: orNull(t.instant),
  messages: from(`coalesce(sent.messages, '[]')`, t.json<readonly SentMessage[]>()),
});
/** An alert as the merchant looks it up. */
export type ListedAlert = RecordOf<typeof LISTED>;

/** The newest first. */
export const listMerchantAlerts = lists(
  'list-merchant-alerts',
  `select ${LISTED.list}
   from (
     select *
     from merchant_alerts
     where merchant_id = $1
       and ($2::uuid is null or alert_id < $2)
     order by alert_id desc
     limit $3
   ) a
   left join lateral (
     select json_agg(
         json_build_object(
           'state', m.state,
           'channel', m.channel,
           'target', m.target,
           'deliveryId', m.delivery_id,
           'status', case
             when d.status = 'delivered' or m.sent_at is not null then 'sent'
             when d.status = 'superseded' then 'superseded'
             when d.status = 'abandoned' then 'failed'
             when d.status = 'pending' then
               case d.attempts when 0 then 'waiting' else 'failing' end
             when m.next_attempt_at is null then 'failed'
             when m.error is null then 'waiting'
             else 'failing'
           end,
           'at', (extract(epoch from coalesce(t.started_at, m.sent_at)) * 1000)::bigint,
           'error', coalesce(t.error, m.error)
         )
         order by m.state, m.channel desc, m.target
       ) as messages
     from merchant_alert_messages m
     left join lateral (
       select s.status, s.attempts
       from delivery_states s
       where s.delivery_id = m.delivery_id
     ) d on true
     left join lateral (
       select t.started_at, t.error
       from delivery_attempts t
       where t.delivery_id = m.delivery_id
       order by t.number desc
       limit 1
     ) t on true
     where m.alert_id = a.alert_id
   ) sent on true
   order by a.alert_id desc`,
  LISTED,
  parameters({ merchantId: t.uuid, ...PAGE }),
);
