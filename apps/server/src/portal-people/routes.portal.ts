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
import type { PortalCaller, PortalFace } from '../people/access.portal.ts';
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
export function peopleRoutes(face: PortalFace, deps: Deps): void {
  const { pool } = deps.database;

  /** As this request shows them: what may be done depends on who asks, and who else is admin. */
  async function shownTo({ principal }: PortalCaller) {
    const admins = await readPortalAdmins(pool, principal.merchantId);
    return (user: PortalUserRecord): Given<PersonView> => ({
      ...user,
      you: user.portalUserId === principal.portalUserId,
      allowedActions: personActions(user, principal, admins),
    });
  }
  const whichOf = (
    { params }: { readonly params: { readonly portalUserId: string } },
    { principal }: PortalCaller,
  ) => ({ portalUserId: params.portalUserId, merchantId: principal.merchantId });

  bind(face, LIST_PEOPLE, async (request, caller) => {
    const { merchantId } = caller.principal;
    const page = pageOf(request.query);
    const rows = await listPortalUsers(pool, { merchantId, ...page.place });
    return pageAnswer(page, rows, ({ portalUserId }) => portalUserId, await shownTo(caller));
  });

  bind(face, INVITE_PERSON, async (request, caller) => {
    const { merchantId } = caller.principal;
    const show = await shownTo(caller);
    const { oneTimeCode, ...person } = request.body;
    const work = await invitePerson(deps, { ...caller, oneTimeCode }, merchantId, person);
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(face, CHANGE_PERSON, async (request, caller) => {
    const { portalUserId } = request.params;
    const { principal } = caller;
    const show = await shownTo(caller);
    const { oneTimeCode, ...change } = request.body;
    const byCode = { ...caller, oneTimeCode };
    const work = await changePerson(deps, byCode, principal, portalUserId, change);
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(
    face,
    MAKE_PERSON_LINK,
    async (request, caller) => {
      const show = await shownTo(caller);
      const byCode = { ...caller, oneTimeCode: request.body.oneTimeCode };
      const work = await makePersonLink(deps, byCode, whichOf(request, caller));
      return { data: await doWrite(deps, caller, work, show) };
    },
    { preValidation: withoutBody },
  );

  bind(face, END_INVITATION, async (request, caller) => ({
    data: await doWrite(deps, caller, endInvitation(whichOf(request, caller))),
  }));
  bind(face, END_PERSON_SESSIONS, async (request, caller) => ({
    data: await doWrite(deps, caller, endPortalSessions(whichOf(request, caller))),
  }));
}
