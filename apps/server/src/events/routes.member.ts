import { MEMBER_FOLLOW_EVENTS } from '@munshi/api';
import type { MemberFace } from '../people/access.member.ts';
import type { Deps } from '../people/deps.ts';
import type { MemberSessionReader } from '../people/sessions.store.ts';
import { eventStreamRoute } from './routes.ts';

/** GET /events: what concerns the orders of a member. */
export function eventRoute(
  face: MemberFace,
  deps: Deps & { readonly readers: MemberSessionReader },
): void {
  eventStreamRoute(face, deps, {
    endpoint: MEMBER_FOLLOW_EVENTS,
    heartbeat: ':\n\n',
    readerOf: (caller) => ({ id: caller.principal.memberId, session: caller }),
    findSession: (tokenHash, now) => deps.readers.memberSession({ tokenHash, now }),
    subscribe: (memberId, { send, end, checkSession }) =>
      deps.notices.subscribe(memberId, {
        notice: ({ event, orderId }) => send(event, { orderId }),
        missed: end,
        checkSession,
      }),
  });
}
