import {
  MEMBER_MARK_TEST_SEEN,
  MEMBER_READ_PUSH,
  MEMBER_SEND_TEST,
  MEMBER_SUBSCRIBE_PHONE,
  MEMBER_UNSUBSCRIBE_PHONE,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../people/caller.member.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { doWrite } from '../writes/write.ts';
import { showPhone } from './phones.routes.ts';
import { type PushDeps, subscribe, testPush, testSeen, unsubscribe } from './push.service.ts';
import { listSubscriptions } from './push.store.ts';

const PHONES_SHOWN = 20;
const USER_AGENT_MAX = 300;

/** Where a member is reached while the app is closed. */
export function pushRoutes(app: FastifyInstance, deps: Deps & Pick<PushDeps, 'pushKeys'>): void {
  bind(app, MEMBER_READ_PUSH, async ({ member: { principal, sessionId } }) => {
    const { memberId } = principal;
    const phones = await listSubscriptions(deps.database.pool, [memberId], deps.clock.now());
    return {
      data: {
        publicKey: (await deps.pushKeys()).publicKey,
        phones: phones.slice(0, PHONES_SHOWN).map((phone) => showPhone(phone, sessionId)),
      },
    };
  });

  bind(app, MEMBER_SUBSCRIBE_PHONE, async (request) => {
    const { body, headers, member } = request;
    const { principal, sessionId } = member;
    const phone = {
      memberId: principal.memberId,
      sessionId,
      endpoint: body.endpoint,
      ...body.keys,
      userAgent: headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
    };
    const work = subscribe(phone, deps.outbound);
    return {
      data: await doWrite(deps, callerOf(request), work, (made) => showPhone(made, sessionId)),
    };
  });

  bind(app, MEMBER_UNSUBSCRIBE_PHONE, async (request) => {
    const { memberId } = request.member.principal;
    const { subscriptionId } = request.params;
    return { data: await doWrite(deps, callerOf(request), unsubscribe(memberId, subscriptionId)) };
  });

  bind(app, MEMBER_SEND_TEST, async ({ member, params }) => {
    const test = await testPush(deps, member.principal.memberId, params.subscriptionId);
    const { testId, sentAt, error } = test;
    return { data: { testId, sentAt, taken: error === null, error } };
  });

  bind(app, MEMBER_MARK_TEST_SEEN, async ({ member, params }) => ({
    data: { latencyMs: await testSeen(deps, member.principal.memberId, params.testId) },
  }));
}
