import type { Given, PhoneView } from '@munshi/api';
import { serviceOf } from './push.service.ts';
import type { PushSubscription } from './push.store.ts';

/** Where a member is reached by push; `sessionId` is the sign-in that asks, if it is theirs. */
export const showPhone = (phone: PushSubscription, sessionId: string | null): Given<PhoneView> => ({
  ...phone,
  current: phone.sessionId === sessionId,
  service: serviceOf(phone),
  testSeenAfterMs:
    phone.testSentAt === null || phone.testSeenAt === null
      ? null
      : phone.testSeenAt - phone.testSentAt,
});
