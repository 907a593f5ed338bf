import * as api from '@munshi/api';
import { endpointsOf, type Given, type WaitingRequestView } from '@munshi/api';
import {
  type Approval,
  approvalActions,
  type Instant,
  includesRole,
  type KeyFetchers,
  refuseApproval,
  roleToApprove,
} from '@munshi/core';
import { askingOperator, type Operator } from '../people/access.operator.ts';
import type { readDependence } from './service.ts';

const SUMMARIES = new Map(
  endpointsOf(api).map(([, { face, method, path, summary }]) => [
    `${face} ${method} ${path}`,
    summary,
  ]),
);
const summaryOf = ({ asked }: Approval): string | null =>
  asked === null ? null : (SUMMARIES.get(`operator ${asked.endpoint}`) ?? null);

/** A request that waits. */
export const showRequest = (
  approval: Approval,
  operator: Operator,
  now: Instant,
  dependent: Dependence,
  fetchers?: KeyFetchers,
): Given<WaitingRequestView> => ({
  ...approval,
  endpoint: approval.asked?.endpoint ?? null,
  summary: summaryOf(approval),
  notByYou: notBy(approval, operator, now, dependent),
  allowedActions: approvalActions(
    approval,
    askingOperator(operator),
    now,
    dependent(approval, operator.actor),
    fetchers,
  ),
});

export type Dependence = Awaited<ReturnType<typeof readDependence>>;

function notBy(
  approval: Approval,
  { actor, role }: Operator,
  now: Instant,
  dependent: Dependence,
): string | null {
  if (!includesRole(role, roleToApprove(approval))) return null;
  const objection = refuseApproval(approval, actor, now) ?? dependent(approval, actor);
  return objection?.refusal.code === 'second-operator' ? objection.refusal.message : null;
}
