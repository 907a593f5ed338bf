import type { PhoneView } from '@munshi/api';
import { serviceOf } from '../services/push.ts';
import type { PushSubscription } from '../storage/members/push.ts';
import { jsonTime } from './values.ts';

/** Where a member is reached by push; `sessionId` is the sign-in that asks, if it is theirs. */
export const showPhone = (phone: PushSubscription, sessionId: string | null): PhoneView => ({
  subscriptionId: phone.subscriptionId,
  current: phone.sessionId === sessionId,
  service: serviceOf(phone),
  userAgent: phone.userAgent,
  createdAt: jsonTime(phone.createdAt),
  lastSentAt: jsonTime(phone.lastSentAt),
  lastError: phone.lastError,
  testSentAt: jsonTime(phone.testSentAt),
  testSeenAfterMs:
    phone.testSentAt === null || phone.testSeenAt === null
      ? null
      : phone.testSeenAt - phone.testSentAt,
});
