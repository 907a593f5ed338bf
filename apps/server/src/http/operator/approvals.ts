import {
  APPROVE_REQUEST,
  DECLINE_REQUEST,
  FETCH_REQUEST,
  LIST_APPROVALS,
  type ListApprovals,
  type NoteBody,
  type OptionalNote,
  READ_APPROVAL,
} from '@munshi/api';
import { APPROVAL_MS, type Approval, type Instant, money } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findApproval, listApprovals } from '../../storage/approvals.ts';
import type { Deps } from '../deps.ts';
import { jsonTime, pageOf, Refused, sendData, sendList } from '../json.ts';
import { includesRole } from './access.ts';
import {
  approveAct,
  declineRequest,
  fetchApproved,
  requireStanding,
  roleFor,
} from './second-operator.ts';
import { found } from './write.ts';

type About<Body = unknown> = { Params: { approvalId: string }; Body: Body };

const show = (approval: Approval, now: Instant) => ({
  approvalId: approval.approvalId,
  kind: approval.kind,
  target: approval.target,
  request: approval.request,
  requestedBy: approval.requestedBy,
  requestedName: approval.requestedName,
  requestedAt: jsonTime(approval.requestedAt),
  expiresAt: jsonTime(approval.expiresAt),
  status: hasExpired(approval, now) ? 'expired' : approval.status,
  decidedBy: approval.decidedBy,
  decidedName: approval.decidedName,
  decidedAt: jsonTime(approval.decidedAt),
  note: approval.note,
});

const hasExpired = ({ status, expiresAt, decidedAt }: Approval, now: Instant) =>
  (status === 'pending' && now >= expiresAt) ||
  (status === 'approved' && now >= (decidedAt ?? 0) + APPROVAL_MS);

/**
 * Whatever waits for a second operator: shown whole, approved as it stands, or turned down (D66).
 */
export function approvalRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  app.get<{ Querystring: ListApprovals }>(
    '/approvals',
    { schema: LIST_APPROVALS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { status = null, target = null } = request.query;
      const now = clock.now();
      const rows = await listApprovals(database.pool, {
        status,
        target,
        now,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(
        reply,
        page,
        rows,
        ({ approvalId }) => approvalId,
        (approval) => show(approval, now),
      );
    },
  );

  app.get<About>('/approvals/:approvalId', { schema: READ_APPROVAL }, async (request, reply) =>
    shown(request, reply),
  );

  app.post<About<OptionalNote | undefined>>(
    '/approvals/:approvalId/approve',
    { schema: APPROVE_REQUEST, preValidation: withoutBody },
    async (request, reply) => {
      const approval = await allowed(request);
      const note = request.body?.note ?? null;
      if (isAboutMoney(approval)) await approveMoney(deps, request, approval, note);
      else await approveAct(deps, request, approval.approvalId, note);
      return shown(request, reply);
    },
  );

  app.post<About<NoteBody>>(
    '/approvals/:approvalId/decline',
    { schema: DECLINE_REQUEST },
    async (request, reply) => {
      const { approvalId } = await allowed(request);
      await declineRequest(deps, request, approvalId, request.body.note);
      return shown(request, reply);
    },
  );

  app.post<About>(
    '/approvals/:approvalId/fetch',
    { schema: FETCH_REQUEST },
    async (request, reply) =>
      sendData(
        reply.header('cache-control', 'no-store'),
        await fetchApproved(deps, request, request.params.approvalId),
      ),
  );

  const find = async (request: FastifyRequest<About>) =>
    found(await findApproval(database.pool, request.params.approvalId), 'Request');

  async function shown(request: FastifyRequest<About>, reply: FastifyReply) {
    return sendData(reply, show(await find(request), clock.now()));
  }

  async function allowed(request: FastifyRequest<About>): Promise<Approval> {
    const approval = await find(request);
    const [{ role }, needed] = [request.operator, roleFor(approval)];
    if (!includesRole(role, needed))
      throw new Refused('second-operator', `This needs the role ${needed}; you have ${role}.`);
    return approval;
  }
}

const withoutBody = async (request: FastifyRequest) => {
  request.body ??= {};
};

type AboutMoney = Approval & {
  readonly kind: 'adjustment' | 'float-adjustment' | 'order-confirm' | 'order-resolve';
};
const isAboutMoney = ({ kind }: Approval) =>
  ['adjustment', 'float-adjustment', 'order-confirm', 'order-resolve'].includes(kind);

/**
 * Submits what was asked for, as it was asked for. The engine decides again, over the rows as they
 * are now.
 */
export async function approveMoney(
  deps: Deps,
  request: FastifyRequest,
  approval: Approval,
  note: string | null,
): Promise<void> {
  await requireStanding(deps, deps.database.pool, approval);
  const { operator, once } = request;
  const decision = await deps.engine.submit(
    commandOf(approval as AboutMoney, { commandId: once.commandId, actor: operator.actor, note }),
    once,
  );
  if (!decision.ok) throw new Refused(decision.refusal.code, decision.refusal.message);
}

function commandOf(
  { approvalId, kind, target, request }: AboutMoney,
  by: { commandId: string; actor: FastifyRequest['operator']['actor']; note: string | null },
) {
  switch (kind) {
    case 'adjustment':
      return {
        kind: 'approve-adjustment',
        adjustmentId: target,
        merchantId: String(request['merchantId']),
        ...by,
      } as const;
    case 'float-adjustment': {
      const { memberId, amount, reason } = request;
      return {
        kind: 'adjust-float',
        memberId: String(memberId),
        amount: money(String(amount)),
        reason: String(reason),
        approvalId,
        ...by,
      } as const;
    }
    case 'order-confirm':
      return {
        kind: 'operator-confirm',
        orderId: target,
        memberId: request['memberId'] as string | null,
        approval: true,
        approvalId,
        ...by,
      } as const;
    case 'order-resolve':
      return {
        kind: 'operator-resolve',
        orderId: target,
        outcome: 'Completed',
        approval: true,
        approvalId,
        ...by,
      } as const;
  }
}
