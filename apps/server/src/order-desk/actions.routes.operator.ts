import { CANCEL_ORDER, CONFIRM_ORDER, ESCALATE_ORDER, RESOLVE_ORDER } from '@munshi/api';
import { daySumOf, forOperators, type LateConfirmation, type Resolution } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { submitOrPreview } from '../approvals/effects.ts';
import { bindMoney } from '../approvals/money-door.ts';
import { askingOperator } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { showOrder } from './view.operator.ts';

type Noted = FastifyRequest<{
  Params: { orderId: string };
  Body: { note: string; internalNote?: string };
}>;

/** What operators decide about orders: commands, recorded in the audit log with their effect. */
export function orderActionRoutes(app: FastifyInstance, deps: Deps): void {
  bindMoney(app, deps, RESOLVE_ORDER, {
    kind: 'operator-resolve',
    read: (asked) => ({
      ...about(asked),
      outcome: asked.body.outcome,
      memberId: asked.body.memberId ?? null,
    }),
    show: showDecided,
  });

  bindMoney(app, deps, CONFIRM_ORDER, {
    kind: 'operator-confirm',
    read: (asked) => ({ ...about(asked), memberId: asked.body.memberId ?? null }),
    show: showDecided,
  });

  bind(app, CANCEL_ORDER, async (request) => {
    const command = {
      kind: 'operator-cancel',
      ...about(request),
      ...by(request),
      sumOf: daySumOf(askingOperator(request.operator)),
    } as const;
    return submitOrPreview(deps, request, command, showOrder);
  });

  bind(app, ESCALATE_ORDER, async (request) => {
    const command = { kind: 'operator-escalate', ...about(request), ...by(request) } as const;
    return submitOrPreview(deps, request, command, showOrder);
  });
}

const about = ({ params, body }: Pick<Noted, 'params' | 'body'>) => ({
  orderId: params.orderId,
  note: body.note,
  ...forOperators(body),
});

const by = ({ operator: { actor }, once: { commandId } }: Noted) => ({ actor, commandId });

/** The order, or that another operator has to agree first. */
const showDecided = ({ status, approvalId, order }: LateConfirmation | Resolution) =>
  status === 'pendingApproval' ? { orderId: order.orderId, status, approvalId } : showOrder(order);
