import {
  CREATE_SANDBOX_ORDER,
  type Given,
  PLAY_CUSTOMER,
  PLAY_MEMBER,
  PLAY_PRESENCE,
  READ_SANDBOX_ORDER,
  type SandboxOrderView,
} from '@munshi/api';
import { customerActions, MEMBER_DECISIONS, METHODS, memberMay, stageOf } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { paymentPageUrl } from '../orders/payment-page-url.ts';
import { callerOf } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import {
  createPlayedOrder,
  type PlayedOrder,
  playCustomer,
  playMember,
  playPresence,
  readPlayed,
} from './service.ts';

/** Merchant, customer and member, played by an admin: with a sandbox clock alone. */
export function sandboxRoutes(app: FastifyInstance, deps: Deps): void {
  if (!deps.clock.sandbox) return;
  const show = async (orderId: string) => ({
    data: showPlayed(await readPlayed(deps, orderId), deps),
  });

  bind(app, CREATE_SANDBOX_ORDER, async (request) => {
    const { merchantId } = request.body;
    const sent = request.sourceMembers ?? new Map();
    return show(await createPlayedOrder(deps, callerOf(request), merchantId, sent));
  });

  bind(app, READ_SANDBOX_ORDER, async ({ params }) => show(params.orderId));

  bind(app, PLAY_CUSTOMER, async (request) => {
    const { orderId } = request.params;
    await playCustomer(deps, callerOf(request), orderId, request.body);
    return show(orderId);
  });

  bind(app, PLAY_MEMBER, async (request) => {
    const { orderId } = request.params;
    await playMember(deps, callerOf(request), orderId, request.body);
    return show(orderId);
  });

  bind(app, PLAY_PRESENCE, async (request) => {
    const { memberId } = request.params;
    const online = await playPresence(deps, callerOf(request), memberId, request.body.online);
    return { data: { memberId, online } };
  });
}

function showPlayed(
  { order, merchantName, member }: PlayedOrder,
  deps: Deps,
): Given<SandboxOrderView> {
  const { orderType, walletType } = order;
  return {
    ...order,
    stage: stageOf(order),
    merchantName,
    paymentPageUrl: paymentPageUrl(order, deps),
    customer: {
      allowedActions: customerActions(order, deps.clock.now()),
      asksFor: orderType === 'Withdrawal' ? null : METHODS[walletType].submission,
      transactionDigits: order.txnRefDigitsRequired,
    },
    member:
      member === undefined
        ? null
        : {
            ...member,
            allowedActions: MEMBER_DECISIONS.filter((action) =>
              memberMay(action, order, member.memberId),
            ),
          },
  };
}
