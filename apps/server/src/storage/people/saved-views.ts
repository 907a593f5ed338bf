import { type Instant, VIEWS_MAX, type ViewScreen } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { type Row, time } from '../rows.ts';
import { execute, type Page, query, statement, unprepared } from '../statement.ts';

/** Lists that operators keep under a name. */
export interface SavedView {
  readonly viewId: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly screen: ViewScreen;
  readonly name: string;
  readonly query: string;
  readonly shared: boolean;
  readonly createdAt: Instant;
}

const COLUMNS = 'view_id, owner_id, owner_name, page, name, query, shared, created_at';

const readView = (row: Row): SavedView => ({
  viewId: row['view_id'],
  ownerId: row['owner_id'],
  ownerName: row['owner_name'],
  screen: row['page'],
  name: row['name'],
  query: row['query'],
  shared: row['shared'],
  createdAt: row['created_at'],
});

const LIST = unprepared(
  'list-views',
  `select ${COLUMNS}
   from saved_views
   where (owner_id = $1 or shared)
     and ($2::text is null or page = $2)
     and ($3::uuid is null or view_id < $3)
   order by view_id desc
   limit $4`,
);

/** An operator's views and the shared ones, the newest first. */
export async function listViews(
  db: Queryable,
  {
    ownerId,
    screen,
    after,
    limit,
  }: Page & { readonly ownerId: string; readonly screen: SavedView['screen'] | null },
): Promise<readonly SavedView[]> {
  return (await query(db, LIST, [ownerId, screen, after, limit])).map(readView);
}

const INSERT = statement(
  'insert-view',
  `insert into saved_views (${COLUMNS}, number)
   select $1, $2, $3, $4, $5, $6, $7, $8, min(free)
   from generate_series(1, ${VIEWS_MAX}) as free
   where not exists (select from saved_views v where v.owner_id = $2 and v.number = free)
   having min(free) is not null`,
);

/** Keeps a view; false where its owner has as many as they may. */
export async function insertView(db: Queryable, view: SavedView): Promise<boolean> {
  const { viewId, ownerId, ownerName, screen, name, query, shared, createdAt } = view;
  const values = [viewId, ownerId, ownerName, screen, name, query, shared, time(createdAt)];
  return (await execute(db, INSERT, values)) === 1;
}

const FIND = statement(
  'find-view',
  `select ${COLUMNS}
   from saved_views
   where view_id = $1
   for update`,
);

/** Locked until the transaction ends. */
export async function lockView(db: Queryable, viewId: string): Promise<SavedView | undefined> {
  const [row] = await query(db, FIND, [viewId]);
  return row && readView(row);
}

const UPDATE = statement(
  'update-view',
  `update saved_views
   set name = $2,
     query = $3,
     shared = $4
   where view_id = $1`,
);

export async function updateView(
  db: Queryable,
  { viewId, name, query, shared }: SavedView,
): Promise<void> {
  await execute(db, UPDATE, [viewId, name, query, shared]);
}

const DELETE = statement(
  'delete-view',
  `delete from saved_views
   where view_id = $1`,
);

export async function deleteView(db: Queryable, viewId: string): Promise<void> {
  await execute(db, DELETE, [viewId]);
}
