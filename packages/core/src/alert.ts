import type { Instant } from './order.ts';
import { withoutUnseen } from './unseen.ts';

/** Alerts that nobody has seen yet: what is sent of them, and when (member-app.md#alerts). */

export const ALERT_CHANNELS = ['second', 'third'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];
export type AlertStep = 'push' | AlertChannel | 'missed';

/** An alert that is not seen by then is missed, if it could be seen all that time. */
const MISSED_AFTER_MS = 120_000;

export interface AlertRules {
  /** The channels that operators have set up, by how long after the alert they are used. */
  readonly channels: readonly { readonly position: AlertChannel; readonly afterMs: number }[];
  /**
   * Since when the service has gone on with alerts without a gap: what it kept from members before
   * counts against nobody. Null where missed alerts take no member offline.
   */
  readonly countsMissedSince: Instant | null;
}

/**
 * What is due of an alert nobody has seen, and when the next step is; null: there is none. `done`
 * are the steps that were taken; a push that no push service took is due again.
 */
export function alertSteps(
  alertedAt: Instant,
  done: ReadonlySet<AlertStep>,
  { channels, countsMissedSince }: AlertRules,
  now: Instant,
): { readonly due: readonly AlertStep[]; readonly nextAt: Instant | null } {
  const steps: { readonly step: AlertStep; readonly at: Instant }[] = [
    { step: 'push', at: alertedAt },
    ...channels.map(({ position, afterMs }) => ({ step: position, at: alertedAt + afterMs })),
  ];
  if (countsMissedSince !== null)
    steps.push({ step: 'missed', at: Math.max(alertedAt, countsMissedSince) + MISSED_AFTER_MS });
  const left = steps.filter(({ step }) => !done.has(step));
  const later = left.filter(({ at }) => at > now).map(({ at }) => at);
  return {
    due: left.filter(({ at }) => at <= now).map(({ step }) => step),
    nextAt: later.length === 0 ? null : Math.min(...later),
  };
}

/** Between two tries of a push that no push service took: in its first two minutes, and later. */
const PUSH_AGAIN_MS = { first: 10_000, later: 60_000 };

/** When an alert goes on whose push failed, as long as its order waits for the member. */
export function pushAgainAt(alertedAt: Instant, nextAt: Instant | null, now: Instant): Instant {
  const { first, later } = PUSH_AGAIN_MS;
  const again = now + (now < alertedAt + MISSED_AFTER_MS ? first : later);
  return nextAt === null ? again : Math.min(nextAt, again);
}

/** What the template of a channel's body may name, each in braces. */
export const ALERT_FIELDS = [
  'orderId',
  'kind',
  'amount',
  'currency',
  'member',
  'username',
  'memberId',
] as const;
export type AlertFields = Readonly<Record<(typeof ALERT_FIELDS)[number], string>>;

/** The body, with every field written as its content type wants it. Other braces stay. */
export function fillTemplate(template: string, fields: AlertFields, contentType: string): string {
  const write = /json/i.test(contentType)
    ? (text: string) => JSON.stringify(text).slice(1, -1)
    : /x-www-form-urlencoded/i.test(contentType)
      ? encodeURIComponent
      : (text: string) => text.replaceAll(/\s+/g, ' ');
  return template.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
    Object.hasOwn(fields, name) ? write(withoutUnseen(fields[name as keyof AlertFields])) : all,
  );
}
