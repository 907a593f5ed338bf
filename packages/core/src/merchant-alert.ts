import {
  areManyRefused,
  type Ended,
  type FailingReceiver,
  hasManyFailures,
  isBalanceLow,
} from './attention.ts';
import { formatMoney, type Money } from './money.ts';
import type { Instant } from './order.ts';
import { type AlertEventType, isoTime } from './webhook-event.ts';

/**
 * Alerts to a merchant, to a URL of its own and by e-mail (webhooks.md#alerts): when something
 * begins that its people should look at, and when it is over (D244).
 */

export const ALERT_KINDS = [
  'webhook-failing',
  'low-balance',
  'many-failures',
  'many-refusals',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];
export const ALERT_WAYS = ['url', 'email'] as const;
export type AlertWay = (typeof ALERT_WAYS)[number];
export const ALERT_STATES = ['begun', 'over'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** A merchant's alert settings. Without a URL or address, alerts are only listed. */
export interface AlertSettings {
  readonly alertUrl: string | null;
  readonly alertEmails: readonly string[];
  /** Alert if less than this is available; null: no alert. */
  readonly lowBalance: Money | null;
  readonly failingWebhooks: boolean;
  /** Alert at this many refused requests within an hour; null: no alert. */
  readonly refusedRequests: number | null;
  readonly failedOrders: boolean;
}

export const NO_ALERTS: AlertSettings = {
  alertUrl: null,
  alertEmails: [],
  lowBalance: null,
  failingWebhooks: false,
  refusedRequests: null,
  failedOrders: false,
};

/** Something that holds, as it was when it was found. */
export type Condition =
  | ({ readonly kind: 'webhook-failing' } & FailingReceiver)
  | { readonly kind: 'low-balance'; readonly available: Money; readonly limit: Money }
  /** Of the orders of the last hour that have ended. */
  | { readonly kind: 'many-failures'; readonly failed: number; readonly ended: number }
  /** Requests of the last hour. */
  | { readonly kind: 'many-refusals'; readonly refused: number; readonly limit: number };

export interface AlertFacts {
  readonly failingReceivers: readonly FailingReceiver[];
  readonly available: Money;
  /** Undefined: not read, or not in time. Then nothing begins or ends. */
  readonly outcomes: { readonly lastHour: Ended; readonly yesterday: Ended } | undefined;
  /** Requests of the last hour. */
  readonly refused: number;
}

/** The alert conditions that hold now, of those that the merchant has turned on. */
export function conditionsOf(settings: AlertSettings, facts: AlertFacts): readonly Condition[] {
  const { lowBalance, failingWebhooks, refusedRequests, failedOrders } = settings;
  const { failingReceivers, available, outcomes, refused } = facts;
  const found: Condition[] = [];
  if (failingWebhooks)
    found.push(...failingReceivers.map((one) => ({ kind: 'webhook-failing', ...one }) as const));
  if (lowBalance !== null && isBalanceLow(available, lowBalance))
    found.push({ kind: 'low-balance', available, limit: lowBalance });
  if (failedOrders && outcomes && hasManyFailures(outcomes.lastHour, outcomes.yesterday)) {
    const { completed, failed } = outcomes.lastHour;
    found.push({ kind: 'many-failures', failed, ended: completed + failed });
  }
  if (refusedRequests !== null && areManyRefused(refused, refusedRequests))
    found.push({ kind: 'many-refusals', refused, limit: refusedRequests });
  return found;
}

const isWanted = (kind: AlertKind, settings: AlertSettings): boolean =>
  ({
    'webhook-failing': settings.failingWebhooks,
    'low-balance': settings.lowBalance !== null,
    'many-failures': settings.failedOrders,
    'many-refusals': settings.refusedRequests !== null,
  })[kind];

/** What a merchant has several of at once: receivers, by their host. */
export const subjectOf = (condition: Condition): string =>
  condition.kind === 'webhook-failing' ? condition.host : '';

/** An alert that has begun and is not over. */
export interface OpenAlert {
  readonly alertId: string;
  readonly kind: AlertKind;
  readonly subject: string;
  /** When its condition was last found to hold. */
  readonly heldAt: Instant;
}

/**
 * An alert is over when its condition has not held for so long: a balance around its limit does not
 * tell at every order.
 */
export const ALERT_CALM_MS = 10 * 60_000;

export interface AlertPlan {
  readonly begin: readonly Condition[];
  readonly hold: readonly OpenAlert[];
  readonly end: readonly OpenAlert[];
  /** They end untold: the merchant has turned their kind off. */
  readonly drop: readonly OpenAlert[];
}

/** What becomes of a merchant's alerts; `found` are the conditions that hold now. */
export function planAlerts(
  settings: AlertSettings,
  facts: AlertFacts,
  open: readonly OpenAlert[],
  now: Instant,
): AlertPlan {
  const found = conditionsOf(settings, facts);
  const nameOf = (kind: AlertKind, subject: string) => `${kind} ${subject}`;
  const names = new Set(found.map((one) => nameOf(one.kind, subjectOf(one))));
  const openNames = new Set(open.map(({ kind, subject }) => nameOf(kind, subject)));
  const unread = (kind: AlertKind) => kind === 'many-failures' && facts.outcomes === undefined;
  const wanted = open.filter(({ kind }) => isWanted(kind, settings));
  const holds = ({ kind, subject }: OpenAlert) => names.has(nameOf(kind, subject)) || unread(kind);
  return {
    begin: found.filter((one) => !openNames.has(nameOf(one.kind, subjectOf(one)))),
    hold: wanted.filter((one) => holds(one)),
    end: wanted.filter((one) => !holds(one) && now - one.heldAt >= ALERT_CALM_MS),
    drop: open.filter(({ kind }) => !isWanted(kind, settings)),
  };
}

/** Tests of one merchant within a minute. */
export const ALERT_TESTS_PER_MINUTE = 5;

/** An alert as it is sent. */
export interface AlertTold {
  readonly alertId: string;
  readonly condition: Condition;
  readonly beganAt: Instant;
  readonly endedAt: Instant | null;
}

const EVENT_OF: Readonly<Record<AlertKind, AlertEventType>> = {
  'webhook-failing': 'alert.webhook_failing',
  'low-balance': 'alert.low_balance',
  'many-failures': 'alert.many_failures',
  'many-refusals': 'alert.many_refusals',
};
export const alertEventOf = (kind: AlertKind): AlertEventType => EVENT_OF[kind];

/** The body of the alert's event (webhooks.md#alerts); amounts are exact decimals. */
export function alertBody(alert: AlertTold, at: Instant): string {
  const { alertId, condition, beganAt, endedAt } = alert;
  const fields: [string, string][] = [
    ['eventType', JSON.stringify(alertEventOf(condition.kind))],
    ['test', 'false'],
    ['alertId', JSON.stringify(alertId)],
    ['state', JSON.stringify(stateOf(alert))],
    ['beganAt', JSON.stringify(isoTime(beganAt))],
    ['endedAt', JSON.stringify(isoTime(endedAt))],
    ...fieldsOf(condition),
    ['message', JSON.stringify(alertText(alert))],
    ['timestamp', JSON.stringify(isoTime(at))],
  ];
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

/** The body of a test of the alert URL. */
export const alertTestBody = (alertId: string, at: Instant): string =>
  JSON.stringify({
    ...{ eventType: 'alert.test', test: true, alertId },
    message: ALERT_TEST_TEXT,
    timestamp: isoTime(at),
  });
export const ALERT_TEST_TEXT = 'This is a test. Alerts will arrive here.';

const stateOf = ({ endedAt }: AlertTold): AlertState => (endedAt === null ? 'begun' : 'over');

function fieldsOf(condition: Condition): [string, string][] {
  switch (condition.kind) {
    case 'webhook-failing':
      return [
        ['host', JSON.stringify(condition.host)],
        ['failingSince', JSON.stringify(isoTime(condition.since))],
        ['lastError', JSON.stringify(condition.lastError)],
      ];
    case 'low-balance':
      return [
        ['availableBalance', formatMoney(condition.available)],
        ['lowBalance', formatMoney(condition.limit)],
        ['currency', '"PKR"'],
      ];
    case 'many-failures':
      return [
        ['failed', String(condition.failed)],
        ['ended', String(condition.ended)],
      ];
    case 'many-refusals':
      return [
        ['refused', String(condition.refused)],
        ['limit', String(condition.limit)],
      ];
  }
}

/** The same in a sentence. */
export function alertText({ condition, endedAt }: Pick<AlertTold, 'condition' | 'endedAt'>) {
  const over = endedAt !== null;
  switch (condition.kind) {
    case 'webhook-failing':
      return over
        ? `Webhooks to ${condition.host} arrive again.`
        : `Webhooks to ${condition.host} fail: ${condition.lastError ?? 'no answer came.'}`;
    case 'low-balance': {
      const limit = `${formatMoney(condition.limit)} PKR`;
      return over
        ? `The available balance is no longer below your limit of ${limit}.`
        : `The available balance is ${formatMoney(condition.available)} PKR, below your limit of ${limit}.`;
    }
    case 'many-failures':
      return over
        ? 'Orders no longer fail more often than usual.'
        : `${condition.failed} of the ${condition.ended} orders of the last hour that have ended failed.`;
    case 'many-refusals':
      return over
        ? `Fewer than ${condition.limit} requests were refused within the last hour.`
        : `${condition.refused} requests were refused within the last hour; your limit is ${condition.limit}.`;
  }
}
