import { CANCEL_ORDER, CONFIRM_ORDER, ESCALATE_ORDER, RESOLVE_ORDER } from '@munshi/api';
import { forOperators, type LateConfirmation, type Resolution } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { standingOf } from '../../services/standing.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { submitOrPreview } from './effects.ts';
import { showOrder } from './order-view.ts';

type Noted = FastifyRequest<{
  Params: { orderId: string };
  Body: { note: string; internalNote?: string };
}>;

/** What operators decide about orders: commands, recorded in the audit log with their effect. */
export function orderActionRoutes(app: FastifyInstance, deps: Deps): void {
  const standingFor = (
    { params, operator }: Pick<Noted, 'params' | 'operator'>,
    memberId: string | null = null,
  ) => standingOf(deps.database.pool, operator.actor, { orderId: params.orderId, memberId });

  bind(app, RESOLVE_ORDER, async (request) => {
    const { outcome } = request.body;
    const standing = await standingFor(request);
    const command = { kind: 'operator-resolve', outcome, standing, ...about(request) } as const;
    return submitOrPreview(deps, request, command, showDecided);
  });

  bind(app, CANCEL_ORDER, async (request) => {
    const standing = await standingFor(request);
    const command = { kind: 'operator-cancel', standing, ...about(request) } as const;
    return submitOrPreview(deps, request, command, showOrder);
  });

  bind(app, ESCALATE_ORDER, async (request) => {
    const command = { kind: 'operator-escalate', ...about(request) } as const;
    return submitOrPreview(deps, request, command, showOrder);
  });

  bind(app, CONFIRM_ORDER, async (request) => {
    const { memberId = null } = request.body;
    const standing = await standingFor(request, memberId);
    const how = { kind: 'operator-confirm', memberId, approval: false } as const;
    const command = { ...how, standing, ...about(request) };
    return submitOrPreview(deps, request, command, showDecided);
  });
}

const about = ({ params, operator, body, once }: Noted) => ({
  commandId: once.commandId,
  orderId: params.orderId,
  note: body.note,
  ...forOperators(body),
  actor: operator.actor,
});

/** The order, or that another operator has to agree first. */
const showDecided = ({ status, approvalId, order }: LateConfirmation | Resolution) =>
  status === 'pendingApproval' ? { orderId: order.orderId, status, approvalId } : showOrder(order);
