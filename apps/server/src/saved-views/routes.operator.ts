import {
  CHANGE_VIEW,
  DELETE_VIEW,
  type Given,
  LIST_VIEWS,
  SAVE_VIEW,
  type SavedViewView,
} from '@munshi/api';
import { viewActions } from '@munshi/core';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
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
export function savedViewRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, LIST_VIEWS, async ({ query }, operator) => {
    const page = pageOf(query);
    const rows = await listViews(deps.database.pool, {
      ownerId: operator.id,
      ...page.place,
    });
    return pageAnswer(page, rows, ({ viewId }) => viewId, showTo(operator));
  });

  bind(face, SAVE_VIEW, (request, caller) => {
    const { shared = false, ...given } = request.body;
    return save(caller, saveView(caller, { ...given, shared }));
  });

  bind(face, CHANGE_VIEW, (request, caller) => {
    return save(caller, changeView(caller, request.params.viewId, request.body));
  });

  bind(face, DELETE_VIEW, (request, caller) => {
    return save(caller, removeView(caller, request.params.viewId));
  });

  const save = async (caller: Operator, work: Work<SavedView>) => ({
    data: await doWrite(deps, caller, work, showTo(caller)),
  });
}
