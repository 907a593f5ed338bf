import { ALERT_CHANNELS, ORDER_ALERT_KINDS } from '@munshi/core';
import Type from 'typebox';
import { one } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  dataOf,
  lines,
  namedEnum,
  namedObject,
  operator,
  optional,
  orNull,
  strictObject,
  time,
} from './contract/operator.ts';

/** How members are alerted who have not seen it in their app. */

const { endpoint, write } = operator('Settings');

/** What a member is alerted to. */
export const MEMBER_ALERT_KIND = namedEnum('MemberAlertKind', ORDER_ALERT_KINDS);
const POSITION = namedEnum('AlertChannelPosition', ALERT_CHANNELS);

export type AlertChannelView = Shown<typeof AlertChannelView>;
const AlertChannelView = namedObject('AlertChannel', {
  position: POSITION,
  afterSeconds: Type.Integer({ description: 'After an alert that nobody has seen.' }),
  origin: Type.String({ description: 'Of its URL, which is sealed: it may hold a token.' }),
  headerNames: Type.Array(Type.String(), { description: 'Their values are never shown.' }),
  bodyTemplate: Type.String(),
  changedAt: time,
});
export const READ_ALERT_CHANNELS = endpoint('GET /alert-channels', {
  summary: 'Read the alert channels',
  needs: 'administer',
  answer: dataOf(Type.Object({ channels: Type.Array(AlertChannelView) }), 'Those that are set up.'),
});
const NOTIFIES = one('No money moves by it, and the other admins are notified.');
export const SET_ALERT_CHANNEL = write('POST /alert-channels', {
  summary: 'Set an alert channel up, or change it',
  needs: 'administer',
  decides: NOTIFIES,
  audit: ['alert-channel.set'],
  description:
    'An HTTPS POST: to a messenger, an SMS gateway, ntfy. The template names `{orderId}`, `{kind}`, `{amount}`, `{currency}`, `{member}`, `{username}` and `{memberId}`, which are written as the Content-Type wants it (`application/json` by default). What is left out stays as it is; headers are given again with another host.',
  body: strictObject({
    position: POSITION,
    afterSeconds: optional(Type.Integer({ minimum: 1, maximum: 3_600 })),
    url: optional(Type.String({ minLength: 1, maxLength: 1000 })),
    headers: optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 2000 }), {
        maxProperties: 20,
      }),
    ),
    bodyTemplate: optional(lines(4000)),
  }),
  answer: dataOf(AlertChannelView, 'The channel.'),
});
const Chosen = strictObject({ position: POSITION }, { title: 'ChosenAlertChannel' });
export const REMOVE_ALERT_CHANNEL = write('POST /alert-channels/remove', {
  summary: 'Turn an alert channel off',
  needs: 'administer',
  decides: NOTIFIES,
  audit: ['alert-channel.remove'],
  body: Chosen,
  answer: dataOf(Type.Object({ removed: Type.Boolean() }), 'Nothing is sent by it any more.'),
  refusals: ['not-found'],
});
export const TEST_ALERT_CHANNEL = endpoint('POST /alert-channels/test', {
  summary: 'Send a test by an alert channel',
  needs: 'administer',
  decides: one('A test is about no order.'),
  audit: ['alert-channel.test'],
  description:
    'With the kind `test`, an amount of 1234.5 PKR, and the operator in the place of the member.',
  body: Chosen,
  answer: dataOf(
    Type.Object({
      delivered: Type.Boolean({ description: 'It was answered with 2xx.' }),
      responseStatus: orNull(Type.Integer()),
      durationMs: Type.Integer(),
      error: orNull(Type.String()),
      answer: orNull(Type.String({ description: 'Its first KB.' })),
    }),
    'How it went.',
  ),
  refusals: ['not-found'],
});
