import {
  type Approval,
  type ApprovalKind,
  decided,
  type Instant,
  includesRole,
  newApproval,
  type Objection,
  refuseApproval,
  refuseControlled,
  refuseDecline,
  refuseDependent,
  refuseFetch,
  refuseOutdated,
  roleToApprove,
} from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from '../storage/db.ts';
import { readOrderMembers } from '../storage/orders/order-detail.ts';
import {
  findApproval,
  type Hidden,
  insertApproval,
  lockApproval,
  updateApproval,
} from '../storage/people/approvals.ts';
import { readControl } from '../storage/people/control.ts';
import { findOperator } from '../storage/people/operators.ts';
import { readPlatformSettings } from '../storage/settings.ts';
import { approvedCommand, isAboutMoney } from './approved-commands.ts';
import type { ServiceDeps } from './deps.ts';
import { type Effect, NO_EFFECT, previewEffect } from './effects.ts';
import { type AdminDeps, requireApprover } from './independent-admins.ts';
import { OPERATIONS, type OperationKind, type Results, type SecretsOf } from './operations.ts';
import { accepted, found, Refused, refuseOn } from './refusals.ts';
import { readWaitingWrite, type WaitingWrites } from './waiting-writes.ts';
import { answered, type OperatorCaller, recordedWrite, type WithSecrets } from './write.ts';

/**
 * Asking for what may have to wait for a second operator, approving or declining it, and fetching
 * the secret that an approval gives (D66). Requests about money are made by the engine.
 */

export type ApprovalDeps = Pick<
  ServiceDeps,
  'database' | 'clock' | 'engine' | 'ids' | 'vault' | 'notices' | 'pageOrigin'
> &
  AdminDeps & { readonly waitingWrites: WaitingWrites };

/** These give a secret: made when the requester fetches it, so that the approver never sees it. */
const FETCHED: ReadonlySet<ApprovalKind> = new Set<FetchedKind>([
  'api-key',
  'operator-token',
  'operator-recovery',
  'member-recovery',
]);

/** An operation as an operator asks for it. */
export interface Operation<Kind extends OperationKind = OperationKind> {
  readonly kind: Kind;
  readonly target: string;
  /** Everything that will be done, for whoever approves it. */
  readonly request: Approval['request'];
  readonly hidden?: Hidden | null;
  /** What the rule of its endpoint says of this change, where the endpoint is decided by change. */
  readonly waits?: boolean;
  /** It makes an operator, or more of one: without a second admin that is done on the server. */
  readonly makesOperator?: boolean;
}

export interface Waiting {
  readonly status: 'pendingApproval';
  readonly approvalId: string;
}

/**
 * Does an operation, or has it wait while a second operator is required. Answers what `show` makes
 * of the result, with its secrets; a repeat is answered without them. `show` is left out where the
 * answer is made, and kept, after the transaction. Throws what the operation throws.
 */
export async function performOrAsk<Kind extends OperationKind, Shown = Results[Kind]>(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  operation: Operation<Kind>,
  show?: (result: Results[Kind]) => Shown,
): Promise<(Shown & SecretsOf<Kind>) | Waiting> {
  const { kind, target, request, hidden = null } = operation;
  const waits = mayWait(caller, operation);
  const work = async (client: pg.PoolClient, now: Instant) => {
    const { requireSecondOperator } = await readPlatformSettings(client);
    if (!waits || !requireSecondOperator)
      return answered(
        await OPERATIONS[kind](client, now, { request, hidden, actor: caller.actor }, deps),
        show,
      );
    if (operation.makesOperator) await requireApprover(client, deps, caller.actor);
    const approval = newApproval(kind, deps.ids.uuid(now), target, request, caller.actor, now);
    await insertApproval(client, approval, hidden);
    const { approvalId } = approval;
    const waiting = { status: 'pendingApproval', approvalId } as const;
    return {
      result: { first: waiting, repeated: waiting as object | undefined },
      action: `${kind as OperationKind}.request` as const,
      target,
      detail: { approvalId, ...request },
    };
  };
  const { first } = await recordedWrite(deps, caller, work, ({ repeated }) => repeated);
  if ('approvalId' in first) tellWaiting(deps, (first as Waiting).approvalId);
  else tellSessions(deps, operation);
  return first as (Shown & SecretsOf<Kind>) | Waiting;
}

/** Whether it waits while a second operator is required, as its endpoint declares it. */
function mayWait({ decides }: OperatorCaller, { kind, waits }: Operation): boolean {
  if (decides?.by === 'two') return true;
  if (decides?.by === 'change' && waits !== undefined) return waits;
  throw new Error(`the endpoint that asks for ${kind} does not declare that it may wait`);
}

/** Open screens of approvals show what has come. */
export const tellWaiting = ({ notices }: Pick<ApprovalDeps, 'notices'>, approvalId: string): void =>
  notices.changed([{ kind: 'approval', id: approvalId }]);

/** What ends sign-ins of its target, or may. */
const ENDS_SESSIONS: ReadonlySet<ApprovalKind> = new Set<OperationKind>([
  'operator-change',
  'operator-recovery',
  'member-recovery',
  'one-time-code-removal',
]);

/** Open screens end with the sign-in that they were opened by. */
function tellSessions(
  { notices }: ApprovalDeps,
  { kind, target, hidden }: Pick<Approval, 'kind' | 'target'> & Pick<Operation, 'hidden'>,
): void {
  if ((kind === 'member-password' && hidden) || ENDS_SESSIONS.has(kind))
    notices.sessionsEnded(target);
}

/** Screens read again what an approval has changed: its answer tells of the request alone. */
function tellChange({ notices }: ApprovalDeps, { request }: Pick<Approval, 'request'>): void {
  const { memberId, merchantId } = request;
  if (typeof merchantId === 'string') notices.ownChanged([{ merchantId, kind: 'setting' }]);
  notices.changed([
    typeof memberId === 'string' ? { kind: 'member', id: memberId } : { kind: 'setting', id: null },
  ]);
}

type Show = (approval: Approval) => unknown;

/**
 * Approves a request as it stands. Money is decided again by the engine; a secret is left to its
 * requester to fetch; everything else is done now. Throws the refusals of refuseApproval, and those
 * of what is done.
 */
export async function approve(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approval: Approval,
  { note, show }: { readonly note: string | null; readonly show: Show },
): Promise<Approval> {
  await refuseNotSecond(deps, caller, approval);
  if (approval.kind === 'write') return approveWrite(deps, caller, approval, { note, show });
  if (!isAboutMoney(approval))
    return approveOperation(deps, caller, approval.approvalId, { note, show });
  await requireStanding(deps, deps.database.pool, approval);
  const by = { commandId: caller.once.commandId, actor: caller.actor, note };
  accepted(await deps.engine.submit(approvedCommand(approval, by), caller.once));
  return found(await findApproval(deps.database.pool, approval.approvalId), 'Request');
}

/** What `approve` would do about money, and its refusals. Nothing is written. */
export async function previewApproval(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approval: Approval,
  note: string | null,
): Promise<Effect> {
  await refuseNotSecond(deps, caller, approval);
  if (!isAboutMoney(approval)) {
    const taken = { note, show: () => undefined };
    const preview = { ...caller, preview: true };
    if (approval.kind === 'write') await approveWrite(deps, preview, approval, taken);
    else await approveOperation(deps, preview, approval.approvalId, taken);
    return NO_EFFECT;
  }
  await requireStanding(deps, deps.database.pool, approval);
  const by = { commandId: caller.once.commandId, actor: caller.actor, note };
  return previewEffect(deps, approvedCommand(approval, by));
}

async function refuseNotSecond(
  { database: { pool } }: ApprovalDeps,
  { actor }: OperatorCaller,
  approval: Approval,
): Promise<void> {
  refuseOn((await readDependence(pool, [approval]))(approval, actor));
}

/**
 * Who may not be the second operator of these requests, besides whoever asked: while one is
 * required, they are independent of the asker, and of the members whom the request is about.
 */
export async function readDependence(
  db: Queryable,
  approvals: readonly Approval[],
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
  const control = await readControl(db, approvals.flatMap(membersOf));
  return (approval, who) =>
    refuseDependent(control, approval.requestedBy, who) ??
    membersOf(approval)
      .map((memberId) => refuseControlled(control, memberId, who))
      .find((objection) => objection !== undefined);
}

const isAboutOrder = ({ kind }: Approval): boolean =>
  kind === 'order-confirm' || kind === 'order-resolve';

/**
 * Sends a write once more. What it is about is locked before its request, as where it is asked for:
 * the other way round the two would wait for each other.
 */
async function approveWrite(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  asked: Approval,
  { note, show }: { readonly note: string | null; readonly show: Show },
): Promise<Approval> {
  const { actor } = caller;
  const write = await readWaitingWrite(deps, asked);
  const work = async (client: pg.PoolClient, now: Instant) => {
    refuseOn(refuseApproval(asked, actor, now)); // before what the write itself refuses
    const { shown } = await write.explain(client, now);
    const { approval } = found(await lockApproval(client, asked.approvalId), 'Request');
    refuseOn(refuseApproval(approval, actor, now));
    await requireStanding(deps, client, approval);
    refuseOn(refuseOutdated(approval, shown));
    const { action, target, detail } = await write.work(client, now, deps.ids);
    const result = decided(approval, 'done', actor, note, { now });
    await updateApproval(client, result);
    const { approvalId, requestedBy } = approval;
    return { result, action, target, detail: { ...detail, approvalId, requestedBy } };
  };
  const approved = await recordedWrite(deps, caller, work, show);
  if (!caller.preview) tellChange(deps, asked);
  return approved;
}

async function approveOperation(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approvalId: string,
  { note, show }: { readonly note: string | null; readonly show: Show },
): Promise<Approval> {
  const { actor } = caller;
  let done: (Pick<Approval, 'kind' | 'target' | 'request'> & Pick<Operation, 'hidden'>) | undefined;
  const work = async (client: pg.PoolClient, now: Instant) => {
    const { approval, hidden } = found(await lockApproval(client, approvalId), 'Request');
    refuseOn(refuseApproval(approval, actor, now));
    await requireStanding(deps, client, approval);
    const { kind, target, request, requestedBy } = approval as Approval & { kind: OperationKind };
    const status = FETCHED.has(kind) ? 'approved' : 'done';
    const result = decided(approval, status, actor, note, { now });
    await updateApproval(client, result);
    const detail = { approvalId, requestedBy };
    if (status === 'approved')
      return { result, action: `${kind as FetchedKind}.approve` as const, target, detail };
    done = { kind, target, request, hidden };
    const given = { request, hidden, actor };
    const {
      action,
      target: about,
      detail: made,
    } = await OPERATIONS[kind](client, now, given, deps);
    return { result, action, target: about, detail: { ...made, ...detail } };
  };
  const approved = await recordedWrite(deps, caller, work, show);
  if (done !== undefined && !caller.preview) {
    tellSessions(deps, done);
    tellChange(deps, done);
  }
  return approved;
}

type FetchedKind = 'api-key' | 'operator-token' | 'operator-recovery' | 'member-recovery';
export type FetchedResult = Results[FetchedKind];

/**
 * Makes an approved key or token, for whoever asked for it. Answers what `show` makes of it, with
 * its secrets. Throws the refusals of refuseFetch.
 */
export async function fetchApproved(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approvalId: string,
  show: (result: FetchedResult) => object,
): Promise<object> {
  let fetched: Approval | undefined;
  const work = async (client: pg.PoolClient, now: Instant) => {
    const { approval, hidden } = found(await lockApproval(client, approvalId), 'Request');
    refuseOn(refuseFetch(approval, caller.actor, now));
    fetched = approval;
    await updateApproval(client, { ...approval, status: 'done' });
    const { kind, request, decidedBy } = approval as Approval & { kind: FetchedKind };
    const written: WithSecrets<FetchedResult> = await OPERATIONS[kind](
      client,
      now,
      { request, hidden, actor: caller.actor },
      deps,
    );
    const detail = { ...written.detail, approvalId, approvedBy: decidedBy };
    return { ...answered(written, show), detail };
  };
  const { first } = await recordedWrite(deps, caller, work, ({ repeated }) => repeated);
  if (fetched !== undefined) {
    tellSessions(deps, fetched);
    tellChange(deps, fetched);
  }
  return first;
}

/** Declines a request, or withdraws one's own. Throws the refusals of refuseDecline. */
export function decline(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approvalId: string,
  { note, show }: { readonly note: string; readonly show: Show },
): Promise<Approval> {
  const { actor } = caller;
  const work = async (client: pg.PoolClient, now: Instant) => {
    const { approval } = found(await lockApproval(client, approvalId), 'Request');
    refuseOn(refuseDecline(approval));
    const own = approval.requestedBy === actor.id;
    const result = decided(approval, own ? 'withdrawn' : 'declined', actor, note, { now });
    await updateApproval(client, result);
    return {
      result,
      action: own ? ('approval.withdraw' as const) : ('approval.decline' as const),
      target: approval.target,
      detail: { approvalId, kind: approval.kind, note },
    };
  };
  return recordedWrite(deps, caller, work, show);
}

/** Whoever asked must still be allowed to ask. */
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
    requester?.status === 'active' && includesRole(requester.role, roleToApprove(approval));
  if (!stands) throw new Refused('wrong-state', 'Whoever asked for it may not do so any more.');
}
