import type { AlertKind } from '@munshi/core';
import Type, { type Static, type TProperties } from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { changeOf, EMAIL, enumOf, money, namedObject, orNull, time } from './contract/schemas.ts';

/** A merchant's alert settings, as its own people and operators see and change them. */

/** A mail goes to each. */
const ALERT_EMAILS_MAX = 5;

const ALERT_FIELDS = {
  alertEmails: Type.Array(Type.String(EMAIL), {
    maxItems: ALERT_EMAILS_MAX,
    uniqueItems: true,
    description: 'To each of them a mail.',
  }),
  lowBalance: orNull(money('Alert while less than this is available; null: never. PKR.')),
  failingWebhooks: Type.Boolean({
    description: 'Alert while a receiver fails: three attempts in a row or more.',
  }),
};

export type AlertSettingsView = Shown<typeof AlertSettingsView>;
export const AlertSettingsView = namedObject('AlertSettings', {
  ...ALERT_FIELDS,
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
    conditionOf('key-made', { prefix: Type.String() }),
    // Of versions before.
    conditionOf('many-failures', { failed: Type.Integer(), ended: Type.Integer() }),
    conditionOf('many-refusals', { refused: Type.Integer(), limit: Type.Integer() }),
  ],
  { description: 'As it was when the alert began.' },
);
