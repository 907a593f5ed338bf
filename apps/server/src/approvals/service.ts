import {
  type Approval,
  approvedBy,
  decided,
  type ForOperators,
  forOperators,
  type Instant,
  type Objection,
  OPERATORS_MAY,
  refuseApproval,
  refuseControlled,
  refuseControlledAdmins,
  refuseDecline,
  refuseDependent,
  refuseFetch,
  refuseOutdated,
} from '@munshi/core';
import { findApproval, lockApproval, updateApproval } from '../engine/rows/approvals.ts';
import { readOrderMembers } from '../orders/store.ts';
import { readControl } from '../people/control.store.ts';
import type { AdminDeps } from '../people/independent-admins.service.ts';
import { findOperator } from '../people/operators.store.ts';
import { readAdminAccess } from '../people/portal-users.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { accepted, found, Refused, refuseOn } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import {
  type AskedCommands,
  isFetched,
  notifyChange,
  readAskedCommand,
  readWaitingWrite,
  type WaitingWrites,
} from '../writes/waiting-writes.ts';
import { doWrite, type OperatorCaller, type Work } from '../writes/write.ts';
import { neededToApprove } from './asked-endpoint.ts';
import { type Effect, NO_EFFECT, previewEffect } from './effects.service.ts';

/**
 * Approving or declining what waits for a second operator, and fetching the secret that an approval
 * gives (security.md#two-operators).
 */

export type ApprovalDeps = Pick<
  ServiceDeps,
  'database' | 'clock' | 'engine' | 'ids' | 'vault' | 'notices' | 'pageOrigin'
> &
  AdminDeps & { readonly waitingWrites: WaitingWrites; readonly askedCommands: AskedCommands };

type Show<Shown> = (approval: Approval) => Shown;
/** The note of the operator who decides a request. */
interface Written extends ForOperators {
  readonly note: string | null;
}

/**
 * Approves a request as it stands. Money is decided again by the engine; a secret is left to its
 * requester to fetch; everything else is done now. Throws the refusals of refuseApproval, and those
 * of what is done.
 */
export async function approve<Shown extends object>(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approval: Approval,
  { show, ...written }: Written & { readonly show: Show<Shown> },
): Promise<Shown> {
  await refuseNotSecond(deps, caller, approval);
  const command = readAskedCommand(deps, approval);
  if (command === undefined) return approveWrite(deps, caller, approval, { ...written, show });
  await requireStanding(deps, deps.database.pool, approval);
  const approved = approvedBy(command, decider(caller, approval, written));
  accepted(await deps.engine.submit(approved, caller.once));
  return show(found(await findApproval(deps.database.pool, approval.approvalId), 'Request'));
}

/** What `approve` would do about money, and its refusals. Nothing is written. */
export async function previewApproval(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approval: Approval,
  written: Written,
): Promise<Effect> {
  await refuseNotSecond(deps, caller, approval);
  const command = readAskedCommand(deps, approval);
  if (command === undefined) {
    const preview = { ...caller, preview: true };
    await approveWrite(deps, preview, approval, { ...written, show: (decided) => decided });
    return NO_EFFECT;
  }
  await requireStanding(deps, deps.database.pool, approval);
  return previewEffect(deps, approvedBy(command, decider(caller, approval, written)));
}

const decider = (
  { actor, once: { commandId } }: OperatorCaller,
  { approvalId }: Approval,
  written: Written,
) => ({ actor, commandId, approvalId, ...written });

async function refuseNotSecond(
  { database: { pool }, clock }: ApprovalDeps,
  { actor }: OperatorCaller,
  approval: Approval,
): Promise<void> {
  refuseOn((await readDependence(pool, [approval], clock.now()))(approval, actor));
}

/**
 * Who may not be the second operator of these requests, besides the asker: while one is
 * required, they are independent of the asker, of the members whom the request is about, and of
 * the admins of a merchant that would issue its own keys.
 */
export async function readDependence(
  db: Queryable,
  approvals: readonly Approval[],
  now: Instant,
): Promise<(approval: Approval, who: { readonly id: string }) => Objection> {
  const { requireSecondOperator } = await readPlatformSettings(db);
  if (!requireSecondOperator || approvals.length === 0) return () => undefined;
  const orderIds = approvals.filter(isAboutOrder).map(({ target }) => target);
  const holders = await readOrderMembers(db, orderIds);
  const membersOf = (approval: Approval): readonly string[] => {
    const { kind, target, request } = approval;
    const holder = isAboutOrder(approval) ? holders.get(target) : undefined;
    const named = kind === 'member-recovery' ? target : request['memberId'];
    return [holder, named].filter((id) => typeof id === 'string');
  };
  const admins = await readKeyAdmins(db, approvals, now);
  const adminsOf = ({ approvalId }: Approval) => admins.get(approvalId) ?? [];
  const people = approvals.flatMap((one) => [...membersOf(one), ...adminsOf(one)]);
  const control = await readControl(db, people);
  return (approval, who) =>
    refuseDependent(control, approval.requestedBy, who) ??
    refuseControlledAdmins(control, adminsOf(approval), who) ??
    membersOf(approval)
      .map((memberId) => refuseControlled(control, memberId, who))
      .find((objection) => objection !== undefined);
}

/** Of requests that a merchant may issue its own keys: who could issue them, by id. */
async function readKeyAdmins(
  db: Queryable,
  approvals: readonly Approval[],
  now: Instant,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const admins = new Map<string, readonly string[]>();
  for (const { approvalId, kind, target, request } of approvals) {
    if (kind !== 'own-keys' || request['allowed'] !== true) continue;
    const people = await readAdminAccess(db, target, now);
    admins.set(
      approvalId,
      people.map(({ portalUserId }) => portalUserId),
    );
  }
  return admins;
}

const isAboutOrder = ({ kind }: Approval): boolean =>
  kind === 'order-confirm' || kind === 'order-resolve';

/**
 * Sends a write once more, or leaves its secret to the asker. What it is about is locked before
 * its request, as where it is asked for: the other way round the two would wait for each other.
 */
async function approveWrite<Shown extends object>(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  asked: Approval,
  { note, show, ...internal }: Written & { readonly show: Show<Shown> },
): Promise<Shown> {
  const { actor } = caller;
  const write = await readWaitingWrite(deps, deps.database.pool, asked);
  const work: Work<Approval> = async (client, now, ids) => {
    refuseOn(refuseApproval(asked, actor, now)); // before what the write itself refuses
    const { shown, beside } = await write.explain(client, now, { id: asked.requestedBy });
    const approval = found(await lockApproval(client, asked.approvalId), 'Request');
    refuseOn(refuseApproval(approval, actor, now));
    await requireStanding(deps, client, approval);
    refuseOn(refuseOutdated(approval, shown, beside));
    const { kind, target, approvalId, requestedBy } = approval;
    const result = decided(approval, isFetched(kind) ? 'approved' : 'done', actor, note, { now });
    await updateApproval(client, result);
    const by = { approvalId, requestedBy, ...forOperators(internal) };
    if (isFetched(kind)) {
      // A key that waits in the portal is shown there.
      const after = () => (kind === 'api-key' ? notifyChange(deps, asked) : undefined);
      return { result, action: `${kind}.approve`, target, detail: by, after };
    }
    const about = { actor, asker: { id: requestedBy } };
    const { secrets: _, ...done } = await write.work(client, now, ids, about);
    const after = async () => {
      await done.after?.();
      notifyChange(deps, asked);
    };
    return { ...done, result, detail: { ...done.detail, ...by }, after };
  };
  return doWrite(deps, caller, work, show);
}

/**
 * Makes an approved key, token or link, for its asker. Answers it with its secrets.
 * Throws the refusals of refuseFetch, and those of what is made. A key is refused too where its
 * merchant has got people of its own since it was approved, and where it would not be what was
 * approved.
 */
export async function fetchApproved(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approvalId: string,
): Promise<object> {
  const { pool } = deps.database;
  const asked = found(await findApproval(pool, approvalId), 'Request');
  refuseOn(refuseFetch(asked, caller.actor, deps.clock.now()));
  const write = await readWaitingWrite(deps, pool, asked);
  const work: Work<object> = async (client, now, ids) => {
    const { actor } = caller;
    const explained =
      asked.kind === 'api-key' ? await write.explain(client, now, actor) : undefined;
    const done = await write.work(client, now, ids, { actor, asker: actor });
    const approval = found(await lockApproval(client, approvalId), 'Request');
    refuseOn(refuseFetch(approval, actor, now));
    if (explained !== undefined)
      refuseOn(refuseOutdated(approval, explained.shown, explained.beside));
    await updateApproval(client, { ...approval, status: 'done' });
    const detail = { ...done.detail, approvalId, approvedBy: approval.decidedBy };
    const after = async () => {
      await done.after?.();
      notifyChange(deps, asked);
    };
    return { ...done, detail, after };
  };
  return doWrite(deps, caller, work);
}

/** Declines a request, or withdraws one's own. Throws the refusals of refuseDecline. */
export const decline =
  (
    actor: OperatorCaller['actor'],
    approvalId: string,
    { note, ...internal }: ForOperators & { readonly note: string },
  ): Work<Approval> =>
  async (client, now) => {
    const approval = found(await lockApproval(client, approvalId), 'Request');
    refuseOn(refuseDecline(approval));
    const own = approval.requestedBy === actor.id;
    const result = decided(approval, own ? 'withdrawn' : 'declined', actor, note, { now });
    await updateApproval(client, result);
    return {
      result,
      action: own ? 'approval.withdraw' : 'approval.decline',
      target: approval.target,
      detail: { approvalId, kind: approval.kind, note, ...forOperators(internal) },
    };
  };

/** The asker must still be allowed to ask. */
async function requireStanding(
  { operatorTokens, clock }: ApprovalDeps,
  db: Queryable,
  approval: Approval,
): Promise<void> {
  const { requestedBy } = approval;
  if (operatorTokens.some(({ operatorId }) => requestedBy === operatorId)) return;
  const requester = requestedBy.startsWith('env-')
    ? undefined
    : await findOperator(db, requestedBy, clock.now());
  const stands =
    requester?.status === 'active' && OPERATORS_MAY.may(requester.role, neededToApprove(approval));
  if (!stands) throw new Refused('wrong-state', 'Whoever asked for it may not do so any more.');
}
