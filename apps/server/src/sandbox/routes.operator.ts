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
import { paymentPageUrl } from '../orders/payment-page-url.ts';
import type { OperatorFace } from '../people/access.operator.ts';
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
export function sandboxRoutes(face: OperatorFace, deps: Deps): void {
  if (!deps.clock.sandbox) return;
  const show = async (orderId: string) => ({
    data: showPlayed(await readPlayed(deps, orderId), deps),
  });

  bind(face, CREATE_SANDBOX_ORDER, async (request, caller) => {
    const { merchantId } = request.body;
    const sent = request.sourceMembers ?? new Map();
    return show(await createPlayedOrder(deps, caller, merchantId, sent));
  });

  bind(face, READ_SANDBOX_ORDER, async ({ params }) => show(params.orderId));

  bind(face, PLAY_CUSTOMER, async (request, caller) => {
    const { orderId } = request.params;
    await playCustomer(deps, caller, orderId, request.body);
    return show(orderId);
  });

  bind(face, PLAY_MEMBER, async (request, caller) => {
    const { orderId } = request.params;
    await playMember(deps, caller, orderId, request.body);
    return show(orderId);
  });

  bind(face, PLAY_PRESENCE, async (request, caller) => {
    const { memberId } = request.params;
    const online = await playPresence(deps, caller, memberId, request.body.online);
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
