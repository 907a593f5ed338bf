import type { BodyOf, CHANGE_VIEW } from '@munshi/api';
import { VIEWS_MAX } from '@munshi/core';
import {
  assignments,
  columns,
  parameters,
  type RecordOf,
  stored,
  t,
} from '../platform/database/columns.ts';
import { lists, PAGE, readsOne, writes, writesOne } from '../platform/database/statement.ts';

/** What can be changed of one. */
const CHANGEABLE = {
  name: t.text,
  query: t.text,
  shared: t.boolean,
} satisfies Record<keyof BodyOf<typeof CHANGE_VIEW>, unknown>;

const VIEW_COLUMNS = {
  viewId: t.uuid,
  ownerId: t.text,
  ownerName: t.text,
  ...CHANGEABLE,
  createdAt: t.instant,
};
const VIEW = columns('', VIEW_COLUMNS);
/** Lists that operators keep under a name. */
export type SavedView = RecordOf<typeof VIEW>;

/** An operator's views and the shared ones, the newest first. */
export const listViews = lists(
  'list-views',
  `select ${VIEW.list}
   from saved_views
   where (owner_id = $1 or shared)
     and ($2::uuid is null or view_id < $2)
   order by view_id desc
   limit $3`,
  VIEW,
  parameters({ ownerId: t.text, ...PAGE }),
);

const NEW = stored(VIEW_COLUMNS);
/** Keeps a view; false where its owner has as many as they may. */
export const insertView = writesOne(
  'insert-view',
  `insert into saved_views (${NEW.names}, number)
   select $1, $2, $3, $4, $5, $6, $7, min(free)
   from generate_series(1, ${VIEWS_MAX}) as free
   where not exists (select from saved_views v where v.owner_id = $2 and v.number = free)
   having min(free) is not null`,
  NEW.valuesOf,
);

/** Locked until the transaction ends. */
export const lockView = readsOne(
  'find-view',
  `select ${VIEW.list}
   from saved_views
   where view_id = $1
   for update`,
  VIEW,
  (viewId: string) => [viewId],
);

const CHANGES = assignments(CHANGEABLE);

export const updateView = writes(
  'update-view',
  `update saved_views
   set ${CHANGES.set}
   where view_id = $${CHANGES.next}`,
  (view: SavedView) => [...CHANGES.valuesOf(view), view.viewId],
);

export const deleteView = writes(
  'delete-view',
  `delete from saved_views
   where view_id = $1`,
  (viewId: string) => [viewId],
);
