import {
  CHANGE_PERSON,
  END_INVITATION,
  END_PERSON_SESSIONS,
  type Given,
  INVITE_PERSON,
  LIST_PEOPLE,
  MAKE_PERSON_LINK,
  type PersonView,
} from '@munshi/api';
import { personActions } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import {
  listPortalUsers,
  type PortalUserRecord,
  readPortalAdmins,
} from '../people/portal-users.store.ts';
import { bind, withoutBody } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { doWrite } from '../writes/write.ts';
import {
  changePerson,
  endInvitation,
  endPortalSessions,
  invitePerson,
  makePersonLink,
} from './service.ts';

/** The merchant's own people, as its admins invite and change them. */
export function peopleRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  /** As this request shows them: what may be done depends on who asks, and who else is admin. */
  async function shownTo({ portal: { principal } }: Pick<FastifyRequest, 'portal'>) {
    const admins = await readPortalAdmins(pool, principal.merchantId);
    return (user: PortalUserRecord): Given<PersonView> => ({
      ...user,
      you: user.portalUserId === principal.portalUserId,
      allowedActions: personActions(user, principal, admins),
    });
  }
  const whichOf = ({
    params,
    portal,
  }: Pick<FastifyRequest<{ Params: { portalUserId: string } }>, 'params' | 'portal'>) => ({
    portalUserId: params.portalUserId,
    merchantId: portal.principal.merchantId,
  });

  bind(app, LIST_PEOPLE, async (request) => {
    const { merchantId } = request.portal.principal;
    const page = pageOf(request.query);
    const rows = await listPortalUsers(pool, { merchantId, ...page.place });
    return pageAnswer(page, rows, ({ portalUserId }) => portalUserId, await shownTo(request));
  });

  bind(app, INVITE_PERSON, async (request) => {
    const { merchantId } = request.portal.principal;
    const show = await shownTo(request);
    const { oneTimeCode, ...person } = request.body;
    const caller = { ...callerOf(request), oneTimeCode };
    const work = await invitePerson(deps, caller, merchantId, person);
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(app, CHANGE_PERSON, async (request) => {
    const { portalUserId } = request.params;
    const { principal } = request.portal;
    const show = await shownTo(request);
    const { oneTimeCode, ...change } = request.body;
    const caller = { ...callerOf(request), oneTimeCode };
    const work = await changePerson(deps, caller, principal, portalUserId, change);
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(
    app,
    MAKE_PERSON_LINK,
    async (request) => {
      const show = await shownTo(request);
      const caller = { ...callerOf(request), oneTimeCode: request.body.oneTimeCode };
      const work = await makePersonLink(deps, caller, whichOf(request));
      return { data: await doWrite(deps, caller, work, show) };
    },
    { preValidation: withoutBody },
  );

  bind(app, END_INVITATION, async (request) => ({
    data: await doWrite(deps, callerOf(request), endInvitation(whichOf(request))),
  }));
  bind(app, END_PERSON_SESSIONS, async (request) => ({
    data: await doWrite(deps, callerOf(request), endPortalSessions(whichOf(request))),
  }));
}
