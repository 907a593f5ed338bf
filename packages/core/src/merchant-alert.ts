import { type FailingReceiver, isBalanceLow } from './attention.ts';
import type { AlertId } from './id.ts';
import { groupedMoney, type Money } from './money.ts';
import type { Instant } from './order.ts';

/**
 * Alerts to a merchant, by e-mail and in the portal (portal.md#figures-and-alerts): when a problem
 * begins that its people should look at, and when it is over; and when a key is made.
 */

/** To a URL went those of versions before: they are still listed. */
export const ALERT_WAYS = ['url', 'email'] as const;
export type AlertWay = (typeof ALERT_WAYS)[number];
export const ALERT_STATES = ['begun', 'over'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** A merchant's alert settings. Without an address, alerts are only listed. */
export interface AlertSettings {
  readonly alertEmails: readonly string[];
  /** Alert if less than this is available; null: no alert. */
  readonly lowBalance: Money | null;
  readonly failingWebhooks: boolean;
}

export const NO_ALERTS: AlertSettings = {
  alertEmails: [],
  lowBalance: null,
  failingWebhooks: false,
};

/** What each kind of alert is about, as it was when it was found. */
interface Conditions {
  readonly 'webhook-failing': FailingReceiver;
  readonly 'low-balance': { readonly available: Money; readonly limit: Money };
}
/** What happens at one moment. Regardless of a merchant's settings. */
interface Events {
  readonly 'key-made': { readonly prefix: string };
}
/** Kinds of versions before: none begins any more, and they are still listed. */
interface PastConditions {
  /** Of the orders of the last hour that have ended. */
  readonly 'many-failures': { readonly failed: number; readonly ended: number };
  /** Requests of the last hour. */
  readonly 'many-refusals': { readonly refused: number; readonly limit: number };
}
type Stored = Conditions & Events & PastConditions;
/** As they are stored. */
export type AlertKind = keyof Stored;
export type Condition = {
  [Kind in AlertKind]: { readonly kind: Kind } & Stored[Kind];
}[AlertKind];

export interface AlertFacts {
  readonly failingReceivers: readonly FailingReceiver[];
  readonly available: Money;
}

interface Words<Found> {
  /** Of its mail. */
  readonly title: string;
  /** It in a sentence, when it begins or happens, and when it is over. */
  begun(found: Found): string;
  over?(found: Found): string;
}

interface Alert<Found> extends Words<Found> {
  isWanted(settings: AlertSettings): boolean;
  /** Of settings that both want it: that it comes later, or less often, by the new ones. */
  isWeaker(was: AlertSettings, is: AlertSettings): boolean;
  /** What holds now, if the merchant wants to know. */
  find(facts: AlertFacts, settings: AlertSettings): readonly Found[];
}

/** Every kind of problem; a new one is declared here. */
const ALERTS = {
  'webhook-failing': {
    title: 'Webhooks fail',
    isWanted: ({ failingWebhooks }) => failingWebhooks,
    isWeaker: () => false,
    find: ({ failingReceivers }, { failingWebhooks }) => (failingWebhooks ? failingReceivers : []),
    begun: ({ host, lastError }) => `Webhooks to ${host} fail: ${lastError ?? 'no answer came.'}`,
    over: ({ host }) => `Webhooks to ${host} no longer fail.`,
  },
  'low-balance': {
    title: 'Low balance',
    isWanted: ({ lowBalance }) => lowBalance !== null,
    isWeaker: ({ lowBalance: was }, { lowBalance: is }) => was !== null && is !== null && is < was,
    find: ({ available }, { lowBalance: limit }) =>
      limit !== null && isBalanceLow(available, limit) ? [{ available, limit }] : [],
    begun: ({ available, limit }) =>
      `The available balance is ${groupedMoney(available)} PKR, below your limit of ${groupedMoney(limit)} PKR.`,
    over: ({ limit }) =>
      `The available balance is no longer below your limit of ${groupedMoney(limit)} PKR.`,
  },
} as const satisfies { readonly [Kind in keyof Conditions]: Alert<Conditions[Kind]> };

const EVENTS = {
  'key-made': {
    title: 'An API key was made',
    begun: ({ prefix }) =>
      `The API key mk_live_${prefix}… was made. If you did not expect it, have it revoked at once.`,
  },
} as const satisfies { readonly [Kind in keyof Events]: Words<Events[Kind]> };

const WORDS = {
  ...ALERTS,
  ...EVENTS,
  'many-failures': {
    title: 'Many orders fail',
    begun: ({ failed, ended }) =>
      `${failed} of the ${ended} orders of the last hour that have ended failed.`,
    over: () => 'Orders no longer fail more often than usual.',
  },
  'many-refusals': {
    title: 'Many requests are refused',
    begun: ({ refused, limit }) =>
      `${refused} requests were refused within the last hour; your limit is ${limit}.`,
    over: ({ limit }) => `Fewer than ${limit} requests were refused within the last hour.`,
  },
} as const satisfies { readonly [Kind in AlertKind]: Words<Stored[Kind]> };
export const ALERT_KINDS = Object.keys(WORDS) as readonly AlertKind[];

/** A condition goes with the words of its own kind alone. */
const wordsOf = (kind: AlertKind) => WORDS[kind] as Words<Stored[AlertKind]>;

/** Whether it is over as soon as it has begun. */
export const isEvent = ({ kind }: Condition): boolean => kind in EVENTS;

/** That an alert is turned off, or made weaker. */
export const areAlertsWeaker = (was: AlertSettings, is: AlertSettings): boolean =>
  Object.values(ALERTS).some(
    ({ isWanted, isWeaker }) => isWanted(was) && (!isWanted(is) || isWeaker(was, is)),
  );

/** The alert conditions that hold now, of those that the merchant has turned on. */
export const conditionsOf = (settings: AlertSettings, facts: AlertFacts): readonly Condition[] => [
  ...ALERTS['webhook-failing']
    .find(facts, settings)
    .map((found) => ({ kind: 'webhook-failing', ...found }) as const),
  ...ALERTS['low-balance']
    .find(facts, settings)
    .map((found) => ({ kind: 'low-balance', ...found }) as const),
];

const isWanted = (kind: AlertKind, settings: AlertSettings): boolean =>
  kind in ALERTS && ALERTS[kind as keyof typeof ALERTS].isWanted(settings);

/** What a merchant has several of at once: receivers, by their host. */
export const subjectOf = (condition: Condition): string =>
  condition.kind === 'webhook-failing' ? condition.host : '';

/** An alert that has begun and is not over. */
export interface OpenAlert {
  readonly alertId: AlertId;
  readonly kind: AlertKind;
  readonly subject: string;
  /** When its condition was last found to hold. */
  readonly heldAt: Instant;
}

/**
 * An alert is over when its condition has not held for so long: a balance around its limit does not
 * alert at every order.
 */
export const ALERT_CALM_MS = 10 * 60_000;

export interface AlertPlan {
  readonly begin: readonly Condition[];
  readonly hold: readonly OpenAlert[];
  readonly end: readonly OpenAlert[];
  /** They end without a message: the merchant has turned their kind off, or it is of a version before. */
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
  const wanted = open.filter(({ kind }) => isWanted(kind, settings));
  const holds = ({ kind, subject }: OpenAlert) => names.has(nameOf(kind, subject));
  return {
    begin: found.filter((one) => !openNames.has(nameOf(one.kind, subjectOf(one)))),
    hold: wanted.filter((one) => holds(one)),
    end: wanted.filter((one) => !holds(one) && now - one.heldAt >= ALERT_CALM_MS),
    drop: open.filter(({ kind }) => !isWanted(kind, settings)),
  };
}

export const alertTitleOf = (kind: AlertKind): string => WORDS[kind].title;

export const ALERT_TEST_TEXT = 'This is a test. Alerts will arrive here.';

/** An alert in a sentence. */
export const alertText = ({
  condition,
  endedAt,
}: {
  readonly condition: Condition;
  readonly endedAt: Instant | null;
}): string => {
  const { begun, over = begun } = wordsOf(condition.kind);
  return (endedAt === null ? begun : over)(condition);
};
