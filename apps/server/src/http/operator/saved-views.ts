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
import { changeView, removeView, saveView } from '../../services/saved-views.ts';
import { listViews, type SavedView } from '../../storage/people/saved-views.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { askingOperator, callerOf, type Operator } from './access.ts';

const showTo =
  (operator: Operator) =>
  (view: SavedView): Given<SavedViewView> => ({
    ...view,
    own: view.ownerId === operator.operatorId,
    allowedActions: viewActions(view, askingOperator(operator)),
  });

const asking = (request: FastifyRequest) => ({
  caller: callerOf(request),
  who: askingOperator(request.operator),
});

/** Lists that operators keep under a name. */
export function savedViewRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, LIST_VIEWS, async ({ query, operator }) => {
    const page = pageOf(query);
    const rows = await listViews(deps.database.pool, {
      ownerId: operator.operatorId,
      screen: query.screen ?? null,
      after: page.after,
      limit: page.limit + 1,
    });
    return pageAnswer(page, rows, ({ viewId }) => viewId, showTo(operator));
  });

  bind(app, SAVE_VIEW, async (request) => {
    const show = showTo(request.operator);
    const { shared = false, ...given } = request.body;
    return { data: show(await saveView(deps, asking(request), { ...given, shared }, show)) };
  });

  bind(app, CHANGE_VIEW, async (request) => {
    const show = showTo(request.operator);
    const { viewId } = request.params;
    return { data: show(await changeView(deps, asking(request), viewId, request.body, show)) };
  });

  bind(app, DELETE_VIEW, async (request) => {
    const show = showTo(request.operator);
    return { data: show(await removeView(deps, asking(request), request.params.viewId, show)) };
  });
}
