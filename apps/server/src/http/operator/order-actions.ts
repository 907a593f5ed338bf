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
import type { Decision, Order } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { sendRefusal } from '../errors.ts';
import { sendData } from '../json.ts';
import { showOrder } from './order-view.ts';

type Action<Body> = { Params: { orderId: string }; Body: Body };

/** What operators decide about orders: each is a command, which is recorded in the audit log with its effect. */
export function orderActionRoutes(app: FastifyInstance, { engine }: Deps): void {
  const about = ({ params, operator, body, once }: FastifyRequest<Action<NoteBody>>) => ({
    commandId: once.commandId,
    orderId: params.orderId,
    note: body.note,
    actor: operator.actor,
  });
  const answer = (reply: FastifyReply, decision: Decision<Order>) =>
    decision.ok ? sendData(reply, showOrder(decision.result)) : sendRefusal(reply, decision.refusal);

  app.post<Action<ResolveOrder>>('/orders/:orderId/resolve', { schema: RESOLVE_ORDER }, async (request, reply) =>
    answer(reply, await engine.submit({ kind: 'operator-resolve', outcome: request.body.outcome, ...about(request) }, request.once)),
  );
  app.post<Action<NoteBody>>('/orders/:orderId/cancel', { schema: CANCEL_ORDER }, async (request, reply) =>
    answer(reply, await engine.submit({ kind: 'operator-cancel', ...about(request) }, request.once)),
  );
  app.post<Action<NoteBody>>('/orders/:orderId/escalate', { schema: ESCALATE_ORDER }, async (request, reply) =>
    answer(reply, await engine.submit({ kind: 'operator-escalate', ...about(request) }, request.once)),
  );
  app.post<Action<ConfirmOrder>>('/orders/:orderId/confirm', { schema: CONFIRM_ORDER }, (request, reply) => confirm(request, reply, false));
  app.post<Action<ConfirmOrder>>('/orders/:orderId/confirm/approve', { schema: APPROVE_CONFIRMATION }, (request, reply) => confirm(request, reply, true));

  /** Answers the completed order; `{status: "pendingApproval"}` when another operator has to agree first (D42). */
  async function confirm(request: FastifyRequest<Action<ConfirmOrder>>, reply: FastifyReply, approval: boolean) {
    const decision = await engine.submit({ kind: 'operator-confirm', memberId: request.body.memberId ?? null, approval, ...about(request) }, request.once);
    if (!decision.ok) return sendRefusal(reply, decision.refusal);
    const { status, order } = decision.result;
    return sendData(reply, status === 'pendingApproval' ? { orderId: order.orderId, status } : showOrder(order));
  }
}
