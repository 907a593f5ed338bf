import {
  CHANGE_PORTAL_USER,
  CREATE_PORTAL_USER,
  END_PORTAL_INVITATION,
  END_PORTAL_SESSIONS,
  type Given,
  INVITE_PORTAL_USER,
  LIST_PORTAL_USERS,
  MAKE_PORTAL_LINK,
  type PortalUserView,
} from '@munshi/api';
import { type AskingOperator, portalUserActions } from '@munshi/core';
import { operatorWrite } from '../door/door.ts';
import { findMerchant } from '../merchants/store.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import {
  findPortalUser,
  listPortalUsers,
  lockPortalUser,
  type PortalUserRecord,
} from '../people/portal-users.store.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import type { By } from '../writes/waiting-writes.ts';
import { type Done, doWrite, type Work } from '../writes/write.ts';
import {
  type AskedPerson,
  changePortalUser,
  createPortalUser,
  endInvitation,
  endPortalSessions,
  explainPerson,
  explainPersonChange,
  explainPortalLink,
  invitePortalUser,
  makePortalLink,
  personChangeWaits,
} from './service.ts';

/** The people of merchants who may sign in to the portal. */
export function portalUserRoutes(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;

  /** Does it, and has the open screens of the merchant whose person it is look again. */
  async function doAbout<T>(portalUserId: string, caller: Operator, work: Work<T & object>) {
    const user = await findPortalUser(pool, portalUserId);
    const data = await doWrite(deps, caller, work);
    if (user) deps.notices.ownChanged([{ merchantId: user.merchantId, kind: 'setting' }]);
    return { data };
  }

  bind(face, END_PORTAL_INVITATION, ({ params }, caller) =>
    doAbout(params.portalUserId, caller, endInvitation(params)),
  );
  bind(face, END_PORTAL_SESSIONS, ({ params }, caller) =>
    doAbout(params.portalUserId, caller, endPortalSessions(params)),
  );

  bind(face, LIST_PORTAL_USERS, async (request, caller) => {
    const { merchantId } = found(await findMerchant(pool, request.params.merchantId), 'Merchant');
    const page = pageOf(request.query);
    const rows = await listPortalUsers(pool, { merchantId, ...page.place });
    return pageAnswer(page, rows, ({ portalUserId }) => portalUserId, shownTo(caller));
  });
}

/** Writes of merchants' people that may wait for a second operator. */
export function portalUserWrites(deps: Deps) {
  const by = ({ asker }: By) => ({ kind: 'operator', id: asker.id }) as const;
  /** Open screens of the merchant whose person it is look again. */
  const thenLook = <T extends PortalUserRecord, D extends Done<T>>(done: D): D => {
    const { merchantId } = done.result;
    return { ...done, after: () => deps.notices.ownChanged([{ merchantId, kind: 'setting' }]) };
  };

  return {
    CREATE_PORTAL_USER: operatorWrite(deps, CREATE_PORTAL_USER, {
      read: ({ params, body: { password: _, ...person } }, hidden): AskedPerson => ({
        merchantId: params.merchantId,
        person,
        passwordHash: hidden?.passwordHash ?? null,
      }),
      needsTwo: async (_client, { person }) =>
        CREATE_PORTAL_USER.decides.needsTwo(undefined, { ...person, lets: true }),
      explain: (client, asked: AskedPerson) => explainPerson(client, asked),
      work: (client, asked, now, ids, who) => createPortalUser(client, now, ids, asked, by(who)),
      show: showUser,
    }),

    CHANGE_PORTAL_USER: operatorWrite(deps, CHANGE_PORTAL_USER, {
      read: ({ params, body: { password: _, ...change } }, hidden) => ({
        portalUserId: params.portalUserId,
        change,
        passwordHash: hidden?.passwordHash ?? null,
      }),
      needsTwo: personChangeWaits,
      explain: explainPersonChange,
      work: async (client, asked, _now, _ids, who) =>
        thenLook(await changePortalUser(client, asked, by(who))),
      show: showUser,
    }),

    INVITE_PORTAL_USER: operatorWrite(deps, INVITE_PORTAL_USER, {
      kind: 'portal-link',
      read: ({ params, body }) => ({ merchantId: params.merchantId, person: body }),
      needsTwo: async (_client, { person }) =>
        INVITE_PORTAL_USER.decides.needsTwo(undefined, { ...person, lets: true }),
      explain: explainPerson,
      work: (client, asked, now, _ids, who) => invitePortalUser(client, now, deps, asked, by(who)),
      show: showUser,
    }),

    MAKE_PORTAL_LINK: operatorWrite(deps, MAKE_PORTAL_LINK, {
      kind: 'portal-link',
      read: ({ params }): string => params.portalUserId,
      needsTwo: async (client, portalUserId) => {
        const user = found(await lockPortalUser(client, portalUserId), 'Portal user');
        return MAKE_PORTAL_LINK.decides.needsTwo(undefined, { ...user, lets: true });
      },
      explain: (client, portalUserId, _now, who) => explainPortalLink(client, portalUserId, who),
      work: async (client, portalUserId, now, _ids, who) =>
        thenLook(await makePortalLink(client, now, deps, portalUserId, by(who))),
      show: showUser,
    }),
  };
}

const shownTo = (operator: Operator) => (user: PortalUserRecord) => showUser(user, operator);

const showUser = (user: PortalUserRecord, who: AskingOperator): Given<PortalUserView> => ({
  ...user,
  allowedActions: portalUserActions(user, who),
});
