import type { AlertKind, Condition } from '@munshi/core';
import Type, { type Static, type TProperties } from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  calledUrl,
  changeOf,
  EMAIL,
  enumOf,
  money,
  namedObject,
  orNull,
  time,
  timeOf,
} from './contract/schemas.ts';

/** A merchant's alert settings, as its own people and operators see and change them. */

/** A mail goes to each. */
const ALERT_EMAILS_MAX = 5;

const ALERT_FIELDS = {
  alertUrl: orNull(
    Type.String({
      maxLength: 500,
      description:
        'Absolute http(s) URL that receives alerts, signed like webhooks; never that of an order. `user:password@` becomes Basic authentication; `***@` keeps what is set, for the same host.',
    }),
  ),
  alertEmails: Type.Array(Type.String(EMAIL), {
    maxItems: ALERT_EMAILS_MAX,
    uniqueItems: true,
    description: 'To each of them a mail.',
  }),
  lowBalance: orNull(money('Alert while less than this is available; null: never. PKR.')),
  failingWebhooks: Type.Boolean({
    description: 'Alert while a receiver fails: three attempts in a row or more.',
  }),
  refusedRequests: orNull(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Alert while so many requests or more were refused in the last hour; null: never.',
    }),
  ),
  failedOrders: Type.Boolean({
    description:
      'Alert while at least half of 10 orders or more of the last hour have failed, twice yesterday’s share.',
  }),
};

export type AlertSettingsView = Shown<typeof AlertSettingsView>;
export const AlertSettingsView = namedObject('AlertSettings', {
  ...ALERT_FIELDS,
  alertUrl: orNull(calledUrl('Where alerts go.')),
  mailAvailable: Type.Boolean({ description: 'Mail is set up here: addresses are mailed to.' }),
  allowedActions: Type.Array(enumOf(['change', 'test'])),
});

export type ChangeAlertSettings = Static<typeof ALERT_CHANGES>;
export const ALERT_CHANGES = changeOf(ALERT_FIELDS);

const conditionOf = <const Kind extends AlertKind, P extends TProperties>(
  kind: Kind,
  properties: P,
) => Type.Object({ kind: Type.Literal(kind), ...properties });

export const AlertConditionView = Type.Union(
  [
    conditionOf('webhook-failing', {
      host: Type.String(),
      since: time,
      lastError: orNull(Type.String()),
    }),
    conditionOf('low-balance', { available: money('PKR.'), limit: money('PKR.') }),
    conditionOf('many-failures', { failed: Type.Integer(), ended: Type.Integer() }),
    conditionOf('many-refusals', { refused: Type.Integer(), limit: Type.Integer() }),
  ],
  { description: 'As it was when the alert began.' },
);

/** What the message about an alert says besides what all of them say (webhooks.md#alerts). */
interface AlertEvent<Kind extends AlertKind> {
  readonly summary: string;
  /** In the order in which they are sent. */
  readonly fields: TProperties;
  readonly example: Extract<Condition, { readonly kind: Kind }>;
}
const counted = (description: string) => Type.Integer({ description });

export const ALERT_EVENT_OF: { readonly [Kind in AlertKind]: AlertEvent<Kind> } = {
  'webhook-failing': {
    summary: 'A receiver of webhooks fails, or no longer',
    fields: {
      host: Type.String({ description: 'Of the receiver.' }),
      failingSince: timeOf('Its third failure in a row.'),
      lastError: orNull(Type.String()),
    },
    example: {
      kind: 'webhook-failing',
      host: 'shop.example:443',
      since: Date.UTC(2026, 2, 14, 9, 26, 53, 589),
      lastError: 'No answer within 5 seconds.',
    },
  },
  'low-balance': {
    summary: 'Less is available than the limit, or no longer',
    fields: {
      availableBalance: money('When it began.'),
      lowBalance: money('The limit that was set.'),
      currency: Type.Literal('PKR'),
    },
    example: { kind: 'low-balance', available: 4_200_5000n, limit: 5_000_0000n },
  },
  'many-failures': {
    summary: 'Many orders fail, or no longer',
    fields: { failed: counted('Orders of an hour.'), ended: counted('Those that had ended.') },
    example: { kind: 'many-failures', failed: 7, ended: 12 },
  },
  'many-refusals': {
    summary: 'Many requests are refused, or no longer',
    fields: {
      refused: counted('Requests of an hour.'),
      limit: counted('The limit that was set.'),
    },
    example: { kind: 'many-refusals', refused: 60, limit: 50 },
  },
};
