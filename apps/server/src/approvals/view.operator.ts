import type { Given, WaitingRequestView } from '@munshi/api';
import {
  type Approval,
  approvalActions,
  type Instant,
  OPERATORS_MAY,
  refuseApproval,
} from '@munshi/core';
import { askingOperator, type Operator } from '../people/access.operator.ts';
import { neededToApprove, summaryOf } from './asked-endpoint.ts';
import type { readDependence } from './service.ts';

/** A request that waits. */
export const showRequest = (
  approval: Approval,
  operator: Operator,
  now: Instant,
  dependent: Dependence,
): Given<WaitingRequestView> => ({
  ...approval,
  endpoint: approval.asked?.endpoint ?? null,
  summary: summaryOf(approval),
  notByYou: notBy(approval, operator, now, dependent),
  allowedActions: approvalActions(
    approval,
    neededToApprove(approval),
    askingOperator(operator),
    now,
    dependent(approval, operator.actor),
  ),
});

export type Dependence = Awaited<ReturnType<typeof readDependence>>;

function notBy(
  approval: Approval,
  { actor, role }: Operator,
  now: Instant,
  dependent: Dependence,
): string | null {
  if (!OPERATORS_MAY.may(role, neededToApprove(approval))) return null;
  const objection = refuseApproval(approval, actor, now) ?? dependent(approval, actor);
  return objection?.refusal.code === 'second-operator' ? objection.refusal.message : null;
}
