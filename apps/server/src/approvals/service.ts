import {
  type Approval,
  type AskingOperator,
  approvalActions,
  decided,
  type ForOperators,
  forOperators,
  type Instant,
  OPERATORS_MAY,
  refuseApproval,
  refuseDecline,
  refuseFetch,
  refuseOutdated,
} from '@munshi/core';
import { readRules } from '../door/rules.service.ts';
import {
  findApproval,
  listApprovals,
  lockApproval,
  updateApproval,
} from '../engine/rows/approvals.ts';
import type { ApproverDeps } from '../people/approvers.service.ts';
import { findOperator } from '../people/operators.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { found, Refused, refuseOn } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import {
  isFetched,
  notifyChange,
  readWaitingWrite,
  type WaitingWrite,
} from '../writes/waiting-writes.ts';
import { type Done, doWrite, type OperatorCaller, type Work } from '../writes/write.ts';
import { neededToAsk } from './asked-endpoint.ts';
import { type Effect, effectOf, NO_EFFECT } from './effects.service.ts';

/**
 * Approving or declining what waits for a second operator, and fetching the secret that an approval
 * gives (security.md#two-operators).
 */

export type ApprovalDeps = Pick<
  ServiceDeps,
  'database' | 'clock' | 'engine' | 'ids' | 'vault' | 'notices' | 'pageOrigin'
> &
  ApproverDeps & { readonly writes: readonly WaitingWrite[] };

type Show<Shown> = (approval: Approval) => Shown;
/** The note of the operator who decides a request. */
interface Written extends ForOperators {
  readonly note: string | null;
}

/**
 * Approves a request as it stands: a secret is left to its requester to fetch, everything else is
 * done now. Throws the refusals of refuseApproval, and those of what is done.
 */
export async function approve<Shown extends object>(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approval: Approval,
  { show, ...written }: Written & { readonly show: Show<Shown> },
): Promise<Shown> {
  const work = await approvalOf(deps, caller, approval, written);
  return doWrite(deps, caller, work, ({ approved }) => show(approved));
}

/** What `approve` would do about money, and its refusals: it is done, and taken back. */
export async function previewApproval(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  approval: Approval,
  written: Written,
): Promise<Effect> {
  const work = await approvalOf(deps, caller, approval, written);
  const { changed } = await doWrite(deps, { ...caller, preview: true }, work);
  return changed === undefined ? NO_EFFECT : effectOf(deps, changed);
}

async function refuseGivers(
  db: Queryable,
  { actor }: OperatorCaller,
  approval: Approval,
): Promise<void> {
  refuseOn((await readRules(db, [approval])).giver(approval, actor));
}

/** What waits: the most that a queue counts. */
const WAITING_MAX = 1_000;

/** The requests that wait, counted for an operator who may approve them. */
export async function readWaiting(db: Queryable, now: Instant) {
  const page = { after: null, limit: WAITING_MAX };
  const waiting = await listApprovals(db, { status: 'pending', target: null, now, ...page });
  const rules = await readRules(db, waiting);
  return {
    for(operator: AskingOperator) {
      const own = waiting.filter((approval) =>
        approvalActions(
          approval,
          neededToAsk(approval),
          { fetcher: null, giver: rules.giver(approval, operator) },
          operator,
          now,
        ).includes('approve'),
      );
      return { count: own.length, oldestAt: own.at(-1)?.requestedAt ?? null };
    },
  };
}

interface Approved extends Pick<Done<unknown>, 'changed'> {
  readonly approved: Approval;
}

/**
 * Does a write as it was asked for, or leaves its secret to the asker. What it is about is locked
 * before its request, as where it is asked for: the other way round the two would wait for each
 * other.
 */
async function approvalOf(
  deps: ApprovalDeps,
  caller: OperatorCaller,
  asked: Approval,
  { note, ...internal }: Written,
): Promise<Work<Approved>> {
  const { actor } = caller;
  const write = await readWaitingWrite(deps.writes, deps.database.pool, asked);
  return async (client, now, ids) => {
    // Before what the write itself refuses.
    refuseOn(refuseApproval(asked, actor, now));
    await refuseGivers(client, caller, asked);
    const { shown, beside } = await write.explain(client, now, { id: asked.requestedBy });
    const waiting = found(await lockApproval(client, asked.approvalId), 'Request');
    refuseOn(refuseApproval(waiting, actor, now));
    await requireStanding(deps, client, waiting);
    refuseOn(refuseOutdated(waiting, shown, beside));
    const { kind, target, approvalId, requestedBy } = waiting;
    const status = isFetched(kind) ? 'approved' : 'done';
    const approved = decided(waiting, status, actor, note, { now });
    await updateApproval(client, approved);
    const by = { approvalId, requestedBy, ...forOperators(internal) };
    if (isFetched(kind)) {
      // A key that waits in the portal is shown there.
      const after = () => (kind === 'api-key' ? notifyChange(deps, asked) : undefined);
      return { result: { approved }, action: `${kind}.approve`, target, detail: by, after };
    }
    const two = { actor, asker: { id: requestedBy }, sumOf: null, approval: approved };
    const { secrets: _, changed, ...done } = await write.work(client, now, ids, two);
    const after = async () => {
      await done.after?.();
      notifyChange(deps, asked);
    };
    const result = changed === undefined ? { approved } : { approved, changed };
    return { ...done, result, detail: { ...done.detail, ...by }, after };
  };
}

/**
 * Makes an approved key, token or link, and answers it with its secrets. Throws the refusals of
 * refuseFetch, those of what is made, and of a key `wrong-state` where it would not be what was
 * approved.
 */
export async function fetchApproved(
  deps: ApprovalDeps,
  caller: OperatorCaller & AskingOperator,
  approvalId: string,
): Promise<object> {
  const { pool } = deps.database;
  const asked = found(await findApproval(pool, approvalId), 'Request');
  const { actor } = caller;
  await refuseFetcher(pool, asked, caller, deps.clock.now());
  const write = await readWaitingWrite(deps.writes, pool, asked);
  const work: Work<object> = async (client, now, ids) => {
    const isKey = asked.kind === 'api-key';
    const explained = isKey ? await write.explain(client, now, actor) : undefined;
    const two = { actor, asker: { id: asked.requestedBy }, sumOf: null, approval: asked };
    const done = await write.work(client, now, ids, two);
    const approval = found(await lockApproval(client, approvalId), 'Request');
    await refuseFetcher(client, approval, caller, now);
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

async function refuseFetcher(
  db: Queryable,
  approval: Approval,
  who: AskingOperator,
  now: Instant,
): Promise<void> {
  const rules = await readRules(db, [approval]);
  const about = { fetcher: rules.fetcher(approval), giver: rules.giver(approval, who) };
  refuseOn(refuseFetch(approval, about, who, now));
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
    requester?.status === 'active' && OPERATORS_MAY.of(requester.role).has(neededToAsk(approval));
  if (!stands) throw new Refused('wrong-state', 'The asker may not ask for this any more.');
}
