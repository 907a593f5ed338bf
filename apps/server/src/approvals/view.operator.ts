import type { Given, WaitingRequestView } from '@munshi/api';
import { type Approval, approvalActions, type Instant, refuseApproval } from '@munshi/core';
import type { Operator } from '../people/access.operator.ts';
import { neededToAsk, summaryOf } from './asked-endpoint.ts';
import type { readGiverRule } from './service.ts';

/** A request that waits. */
export const showRequest = (
  approval: Approval,
  operator: Operator,
  now: Instant,
  giverRule: GiverRule,
): Given<WaitingRequestView> => ({
  ...approval,
  endpoint: approval.asked?.endpoint ?? null,
  summary: summaryOf(approval),
  notByYou: notBy(approval, operator, now, giverRule),
  allowedActions: approvalActions(
    approval,
    neededToAsk(approval),
    operator,
    now,
    giverRule(approval, operator.actor),
  ),
});

export type GiverRule = Awaited<ReturnType<typeof readGiverRule>>;

function notBy(
  approval: Approval,
  { actor, capabilities }: Operator,
  now: Instant,
  giverRule: GiverRule,
): string | null {
  if (!capabilities.has('approve')) return null;
  const objection = refuseApproval(approval, actor, now) ?? giverRule(approval, actor);
  return objection?.refusal.code === 'second-operator' ? objection.refusal.message : null;
}
