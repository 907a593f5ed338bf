import {
  APPROVE_CONFIRMATION,
  CANCEL_ORDER,
  CONFIRM_ORDER,
  type ConfirmOrder,
  ESCALATE_ORDER,
  type NoteBody,
  RESOLVE_ORDER,
  type ResolveOrder,
} from '@munshi/api';
import type { Decision, LateConfirmation, Order, Resolution } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findPendingApproval } from '../../storage/approvals.ts';
import type { Deps } from '../deps.ts';
import { sendRefusal } from '../errors.ts';
import { sendData } from '../json.ts';
import { showOrder } from './order-view.ts';
import { requireStanding } from './second-operator.ts';

type Action<Body> = { Params: { orderId: string }; Body: Body };

/**
 * What operators decide about orders: each is a command, which is recorded in the audit log with
 * its effect.
 */
export function orderActionRoutes(app: FastifyInstance, deps: Deps): void {
  const about = ({ params, operator, body, once }: FastifyRequest<Action<NoteBody>>) => ({
    commandId: once.commandId,
    orderId: params.orderId,
    note: body.note,
    actor: operator.actor,
  });
  const answer = (reply: FastifyReply, decision: Decision<Order>) =>
    decision.ok
      ? sendData(reply, showOrder(decision.result))
      : sendRefusal(reply, decision.refusal);

  app.post<Action<ResolveOrder>>(
    '/orders/:orderId/resolve',
    { schema: RESOLVE_ORDER },
    async (request, reply) =>
      answerOrWait(
        reply,
        await deps.engine.submit(
          { kind: 'operator-resolve', outcome: request.body.outcome, ...about(request) },
          request.once,
        ),
      ),
  );
  app.post<Action<NoteBody>>(
    '/orders/:orderId/cancel',
    { schema: CANCEL_ORDER },
    async (request, reply) =>
      answer(
        reply,
        await deps.engine.submit({ kind: 'operator-cancel', ...about(request) }, request.once),
      ),
  );
  app.post<Action<NoteBody>>(
    '/orders/:orderId/escalate',
    { schema: ESCALATE_ORDER },
    async (request, reply) =>
      answer(
        reply,
        await deps.engine.submit({ kind: 'operator-escalate', ...about(request) }, request.once),
      ),
  );
  app.post<Action<ConfirmOrder>>(
    '/orders/:orderId/confirm',
    { schema: CONFIRM_ORDER },
    async (request, reply) => {
      const memberId = request.body.memberId ?? null;
      return answerOrWait(
        reply,
        await deps.engine.submit(
          { kind: 'operator-confirm', memberId, approval: false, ...about(request) },
          request.once,
        ),
      );
    },
  );

  app.post<Action<ConfirmOrder>>(
    '/orders/:orderId/confirm/approve',
    { schema: APPROVE_CONFIRMATION },
    async (request, reply) => {
      const { body, params, once } = request;
      const asked = await findPendingApproval(deps.database.pool, 'order-confirm', params.orderId);
      if (asked !== undefined) await requireStanding(deps, deps.database.pool, asked);
      const memberId =
        body.memberId ?? (asked?.request['memberId'] as string | null | undefined) ?? null;
      return answerOrWait(
        reply,
        await deps.engine.submit(
          {
            kind: 'operator-confirm',
            memberId,
            approval: true,
            approvalId: asked?.approvalId,
            ...about(request),
          },
          once,
        ),
      );
    },
  );

  /**
   * The order, or `{status: "pendingApproval"}` when another operator has to agree first (D42,
   * D66).
   */
  function answerOrWait(reply: FastifyReply, decision: Decision<LateConfirmation | Resolution>) {
    if (!decision.ok) return sendRefusal(reply, decision.refusal);
    const { status, approvalId, order } = decision.result;
    return sendData(
      reply,
      status === 'pendingApproval'
        ? { orderId: order.orderId, status, approvalId }
        : showOrder(order),
    );
  }
}
