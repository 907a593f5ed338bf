import { only, orNull, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { readsRow, writes } from '../platform/database/statement.ts';

const decide = writes(
  'decide-kind',
  `update settings
   set sandbox = $1 and not exists (select from merchants)
   where sandbox is null`,
  (sandbox: boolean) => [sandbox],
);

/** Whether the database is a sandbox's; null: no process has started on it yet. */
export const readKind = readsRow(
  'read-kind',
  `select sandbox
   from settings`,
  only('sandbox', orNull(t.boolean)),
  () => [],
);

/** The instance was started as another kind than its database is. */
export class WrongKindError extends Error {}

/**
 * The first start decides for good whether the database is a sandbox; one that has merchants by then
 * is live. Throws WrongKindError at a start as the other.
 */
export async function keepKind(db: Queryable, sandbox: boolean): Promise<void> {
  if ((await readKind(db)) === null) await decide(db, sandbox);
  if ((await readKind(db)) === sandbox) return;
  throw new WrongKindError(
    sandbox
      ? 'SANDBOX=1 is set, and this database is of a live service: give the sandbox a database of its own'
      : 'This database is of a sandbox, where members play themselves: set SANDBOX=1, or give the live service a database of its own',
  );
}
