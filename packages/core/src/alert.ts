import type { Instant } from './order.ts';
import { withoutUnseen } from './unseen.ts';

/** Alerts that nobody has seen yet: what is sent of them, and when (member-app.md#alerts). */

export const ALERT_CHANNELS = ['second', 'third'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];
export type AlertStep = 'push' | AlertChannel | 'missed';

/** An alert that is not seen by then is missed. */
export const ALERT_MISSED_MS = 120_000;

export interface AlertRules {
  /** The channels that operators have set up, by how long after the alert they are used. */
  readonly channels: readonly { readonly position: AlertChannel; readonly afterMs: number }[];
  /** Whether missed alerts take members offline. */
  readonly countsMissed: boolean;
}

/**
 * What is due of an alert nobody has seen, and when the next step is; null: there is none. `done`
 * are the steps that were taken; a push that no push service took is due again.
 */
export function alertSteps(
  alertedAt: Instant,
  done: ReadonlySet<AlertStep>,
  { channels, countsMissed }: AlertRules,
  now: Instant,
): { readonly due: readonly AlertStep[]; readonly nextAt: Instant | null } {
  const steps = [
    { step: 'push', afterMs: 0 } as const,
    ...channels.map(({ position, afterMs }) => ({ step: position, afterMs })),
    ...(countsMissed ? [{ step: 'missed', afterMs: ALERT_MISSED_MS } as const] : []),
  ].filter(({ step }) => !done.has(step));
  const isDue = ({ afterMs }: { readonly afterMs: number }) => alertedAt + afterMs <= now;
  const later = steps.filter((step) => !isDue(step)).map(({ afterMs }) => alertedAt + afterMs);
  return {
    due: steps.filter(isDue).map(({ step }) => step),
    nextAt: later.length === 0 ? null : Math.min(...later),
  };
}

/** Between two tries of a push that no push service took. */
const PUSH_AGAIN_MS = 10_000;

/** When an alert goes on whose push failed: until it is missed, it is pushed again. */
export function pushAgainAt(
  alertedAt: Instant,
  nextAt: Instant | null,
  now: Instant,
): Instant | null {
  const again = now + PUSH_AGAIN_MS;
  if (again > alertedAt + ALERT_MISSED_MS) return nextAt;
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
