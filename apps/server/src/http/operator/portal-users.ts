import {
  CHANGE_PORTAL_USER,
  CREATE_PORTAL_USER,
  LIST_PORTAL_USERS,
  type PortalUserView,
} from '@munshi/api';
import { type AskingOperator, portalUserActions } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changePortalUser, createPortalUser } from '../../services/portal-users.ts';
import { found } from '../../services/refusals.ts';
import { findMerchant } from '../../storage/merchants.ts';
import { listPortalUsers, type PortalUserRecord } from '../../storage/portal-users.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { jsonTime } from '../values.ts';
import { askingOperator, callerOf } from './access.ts';

/** The people of merchants who may sign in to the portal. */
export function portalUserRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  bind(app, CREATE_PORTAL_USER, async (request) => {
    const { params, body } = request;
    const [caller, show] = [callerOf(request), shownTo(request)];
    return { data: show(await createPortalUser(deps, caller, params.merchantId, body, show)) };
  });

  bind(app, CHANGE_PORTAL_USER, async (request) => {
    const { params, body } = request;
    const [caller, show] = [callerOf(request), shownTo(request)];
    return { data: show(await changePortalUser(deps, caller, params.portalUserId, body, show)) };
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

const showUser = (user: PortalUserRecord, who: AskingOperator): PortalUserView => ({
  ...user,
  createdAt: jsonTime(user.createdAt),
  lastSignIn: user.lastSignIn && { ...user.lastSignIn, at: jsonTime(user.lastSignIn.at) },
  allowedActions: portalUserActions(user, who),
});
