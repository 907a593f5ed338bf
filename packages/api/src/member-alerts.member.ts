import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { member, OWN } from './contract/member.ts';
import { dataOf, namedObject, orNull, strictObject, time } from './contract/schemas.ts';

/** Web Push: alerts for a phone on which the app is closed. */

const { endpoint, write } = member('Alerts');

const id = Type.String({ format: 'uuid' });
const key = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]{16,128}={0,2}$', description });

export type PhoneView = Shown<typeof PhoneView>;
export const PhoneView = namedObject('Phone', {
  subscriptionId: id,
  current: Type.Boolean({ description: 'It was made by the sign-in that asks.' }),
  service: Type.String({ description: 'The host of the browser’s push service.' }),
  userAgent: orNull(Type.String()),
  createdAt: time,
  lastSentAt: orNull(time),
  lastError: orNull(Type.String({ description: 'Of the last push; null: the service took it.' })),
  testSentAt: orNull(time),
  testSeenAfterMs: orNull(
    Type.Integer({ description: 'How long the last test took to the phone; null: not seen yet.' }),
  ),
});
const Push = namedObject('Push', {
  publicKey: Type.String({
    description: 'The installation’s `applicationServerKey`, base64url.',
  }),
  phones: Type.Array(PhoneView, { description: 'At most 20, the newest first.' }),
});
export const MEMBER_READ_PUSH = endpoint('GET /push', {
  summary: 'See where one is reached',
  answer: dataOf(Push, 'The key to subscribe with, and the phones.'),
});
export const MEMBER_SUBSCRIBE_PHONE = write('POST /push/subscriptions', {
  summary: 'Have alerts pushed to this phone',
  decides: OWN,
  audit: ['member.push'],
  description:
    'What the browser’s `PushSubscription.toJSON()` says. It ends with this sign-in. The same endpoint again changes its keys. A push holds `{orderId, kind, amount, currency}` and nothing else; `kind` is `assigned`, `customer-confirmed` or `test`.',
  body: strictObject({
    endpoint: Type.String({ minLength: 10, maxLength: 1000 }),
    keys: strictObject({ p256dh: key('65 bytes.'), auth: key('16 bytes.') }),
  }),
  answer: dataOf(PhoneView, 'The phone.'),
});
export const MEMBER_UNSUBSCRIBE_PHONE = write('DELETE /push/subscriptions/:subscriptionId', {
  summary: 'Push nothing more to a phone',
  decides: OWN,
  audit: ['member.push-end'],
  answer: dataOf(Type.Object({ deleted: Type.Boolean() }), 'It is forgotten.'),
});
export const MEMBER_SEND_TEST = endpoint('POST /push/subscriptions/:subscriptionId/test', {
  summary: 'Push a test to a phone',
  decides: OWN,
  audit: [],
  description:
    'The push has the kind `test` and a `testId` as its `orderId`; the app says when it has come. Five a minute.',
  answer: dataOf(
    Type.Object({
      testId: id,
      sentAt: time,
      taken: Type.Boolean({ description: 'The push service has taken it.' }),
      error: orNull(Type.String({ description: 'Why it has not.' })),
    }),
    'What the push service said.',
  ),
  refusals: ['too-many'],
});
export const MEMBER_MARK_TEST_SEEN = endpoint('POST /push/tests/:testId/seen', {
  summary: 'Say that a test has come',
  decides: OWN,
  audit: [],
  description: 'The first time counts.',
  answer: dataOf(
    Type.Object({ latencyMs: Type.Integer({ description: 'Since the test was sent.' }) }),
    'How long it took.',
  ),
});
