import { type AskingOperator, mayShareViews, viewActions } from '@munshi/core';
import type pg from 'pg';
import {
  deleteView,
  insertView,
  lockView,
  type SavedView,
  updateView,
} from '../storage/people/saved-views.ts';
import type { ServiceDeps } from './deps.ts';
import { found, Refused, refuseTaken } from './refusals.ts';
import { type OperatorCaller, recordedWrite } from './write.ts';

/** Lists that operators keep under a name (D152). */

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids'>;
type Show = (view: SavedView) => unknown;

/** An operator who asks, and how their request acts. */
export interface Asking {
  readonly caller: OperatorCaller;
  readonly who: AskingOperator;
}

/** Throws `role-too-low` for a shared one, and `too-many`. */
export function saveView(
  deps: Deps,
  { caller, who }: Asking,
  given: Pick<SavedView, 'screen' | 'name' | 'query' | 'shared'>,
  show: Show,
): Promise<SavedView> {
  if (given.shared) refuseSharing(who);
  const { id: ownerId, name: ownerName } = caller.actor;
  return recordedWrite(
    deps,
    caller,
    async (client, now, ids) => {
      const result = { ...given, viewId: ids.uuid(now), ownerId, ownerName, createdAt: now };
      if (!(await insertView(client, result)))
        throw new Refused('too-many', 'You keep as many views as you may. Delete one first.');
      return {
        result,
        action: 'view.save' as const,
        target: result.viewId,
        detail: detailOf(result),
      };
    },
    show,
  ).catch(refuseTaken('Another view was saved at the same moment. Try again.'));
}

/** Throws `not-found`, and `role-too-low` for what only others may do. */
export function changeView(
  deps: Deps,
  { caller, who }: Asking,
  viewId: string,
  changes: { readonly [Name in 'name' | 'query' | 'shared']?: SavedView[Name] | undefined },
  show: Show,
): Promise<SavedView> {
  const work = async (client: pg.PoolClient) => {
    const view = await lockOwn(client, who, viewId, 'change');
    const result: SavedView = {
      ...view,
      name: changes.name ?? view.name,
      query: changes.query ?? view.query,
      shared: changes.shared ?? view.shared,
    };
    if (result.shared && !view.shared) refuseSharing(who);
    await updateView(client, result);
    return { result, action: 'view.change' as const, target: viewId, detail: detailOf(result) };
  };
  return recordedWrite(deps, caller, work, show);
}

/** Throws `not-found`, and `role-too-low` for what only others may do. */
export function removeView(
  deps: Deps,
  { caller, who }: Asking,
  viewId: string,
  show: Show,
): Promise<SavedView> {
  const work = async (client: pg.PoolClient) => {
    const result = await lockOwn(client, who, viewId, 'delete');
    await deleteView(client, viewId);
    return { result, action: 'view.delete' as const, target: viewId, detail: detailOf(result) };
  };
  return recordedWrite(deps, caller, work, show);
}

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

const detailOf = ({ screen, name, shared }: SavedView) => ({ screen, name, shared });
