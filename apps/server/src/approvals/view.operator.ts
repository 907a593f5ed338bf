import type { Given, WaitingRequestView } from '@munshi/api';
import {
  type Approval,
  approvalActions,
  type Currency,
  type Instant,
  MONEY_KINDS,
  money,
  refuseApproval,
} from '@munshi/core';
import { readNames } from '../audit/names.store.ts';
import { approversOf, type Rules, readRules } from '../door/rules.service.ts';
import type { Operator } from '../people/access.operator.ts';
import { type ApproverDeps, readApprovers } from '../people/approvers.service.ts';
import type { Approver } from '../people/operators.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { neededToAsk, summaryOf } from './asked-endpoint.ts';

/** What requests are shown with, read for all of a list at once. */
export interface ShownWith {
  readonly rules: Rules;
  readonly approvers: readonly Approver[];
  /** Of every id in the requests, where it has one. */
  readonly names: ReadonlyMap<string, string>;
}

export async function readShownWith(
  db: Queryable,
  deps: ApproverDeps,
  approvals: readonly Approval[],
): Promise<ShownWith> {
  const rules = await readRules(db, approvals);
  const merchants = approvals.flatMap((one) => rules.order(one)?.merchantId ?? []);
  return {
    rules,
    approvers: await readApprovers(db, deps),
    names: await readNames(db, [...approvals.flatMap(idsOf), ...merchants]),
  };
}

const idsOf = ({ target, request, asked }: Approval): readonly string[] =>
  [target, ...Object.values(request), ...Object.values(asked?.params ?? {})].filter(
    (value) => typeof value === 'string',
  );

/** A request that waits. */
export function showRequest(
  approval: Approval,
  operator: Operator,
  now: Instant,
  { rules, approvers, names }: ShownWith,
): Given<WaitingRequestView> {
  const order = rules.order(approval);
  const isAboutMoney = MONEY_KINDS.some((kind) => kind === approval.kind);
  const { amount } = approval.request;
  return {
    ...approval,
    endpoint: approval.asked?.endpoint ?? null,
    summary: summaryOf(approval),
    names: Object.fromEntries([...names].filter(([id]) => idsOf(approval).includes(id))),
    about: aboutOf(approval, order, names),
    amount: order?.amount ?? (isAboutMoney && typeof amount === 'string' ? money(amount) : null),
    currency: order?.currency ?? (isAboutMoney ? WALLET_CURRENCY : null),
    reason: textOf(approval, 'reason') ?? textOf(approval, 'note'),
    approvers: approversOf(approval, rules, approvers, now),
    notByYou: notBy(approval, operator, now, rules),
    fetcher: rules.fetcher(approval),
    allowedActions: approvalActions(
      approval,
      neededToAsk(approval),
      { fetcher: rules.fetcher(approval), giver: rules.giver(approval, operator.actor) },
      operator,
      now,
    ),
  };
}

const WALLET_CURRENCY: Currency = 'PKR';

const textOf = ({ request }: Approval, name: string): string | null => {
  const value = request[name];
  return typeof value === 'string' ? value : null;
};

/** Whom or what a request is about, by the ids that it has. */
function aboutOf(
  approval: Approval,
  order: ReturnType<Rules['order']>,
  names: ShownWith['names'],
): Given<WaitingRequestView>['about'] {
  const { target, asked } = approval;
  const idOf = (name: string) => textOf(approval, name) ?? asked?.params[name] ?? null;
  const merchantId = order?.merchantId ?? idOf('merchantId');
  const memberId = order === undefined ? idOf('memberId') : null;
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  const isOther = order === undefined && target !== merchantId && target !== memberId;
  return {
    merchantId,
    merchantName: nameOf(merchantId),
    memberId,
    memberName: nameOf(memberId),
    orderId: order?.orderId ?? null,
    orderReference: order?.orderReference ?? null,
    name: isOther
      ? (nameOf(target) ?? textOf(approval, 'name') ?? textOf(approval, 'username'))
      : null,
  };
}

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
