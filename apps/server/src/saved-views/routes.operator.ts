import {
  CHANGE_VIEW,
  DELETE_VIEW,
  type Given,
  LIST_VIEWS,
  SAVE_VIEW,
  type SavedViewView,
} from '@munshi/api';
import { viewActions } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf, type Operator } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { doWrite, type Work } from '../writes/write.ts';
import { changeView, removeView, saveView } from './service.ts';
import { listViews, type SavedView } from './store.ts';

const showTo =
  (operator: Operator) =>
  (view: SavedView): Given<SavedViewView> => ({
    ...view,
    own: view.ownerId === operator.id,
    allowedActions: viewActions(view, operator),
  });

/** Lists that operators keep under a name. */
export function savedViewRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, LIST_VIEWS, async ({ query, operator }) => {
    const page = pageOf(query);
    const rows = await listViews(deps.database.pool, {
      ownerId: operator.id,
      screen: query.screen ?? null,
      ...page.place,
    });
    return pageAnswer(page, rows, ({ viewId }) => viewId, showTo(operator));
  });

  bind(app, SAVE_VIEW, (request) => {
    const { shared = false, ...given } = request.body;
    const who = { ...request.operator, name: request.operator.actor.name };
    return save(request, saveView(who, { ...given, shared }));
  });

  bind(app, CHANGE_VIEW, (request) => {
    const who = request.operator;
    return save(request, changeView(who, request.params.viewId, request.body));
  });

  bind(app, DELETE_VIEW, (request) => {
    const who = request.operator;
    return save(request, removeView(who, request.params.viewId));
  });

  const save = async (request: FastifyRequest, work: Work<SavedView>) => ({
    data: await doWrite(deps, callerOf(request), work, showTo(request.operator)),
  });
}
