import { CANCEL_ORDER, CONFIRM_ORDER, ESCALATE_ORDER, RESOLVE_ORDER } from '@munshi/api';
import {
  type Approval,
  daySumOf,
  forOperators,
  hasSucceeded,
  type Instant,
  type Order,
} from '@munshi/core';
import type pg from 'pg';
import { submitOrPreview } from '../approvals/effects.ts';
import { moneyWrite } from '../approvals/money-write.ts';
import { closeAnsweredClaims } from '../late-claims/service.ts';
import { lockOrders } from '../orders/store.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { found } from '../platform/refusals.ts';
import { showOrder } from './view.operator.ts';

interface Noted {
  readonly params: { readonly orderId: string };
  readonly body: { readonly note: string; readonly internalNote?: string };
}

/** What operators decide about orders: commands, recorded in the audit log with their effect. */
export function orderActionRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, CANCEL_ORDER, async (request, caller) => {
    const command = {
      kind: 'operator-cancel',
      ...about(request),
      ...by(caller),
      sumOf: daySumOf(caller),
    } as const;
    return submitOrPreview(deps, caller, command, showOrder);
  });

  bind(face, ESCALATE_ORDER, async (request, caller) => {
    const command = { kind: 'operator-escalate', ...about(request), ...by(caller) } as const;
    return submitOrPreview(deps, caller, command, showOrder);
  });
}

/** What waits for a second operator by its amount. */
export const orderWrites = (deps: Deps) => ({
  RESOLVE_ORDER: moneyWrite(deps, RESOLVE_ORDER, {
    kind: 'order-resolve',
    command: 'operator-resolve',
    read: (asked) => ({
      ...about(asked),
      outcome: asked.body.outcome,
      memberId: asked.body.memberId ?? null,
    }),
    explain: (client, { memberId, ...given }) =>
      explain(client, 'order.resolve-request', given.orderId, {
        note: given.note,
        ...(memberId !== null && { memberId }),
        outcome: given.outcome,
        ...forOperators(given),
      }),
    also: closing(deps),
    show: ({ result }) => showOrder(result.order),
    showWaiting,
  }),

  CONFIRM_ORDER: moneyWrite(deps, CONFIRM_ORDER, {
    kind: 'order-confirm',
    command: 'operator-confirm',
    read: (asked) => ({ ...about(asked), memberId: asked.body.memberId ?? null }),
    explain: (client, given) =>
      explain(client, 'order.confirm-request', given.orderId, {
        note: given.note,
        memberId: given.memberId,
        outcome: 'Completed',
        ...forOperators(given),
      }),
    also: closing(deps),
    show: ({ result }) => showOrder(result.order),
    showWaiting,
  }),
});

/** What completes an order answers its late claims. */
const closing =
  (deps: Deps) =>
  async (
    client: pg.PoolClient,
    {
      result: { order },
      command: { note },
    }: { readonly result: { readonly order: Order }; readonly command: { readonly note: string } },
    { actor }: Pick<Operator, 'actor'>,
    at: Instant,
  ) =>
    hasSucceeded(order.status)
      ? closeAnsweredClaims(deps, client, order, { closedBy: actor.id, note, at })
      : {};

const about = ({ params, body }: Noted) => ({
  orderId: params.orderId,
  note: body.note,
  ...forOperators(body),
});

const by = ({ actor, once: { commandId } }: Operator) => ({ actor, commandId });

/** What a second operator is shown of an order, which is locked. Throws `not-found`. */
async function explain(
  client: pg.PoolClient,
  action: 'order.confirm-request' | 'order.resolve-request',
  orderId: string,
  asked: Approval['request'],
) {
  const { orderReference } = found((await lockOrders(client, [orderId]))[0], 'Order');
  const logged = { action, target: orderId };
  return { target: orderId, shown: { orderReference, ...asked }, logged };
}

const showWaiting = ({ target, approvalId, request }: Approval) => ({
  orderId: target,
  status: 'pendingApproval' as const,
  approvalId,
  request,
});
