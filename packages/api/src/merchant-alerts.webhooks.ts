import {
  ALERT_KINDS,
  ALERT_STATES,
  type AlertKind,
  alertBody,
  alertEventOf,
  alertTestBody,
} from '@munshi/core';
import Type from 'typebox';
import { namedEnum, orNull, strictObject, timeOf } from './contract/schemas.ts';
import { ALERT_EVENT_OF } from './merchant-alerts.ts';
import { EXAMPLE_AT, TEST, testWebhook, timestamp, webhook } from './webhooks.ts';

/** What the service posts to a merchant's alert URL (webhooks.md#alerts). */

/** Of the examples; docs/webhooks.md shows one of them. */
const ALERT_ID = '019cebab-9f21-7c04-8a6e-41d7c03b5f92';

const ALERT_DESCRIPTION =
  'Sent to the merchant’s alert URL, never to the `callbackUrl` of an order; signed and repeated like webhooks of orders. Know a duplicate by `alertId` and `state`.';

function alert(kind: AlertKind) {
  const eventType = alertEventOf(kind);
  const { summary, fields, example } = ALERT_EVENT_OF[kind];
  const properties = {
    eventType: Type.Literal(eventType),
    test: Type.Literal(false),
    alertId: Type.String({ description: 'The same at its beginning and at its end.' }),
    state: namedEnum(
      'AlertState',
      ALERT_STATES,
      'An alert is sent once when it begins, and once when it is over.',
    ),
    beganAt: timeOf('When it was found.'),
    endedAt: orNull(timeOf('When it was over; null while it is not.')),
    ...fields,
    message: Type.String({ description: 'The same for people. Not to be branched on.' }),
    timestamp,
  };
  const name = eventType.replaceAll(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const title = `${name.slice('alert'.length)}Alert`;
  const began = { alertId: ALERT_ID, condition: example, beganAt: EXAMPLE_AT, endedAt: null };
  const value: unknown = JSON.parse(alertBody(began, EXAMPLE_AT));
  return webhook(
    name,
    summary,
    strictObject(properties, { title }),
    { begun: { summary: 'It has begun', value } },
    ALERT_DESCRIPTION,
  );
}

const AlertTestEvent = strictObject(
  {
    eventType: Type.Literal('alert.test'),
    test: TEST,
    alertId: Type.String({ description: 'Of the test, in the list of alerts.' }),
    message: Type.String({ description: 'For people. Not to be branched on.' }),
    timestamp,
  },
  { title: 'AlertTestEvent' },
);

/** As OpenAPI 3.1 has them, by name. */
export const ALERT_WEBHOOKS = {
  ...(Object.fromEntries(ALERT_KINDS.map((kind) => [alertEventOf(kind), alert(kind)])) as Record<
    ReturnType<typeof alertEventOf>,
    ReturnType<typeof alert>
  >),
  'alert.test': testWebhook(
    'alertTest',
    'alert URL',
    AlertTestEvent,
    alertTestBody(ALERT_ID, EXAMPLE_AT),
  ),
};
