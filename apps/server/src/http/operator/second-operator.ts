import { APPROVAL_MS, type Approval, decided, newApproval, refuseApproval } from '@munshi/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuidV7 } from '../../engine/ids.ts';
import {
  type Hidden,
  insertApproval,
  lockApproval,
  updateApproval,
} from '../../storage/approvals.ts';
import type { Queryable } from '../../storage/db.ts';
import { countActiveAdmins, findOperator } from '../../storage/operators.ts';
import type { OperatorRole } from '../../storage/sessions.ts';
import { readPlatformSettings } from '../../storage/settings.ts';
import type { Deps } from '../deps.ts';
import { Refused, sendData } from '../json.ts';
import { includesRole } from './access.ts';
import { type ActKind, FETCHED, PERFORM } from './acts.ts';
import { found, recordedWrite } from './write.ts';

interface Act {
  readonly kind: ActKind;
  readonly target: string;
  /** Everything that will be done, for whoever approves it. */
  readonly request: Approval['request'];
  readonly hidden?: Hidden | null;
  /**
   * Whether it waits while a second operator is required; false where it takes power away or is
   * about oneself.
   */
  readonly waits: boolean;
  /** It makes an operator, or more of one: without a second admin that is done on the server. */
  readonly makesOperator?: boolean;
  /** What is answered when it is done, where not what it answers itself. */
  readonly answered?: () => Promise<object>;
}

/** Does it, or has it wait for another operator: 200 either way (D66). */
export async function actOrAsk(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  act: Act,
): Promise<FastifyReply> {
  const { kind, target, hidden = null } = act;
  const result = await recordedWrite(deps, request, async (client, now) => {
    const { requireSecondOperator } = await readPlatformSettings(client);
    if (!act.waits || !requireSecondOperator) {
      const { answer, secrets, ...written } = await PERFORM[kind](
        client,
        now,
        act.request,
        hidden,
        deps,
      );
      const repeated = secrets === undefined ? answer : { ...answer, secretShown: true };
      return {
        ...written,
        result: { ...answer, ...secrets } as object,
        ...(act.answered === undefined && { answer: repeated }),
      };
    }
    if (act.makesOperator && (await countActiveAdmins(client)) + deps.operatorTokens.length < 2)
      throw new Refused('wrong-state', TOO_FEW_ADMINS);
    const approval = newApproval(
      kind,
      uuidV7(now),
      target,
      act.request,
      request.operator.actor,
      now,
    );
    await insertApproval(client, approval, hidden);
    const waiting = { status: 'pendingApproval', approvalId: approval.approvalId };
    return {
      result: waiting,
      answer: waiting,
      action: `${kind}.request`,
      target,
      detail: { approvalId: approval.approvalId, ...act.request },
    };
  });
  if (!('approvalId' in result)) tellSessions(deps, act);
  reply.header('cache-control', 'no-store');
  return sendData(
    reply,
    'approvalId' in result || act.answered === undefined ? result : await act.answered(),
  );
}

const TOO_FEW_ADMINS =
  'There are fewer than two active admins, so nobody could approve it. Make operators on the server, with: munshi operator-token create <name> [role].';

/** A member's open screens end with the password that they signed in by. */
function tellSessions(
  { notices }: Pick<Deps, 'notices'>,
  { kind, target, hidden }: Pick<Approval, 'kind' | 'target'> & { readonly hidden?: Hidden | null },
) {
  if (kind === 'member-password' && hidden) notices.sessionsEnded(target);
}

/** The same as part of a request that does more, and so never waits. */
export async function actOnly(deps: Deps, request: FastifyRequest, act: Act): Promise<void> {
  const { kind, hidden = null } = act;
  await recordedWrite(deps, request, async (client, now) => {
    const { action, target, detail } = await PERFORM[kind](client, now, act.request, hidden, deps);
    return { result: undefined, action, target, detail };
  });
  tellSessions(deps, act);
}

/** What waits is asked for by a request of its own. */
export async function requireAlone(db: Queryable): Promise<void> {
  const { requireSecondOperator } = await readPlatformSettings(db);
  if (requireSecondOperator)
    throw new Refused(
      'wrong-state',
      'Part of this needs a second operator: send that part as a request of its own.',
    );
}

/** Carries out what another operator asked for, or leaves it to them to fetch. */
export async function approveAct(
  deps: Deps,
  request: FastifyRequest,
  approvalId: string,
  note: string | null,
): Promise<void> {
  const { actor } = request.operator;
  const acted = await recordedWrite(deps, request, async (client, now) => {
    const { approval, hidden } = found(await lockApproval(client, approvalId), 'Request');
    const refused = refuseApproval(approval, actor, now);
    if (refused !== undefined) throw new Refused(refused.code, refused.message);
    await requireStanding(deps, client, approval);
    const fetched = FETCHED.has(approval.kind);
    await updateApproval(
      client,
      decided(approval, fetched ? 'approved' : 'done', actor, note, { now }),
    );
    const detail = { approvalId, requestedBy: approval.requestedBy };
    if (fetched)
      return {
        result: { ...approval, hidden: null },
        action: `${approval.kind}.approve`,
        target: approval.target,
        detail,
      };
    const done = await PERFORM[approval.kind as ActKind](
      client,
      now,
      approval.request,
      hidden,
      deps,
    );
    return {
      result: { ...approval, hidden },
      action: done.action,
      target: done.target,
      detail: { ...done.detail, ...detail },
    };
  });
  tellSessions(deps, acted);
}

/** Makes an approved key or token, for whoever asked for it: once, within a day of the approval. */
export async function fetchApproved(
  deps: Deps,
  request: FastifyRequest,
  approvalId: string,
): Promise<object> {
  const { operatorId } = request.operator;
  return recordedWrite(deps, request, async (client, now) => {
    const { approval, hidden } = found(await lockApproval(client, approvalId), 'Request');
    if (approval.requestedBy !== operatorId)
      throw new Refused('second-operator', 'Only the operator who asked for it can fetch it.');
    if (approval.status !== 'approved')
      throw new Refused(
        'wrong-state',
        `This request is ${approval.status}; there is nothing to fetch.`,
      );
    if (now >= (approval.decidedAt as number) + APPROVAL_MS)
      throw new Refused('wrong-state', 'The approval has expired. It has to be asked for again.');
    await updateApproval(client, { ...approval, status: 'done' });
    const { answer, secrets, ...written } = await PERFORM[approval.kind as ActKind](
      client,
      now,
      approval.request,
      hidden,
      deps,
    );
    const detail = { ...written.detail, approvalId, approvedBy: approval.decidedBy };
    return {
      ...written,
      detail,
      result: { ...answer, ...secrets },
      answer: { ...answer, secretShown: true },
    };
  });
}

/**
 * Turns a request down; whoever asked withdraws it. What was approved and not fetched can be turned
 * down too.
 */
export async function declineRequest(
  deps: Deps,
  request: FastifyRequest,
  approvalId: string,
  note: string,
): Promise<void> {
  const { actor } = request.operator;
  await recordedWrite(deps, request, async (client, now) => {
    const { approval } = found(await lockApproval(client, approvalId), 'Request');
    if (approval.status !== 'pending' && approval.status !== 'approved')
      throw new Refused('wrong-state', `This request is ${approval.status} already.`);
    const own = approval.requestedBy === actor.id;
    await updateApproval(
      client,
      decided(approval, own ? 'withdrawn' : 'declined', actor, note, { now }),
    );
    return {
      result: undefined,
      action: own ? 'approval.withdraw' : 'approval.decline',
      target: approval.target,
      detail: { approvalId, kind: approval.kind, note },
    };
  });
}

/** The role that asks for such a thing is the role that approves it. */
export const roleFor = ({ kind }: Pick<Approval, 'kind'>): OperatorRole =>
  kind === 'order-confirm' || kind === 'order-resolve' ? 'support' : 'admin';

/** Whoever asked must still be allowed to ask. */
export async function requireStanding(
  { operatorTokens, clock }: Pick<Deps, 'operatorTokens' | 'clock'>,
  db: Queryable,
  approval: Approval,
): Promise<void> {
  const { requestedBy } = approval;
  if (operatorTokens.some((_, at) => requestedBy === `env-${at + 1}`)) return;
  const requester = requestedBy.startsWith('env-')
    ? undefined
    : await findOperator(db, requestedBy, clock.now());
  if (
    requester === undefined ||
    requester.status !== 'active' ||
    !includesRole(requester.role, roleFor(approval))
  ) {
    throw new Refused('wrong-state', 'Whoever asked for it may not do so any more.');
  }
}
