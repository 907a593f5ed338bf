import { ALERT_STATES, ALERT_WAYS } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { OWN, OWN_PROTECTION, portal } from './contract/portal.ts';
import {
  calledUrl,
  dataOf,
  enumOf,
  listOf,
  namedObject,
  orNull,
  PAGE_QUERY,
  time,
} from './contract/schemas.ts';
import { ALERT_CHANGES, AlertConditionView, AlertSettingsView } from './merchant-alerts.ts';

/** Alerts: when something begins that the merchant should look at, and when it is over. */

const { endpoint, write } = portal('Alerts');

export const PORTAL_READ_ALERT_SETTINGS = endpoint('GET /alert-settings', {
  summary: 'Read what alerts are sent, and where',
  needs: 'read',
  answer: dataOf(AlertSettingsView, 'All are off unless they were set.'),
});
export const PORTAL_CHANGE_ALERT_SETTINGS = write('PATCH /alert-settings', {
  summary: 'Change what alerts are sent, and where',
  needs: 'write',
  decides: OWN_PROTECTION,
  audit: ['merchant-alerts.change'],
  description: 'For admins. Null and false turn off.',
  body: ALERT_CHANGES,
  answer: dataOf(AlertSettingsView, 'The settings.'),
  refusals: ['second-operator'],
});

export type AlertMessageView = Shown<typeof AlertMessageView>;
const AlertMessageView = namedObject('AlertMessage', {
  state: enumOf(ALERT_STATES),
  channel: enumOf(ALERT_WAYS),
  target: calledUrl('The address, or the URL that a version before sent it to.'),
  deliveryId: orNull(Type.String({ description: 'Of a URL: the delivery, with its attempts.' })),
  status: enumOf(
    ['waiting', 'failing', 'sent', 'failed', 'superseded'],
    '`failing` is tried again, `failed` is not. `superseded`: the end was sent in its place.',
  ),
  at: orNull({ ...time, description: 'Of the last attempt, or of the mail that was sent.' }),
  error: orNull(Type.String()),
});
export type PortalAlertView = Shown<typeof PortalAlertView>;
const PortalAlertView = namedObject('Alert', {
  alertId: Type.String(),
  message: Type.String({ description: 'What began, or that it is a test, in a sentence.' }),
  condition: orNull(AlertConditionView),
  test: Type.Boolean({ description: 'A test, without a condition.' }),
  beganAt: time,
  endedAt: orNull(time),
  messages: Type.Array(AlertMessageView, {
    description: 'To whom it was sent: first its beginning, then its end.',
  }),
});
export const PORTAL_LIST_ALERTS = endpoint('GET /alerts', {
  summary: 'List the alerts',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(PortalAlertView, 'The newest first, tests too.'),
});

export const PORTAL_TEST_ALERT = write('POST /alerts/test', {
  summary: 'Send a test alert',
  needs: 'write',
  decides: OWN,
  audit: ['merchant-alerts.test'],
  description: 'For admins. A mail to every address that is saved.',
  answer: dataOf(Type.Object({ alertId: Type.String() }), 'It stands in the list of alerts.'),
  refusals: ['wrong-state'],
});
