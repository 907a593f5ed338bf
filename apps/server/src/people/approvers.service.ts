import type { Clock } from '../platform/clock.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { type Approver, listApprovers } from './operators.store.ts';

/** Whether there are two operators who may approve (security.md#two-operators). */

const APPROVERS_NEEDED = 2;

export interface ApproverDeps {
  /** Script tokens of the environment: each is an approver of its own. */
  readonly operatorTokens: readonly { readonly operatorId: string; readonly setting: string }[];
  readonly clock: Pick<Clock, 'now'>;
}

/** Approvers who can sign in, those of the environment last. */
export async function readApprovers(
  db: Queryable,
  { operatorTokens, clock }: ApproverDeps,
): Promise<readonly Approver[]> {
  const own = operatorTokens.map(({ operatorId, setting }) => ({ id: operatorId, name: setting }));
  return [...(await listApprovers(db, clock.now())), ...own];
}

/** How many approvers are missing who can sign in, of the two that are needed. */
export async function readMissingApprovers(db: Queryable, deps: ApproverDeps): Promise<number> {
  return Math.max(0, APPROVERS_NEEDED - (await readApprovers(db, deps)).length);
}

/** The same, while a second operator is required. */
export async function readLack(db: Queryable, deps: ApproverDeps): Promise<number> {
  const { requireSecondOperator } = await readPlatformSettings(db);
  return requireSecondOperator ? readMissingApprovers(db, deps) : 0;
}

/** What to do about them. */
export const MAKE_APPROVERS =
  'Fewer than two approvers can sign in. Make them on the server: munshi operator-link <name> --approver.';

/** What to say at the start: where money waits for nobody, or could be approved by too few. */
export async function lacksApprovers(
  db: Queryable,
  { production, ...deps }: ApproverDeps & { readonly production: boolean },
): Promise<string | undefined> {
  if ((await readLack(db, deps)) > 0) return MAKE_APPROVERS;
  const { requireSecondOperator } = await readPlatformSettings(db);
  return production && !requireSecondOperator
    ? 'One operator can move any amount alone: make two approvers, and set requireSecondOperator by PATCH /api/operator/settings.'
    : undefined;
}
