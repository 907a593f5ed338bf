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
import {
  changePortalUser,
  createPortalUser,
  endInvitation,
  endPortalSessions,
  invitePortalUser,
  makePortalLink,
} from '../../services/portal-users.ts';
import { found } from '../../services/refusals.ts';
import { findMerchant } from '../../storage/merchants/merchants.ts';
import {
  findPortalUser,
  listPortalUsers,
  type PortalUserRecord,
} from '../../storage/people/portal-users.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { showPerson } from '../people.ts';
import { askingOperator, callerOf } from './access.ts';

/** The people of merchants who may sign in to the portal. */
export function portalUserRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  /** Does it, and has the open screens of the merchant whose person it is look again. */
  const announced = async <T>(portalUserId: string, work: () => Promise<T>): Promise<T> => {
    const user = await findPortalUser(pool, portalUserId);
    const answer = await work();
    if (user) deps.notices.ownChanged([{ merchantId: user.merchantId, kind: 'setting' }]);
    return answer;
  };

  bind(app, CREATE_PORTAL_USER, async (request) => {
    const { params, body } = request;
    const [caller, show] = [callerOf(request), shownTo(request)];
    return { data: show(await createPortalUser(deps, caller, params.merchantId, body, show)) };
  });

  bind(app, CHANGE_PORTAL_USER, async (request) => {
    const { params, body } = request;
    const [caller, show] = [callerOf(request), shownTo(request)];
    const { portalUserId } = params;
    const change = () => changePortalUser(deps, caller, portalUserId, body, show);
    return { data: show(await announced(portalUserId, change)) };
  });

  bind(app, INVITE_PORTAL_USER, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { params, body } = request;
    const [caller, show] = [callerOf(request), shownTo(request)];
    return { data: await invitePortalUser(deps, caller, params.merchantId, body, show) };
  });

  bind(app, MAKE_PORTAL_LINK, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const show = shownTo(request);
    const { params } = request;
    const make = () => makePortalLink(deps, callerOf(request), params, show);
    return { data: await announced(params.portalUserId, make) };
  });

  bind(app, END_PORTAL_INVITATION, async (request) => {
    const end = () => endInvitation(deps, callerOf(request), request.params);
    return { data: await announced(request.params.portalUserId, end) };
  });
  bind(app, END_PORTAL_SESSIONS, async (request) => {
    const end = () => endPortalSessions(deps, callerOf(request), request.params);
    return { data: await announced(request.params.portalUserId, end) };
  });

  bind(app, LIST_PORTAL_USERS, async (request) => {
    const { merchantId } = found(await findMerchant(pool, request.params.merchantId), 'Merchant');
    const page = pageOf(request.query);
    const { after, limit } = page;
    const rows = await listPortalUsers(pool, { merchantId, after, limit: limit + 1 });
    return pageAnswer(page, rows, ({ portalUserId }) => portalUserId, shownTo(request));
  });
}

const shownTo =
  ({ operator }: Pick<FastifyRequest, 'operator'>) =>
  (user: PortalUserRecord) =>
    showUser(user, askingOperator(operator));

const showUser = (user: PortalUserRecord, who: AskingOperator): Given<PortalUserView> => ({
  ...showPerson(user),
  merchantId: user.merchantId,
  allowedActions: portalUserActions(user, who),
});
