import type { Given, WaitingRequestView } from '@munshi/api';
import { type Approval, approvalActions, type Instant, refuseApproval } from '@munshi/core';
import type { Operator } from '../people/access.operator.ts';
import { neededToAsk, summaryOf } from './asked-endpoint.ts';
import type { Rules } from './service.ts';

/** A request that waits. */
export const showRequest = (
  approval: Approval,
  operator: Operator,
  now: Instant,
  rules: Rules,
): Given<WaitingRequestView> => ({
  ...approval,
  endpoint: approval.asked?.endpoint ?? null,
  summary: summaryOf(approval),
  notByYou: notBy(approval, operator, now, rules),
  fetcher: rules.fetcher(approval),
  allowedActions: approvalActions(
    approval,
    neededToAsk(approval),
    { fetcher: rules.fetcher(approval), giver: rules.giver(approval, operator.actor) },
    operator,
    now,
  ),
});

function notBy(
  approval: Approval,
  { actor, capabilities }: Operator,
  now: Instant,
  rules: Rules,
): string | null {
  if (!capabilities.has('approve')) return null;
  const objection = refuseApproval(approval, actor, now) ?? rules.giver(approval, actor);
  return objection?.refusal.code === 'second-operator' ? objection.refusal.message : null;
}
