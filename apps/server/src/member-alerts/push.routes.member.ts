import {
  MEMBER_MARK_TEST_SEEN,
  MEMBER_READ_PUSH,
  MEMBER_SEND_TEST,
  MEMBER_SUBSCRIBE_PHONE,
  MEMBER_UNSUBSCRIBE_PHONE,
} from '@munshi/api';
import type { MemberFace } from '../people/access.member.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { doWrite } from '../writes/write.ts';
import { showPhone } from './phones.routes.ts';
import { type PushDeps, subscribe, testPush, testSeen, unsubscribe } from './push.service.ts';
import { listSubscriptions } from './push.store.ts';

const PHONES_SHOWN = 20;
const USER_AGENT_MAX = 300;

/** Where a member is reached while the app is closed. */
export function pushRoutes(face: MemberFace, deps: Deps & Pick<PushDeps, 'pushKeys'>): void {
  bind(face, MEMBER_READ_PUSH, async (_request, { principal, sessionId }) => {
    const { memberId } = principal;
    const phones = await listSubscriptions(deps.database.pool, [memberId], deps.clock.now());
    return {
      data: {
        publicKey: (await deps.pushKeys()).publicKey,
        phones: phones.slice(0, PHONES_SHOWN).map((phone) => showPhone(phone, sessionId)),
      },
    };
  });

  bind(face, MEMBER_SUBSCRIBE_PHONE, async (request, caller) => {
    const { body, headers } = request;
    const { principal, sessionId } = caller;
    const phone = {
      memberId: principal.memberId,
      sessionId,
      endpoint: body.endpoint,
      ...body.keys,
      userAgent: headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
    };
    const work = subscribe(phone, deps.outbound);
    return {
      data: await doWrite(deps, caller, work, (made) => showPhone(made, sessionId)),
    };
  });

  bind(face, MEMBER_UNSUBSCRIBE_PHONE, async (request, caller) => {
    const { memberId } = caller.principal;
    const { subscriptionId } = request.params;
    return { data: await doWrite(deps, caller, unsubscribe(memberId, subscriptionId)) };
  });

  bind(face, MEMBER_SEND_TEST, async ({ params }, caller) => {
    const test = await testPush(deps, caller.principal.memberId, params.subscriptionId);
    const { testId, sentAt, error } = test;
    return { data: { testId, sentAt, taken: error === null, error } };
  });

  bind(face, MEMBER_MARK_TEST_SEEN, async ({ params }, caller) => ({
    data: { latencyMs: await testSeen(deps, caller.principal.memberId, params.testId) },
  }));
}
