import { type Admins, hasTwoIndependent, independentOf } from '@munshi/core';
import type { Queryable } from '../platform/database/queryable.ts';
import { Refused } from '../platform/refusals.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { readControl } from './control.store.ts';
import { listActiveAdmins } from './operators.store.ts';

/** Whether there is somebody who can be the second operator (security.md#two-operators). */

export interface AdminDeps {
  /** Script tokens of the environment: each is an admin of its own. */
  readonly operatorTokens: readonly { readonly operatorId: string }[];
}

export async function readAdmins(db: Queryable, { operatorTokens }: AdminDeps): Promise<Admins> {
  const tokens = operatorTokens.map(({ operatorId }) => operatorId);
  return {
    admins: [...(await listActiveAdmins(db)), ...tokens],
    control: await readControl(db),
  };
}

const MAKE_ONE =
  'Make an admin of their own on the server, with: munshi operator-link <name> [role].';

/** Throws `wrong-state` where nobody could approve what this admin asks for. */
export async function requireApprover(
  db: Queryable,
  deps: AdminDeps,
  asker: { readonly id: string },
): Promise<void> {
  if (independentOf(await readAdmins(db, deps), asker).length > 0) return;
  throw new Refused(
    'wrong-state',
    `There is no other active admin who is independent of you, so nobody could approve it. ${MAKE_ONE}`,
  );
}

/** Throws `wrong-state` where a second operator could be required and nothing be approved. */
export async function requireTwoIndependent(db: Queryable, deps: AdminDeps): Promise<void> {
  if (hasTwoIndependent(await readAdmins(db, deps))) return;
  throw new Refused(
    'wrong-state',
    `There are no two active admins who are independent of each other: one made the other, or a password, link or token of theirs. ${MAKE_ONE}`,
  );
}

/** What to say at the start: where money waits for nobody, or could be approved by nobody. */
export async function lacksSecondOperator(
  db: Queryable,
  { production, ...deps }: AdminDeps & { readonly production: boolean },
): Promise<string | undefined> {
  const { requireSecondOperator } = await readPlatformSettings(db);
  if (!requireSecondOperator)
    return production
      ? 'One operator can move any amount alone: set requireSecondOperator by PATCH /api/operator/settings once there are two admins who are independent of each other.'
      : undefined;
  if (hasTwoIndependent(await readAdmins(db, deps))) return undefined;
  return `A second operator is required, and all admins were made by one of them, or got a password, link or token from one: nothing can be approved. ${MAKE_ONE}`;
}
