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
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findMerchant } from '../merchants/store.ts';
import { askingOperator, callerOf } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import {
  findPortalUser,
  listPortalUsers,
  type PortalUserRecord,
} from '../people/portal-users.store.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { doWrite, type Work } from '../writes/write.ts';
import {
  changePortalUser,
  createPortalUser,
  endInvitation,
  endPortalSessions,
  invitePortalUser,
  makePortalLink,
} from './service.ts';

/** The people of merchants who may sign in to the portal. */
export function portalUserRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  bind(app, CREATE_PORTAL_USER, async (request) => {
    const { params, body } = request;
    const caller = callerOf(request);
    const work = await createPortalUser(deps, caller, params.merchantId, body);
    return { data: await doWrite(deps, caller, work, shownTo(request)) };
  });

  /** Does it, and has the open screens of the merchant whose person it is look again. */
  async function doAbout<T, Shown extends object = T & object>(
    request: FastifyRequest<{ Params: { portalUserId: string } }>,
    work: Work<T>,
    show?: (result: T) => Shown,
  ) {
    const user = await findPortalUser(pool, request.params.portalUserId);
    const data = await doWrite(deps, callerOf(request), work, show);
    if (user) deps.notices.ownChanged([{ merchantId: user.merchantId, kind: 'setting' }]);
    return { data };
  }

  bind(app, CHANGE_PORTAL_USER, async (request) => {
    const { portalUserId } = request.params;
    const work = await changePortalUser(deps, callerOf(request), portalUserId, request.body);
    return doAbout(request, work, shownTo(request));
  });

  bind(app, INVITE_PORTAL_USER, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { params, body } = request;
    const caller = callerOf(request);
    const work = await invitePortalUser(deps, caller, params.merchantId, body);
    return { data: await doWrite(deps, caller, work, shownTo(request)) };
  });

  bind(app, MAKE_PORTAL_LINK, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const work = await makePortalLink(deps, callerOf(request), request.params);
    return doAbout(request, work, shownTo(request));
  });

  bind(app, END_PORTAL_INVITATION, (request) => doAbout(request, endInvitation(request.params)));
  bind(app, END_PORTAL_SESSIONS, (request) => doAbout(request, endPortalSessions(request.params)));

  bind(app, LIST_PORTAL_USERS, async (request) => {
    const { merchantId } = found(await findMerchant(pool, request.params.merchantId), 'Merchant');
    const page = pageOf(request.query);
    const rows = await listPortalUsers(pool, { merchantId, ...page.place });
    return pageAnswer(page, rows, ({ portalUserId }) => portalUserId, shownTo(request));
  });
}

const shownTo =
  ({ operator }: Pick<FastifyRequest, 'operator'>) =>
  (user: PortalUserRecord) =>
    showUser(user, askingOperator(operator));

const showUser = (user: PortalUserRecord, who: AskingOperator): Given<PortalUserView> => ({
  ...user,
  allowedActions: portalUserActions(user, who),
});
