import type { BodyOf, CHANGE_VIEW } from '@munshi/api';
import { type AskingOperator, mayShareViews, viewActions } from '@munshi/core';
import type pg from 'pg';
import { found, Refused, refuseTaken } from '../platform/refusals.ts';
import { changesOf, type Work } from '../writes/write.ts';
import { deleteView, insertView, lockView, type SavedView, updateView } from './store.ts';

/** Lists that operators keep under a name (apis.md#lists-search-and-files). */

/** Throws `role-too-low` for a shared one, and `too-many`. */
export const saveView =
  (
    who: AskingOperator & { readonly name: string },
    given: Pick<SavedView, 'name' | 'query' | 'shared'>,
  ): Work<SavedView> =>
  async (client, now, ids) => {
    if (given.shared) refuseSharing(who);
    const owner = { ownerId: who.id, ownerName: who.name };
    const result = { ...given, ...owner, viewId: ids.uuid(now), createdAt: now };
    const taken = refuseTaken('Another view was saved at the same moment. Try again.');
    if (!(await insertView(client, result).catch(taken)))
      throw new Refused('too-many', 'You keep as many views as you may. Delete one first.');
    return { result, action: 'view.save', target: result.viewId, detail: detailOf(result) };
  };

/** Throws `not-found`, and `role-too-low` for what only others may do. */
export const changeView =
  (who: AskingOperator, viewId: string, changes: BodyOf<typeof CHANGE_VIEW>): Work<SavedView> =>
  async (client) => {
    const view = await lockOwn(client, who, viewId, 'change');
    const result: SavedView = { ...view, ...changes };
    if (result.shared && !view.shared) refuseSharing(who);
    await updateView(client, result);
    const detail = { ...detailOf(result), ...changesOf(view, result, changes) };
    return { result, action: 'view.change', target: viewId, detail };
  };

/** Throws `not-found`, and `role-too-low` for what only others may do. */
export const removeView =
  (who: AskingOperator, viewId: string): Work<SavedView> =>
  async (client) => {
    const result = await lockOwn(client, who, viewId, 'delete');
    await deleteView(client, viewId);
    return { result, action: 'view.delete', target: viewId, detail: detailOf(result) };
  };

/** A view that a person may not see does not exist for them. */
async function lockOwn(
  client: pg.PoolClient,
  who: AskingOperator,
  viewId: string,
  action: ReturnType<typeof viewActions>[number],
): Promise<SavedView> {
  const view = await lockView(client, viewId);
  const visible = view !== undefined && (view.shared || view.ownerId === who.id);
  const own = found(visible ? view : undefined, 'View');
  if (!viewActions(own, who).includes(action))
    throw new Refused('role-too-low', 'Only whoever shared this view, or an admin, may do that.');
  return own;
}

function refuseSharing(who: AskingOperator): void {
  if (!mayShareViews(who))
    throw new Refused('role-too-low', 'A view for everybody needs the role support.');
}

const detailOf = ({ name, shared }: SavedView) => ({ name, shared });
