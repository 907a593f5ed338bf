import {
  type ListMemberOrders,
  MEMBER_CONFIRM,
  MEMBER_LIST_ORDERS,
  MEMBER_READ_ORDER,
  MEMBER_REJECT,
  MEMBER_RELEASE,
  MEMBER_REPORT,
  type MemberAction,
  type MemberConfirmation,
  type MemberReason,
} from '@munshi/api';
import { type CommandOf, movesTo, stageOf, type Trigger } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Once } from '../../services/write.ts';
import { listClosedOrders, listOpenOrders, type MemberOrder } from '../../storage/member-orders.ts';
import type { Deps } from '../deps.ts';
import { sendError, sendRefusal } from '../errors.ts';
import {
  exactNumbers,
  jsonMoney,
  jsonTime,
  pageOf,
  positiveMoney,
  sendData,
  sendList,
} from '../json.ts';

interface OrderRoute {
  Params: { orderId: string };
}
type MemberCommand = CommandOf<
  'member-confirm' | 'member-reject' | 'member-report' | 'member-release'
>;

const REASONED = [
  { action: 'reject', kind: 'member-reject', schema: MEMBER_REJECT },
  { action: 'report', kind: 'member-report', schema: MEMBER_REPORT },
  { action: 'release', kind: 'member-release', schema: MEMBER_RELEASE },
] as const;

/**
 * What a member has in hand and had, and what they do with it. Everybody else's orders are not
 * found.
 */
export function orderRoutes(app: FastifyInstance, { database, engine, readers }: Deps): void {
  app.get<{ Querystring: ListMemberOrders }>(
    '/orders',
    { schema: MEMBER_LIST_ORDERS },
    async ({ query, member }, reply) => {
      const { memberId } = member.principal;
      const page = pageOf(query);
      const list = query.state === 'closed' ? listClosedOrders : listOpenOrders;
      const rows = await list(database.pool, {
        memberId,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(
        reply,
        page,
        rows,
        ({ orderId }) => orderId,
        (order) => orderJson(order, memberId),
      );
    },
  );

  app.get<OrderRoute>(
    '/orders/:orderId',
    { schema: MEMBER_READ_ORDER },
    async ({ params, member }, reply) => {
      const { memberId } = member.principal;
      const order = await readers.memberOrder({ memberId, orderId: params.orderId });
      return order === undefined
        ? sendError(reply, 404, 'Order not found.')
        : sendData(reply, orderJson(order, memberId));
    },
  );

  const confirm = { schema: MEMBER_CONFIRM, preValidation: withoutBody };
  app.post<OrderRoute & { Body: MemberConfirmation }>(
    '/orders/:orderId/confirm',
    confirm,
    async (request, reply) => {
      const { receivedAmount = null } = exactNumbers(request, { receivedAmount: positiveMoney });
      const { memberId } = request.member.principal;
      const transactionReference = request.body.transactionReference?.trim() ?? null;
      const { commandId } = request.once;
      const command = {
        kind: 'member-confirm',
        commandId,
        orderId: request.params.orderId,
        memberId,
        receivedAmount,
        transactionReference,
      } as const;
      return submit(reply, command, request.once);
    },
  );

  for (const { action, kind, schema } of REASONED) {
    app.post<OrderRoute & { Body: MemberReason }>(
      `/orders/:orderId/${action}`,
      { schema },
      async ({ params, body, member, once }, reply) => {
        const { memberId } = member.principal;
        return submit(
          reply,
          {
            kind,
            commandId: once.commandId,
            orderId: params.orderId,
            memberId,
            reason: body.reason.trim(),
          },
          once,
        );
      },
    );
  }

  async function submit(reply: FastifyReply, command: MemberCommand, once: Once) {
    const decision = await engine.submit(command, once);
    if (!decision.ok) return sendRefusal(reply, decision.refusal);
    const order = decision.result;
    const accountId = order.memberId === command.memberId ? order.accountId : null;
    const account = accountId === null ? undefined : await readers.account(accountId);
    return sendData(reply, orderJson({ ...order, account: account ?? null }, command.memberId));
  }
}

/** Both fields may be left out, and the body with them. */
const withoutBody = async (request: FastifyRequest) => {
  request.body ??= {};
};

const TRIGGERS: Readonly<Record<MemberAction, Trigger>> = {
  confirm: 'member-confirmed',
  reject: 'member-rejected',
  report: 'member-reported',
  release: 'member-released',
};

/**
 * By the spec's tables; a withdrawal in review still takes words, and one handed on takes nothing
 * else (D36).
 */
function allowedActions(order: MemberOrder, handedOver: boolean): readonly MemberAction[] {
  const { orderType, status } = order;
  const actions = (Object.keys(TRIGGERS) as MemberAction[]).filter(
    (action) => movesTo(orderType, status, TRIGGERS[action]).length > 0,
  );
  if (orderType === 'Withdrawal' && status === 'ManualReview') actions.push('report');
  return handedOver ? actions.filter((action) => action === 'report') : actions;
}

const accountJson = ({
  accountId,
  walletType,
  accountNumber,
  accountTitle,
}: NonNullable<MemberOrder['account']>) => ({
  accountId,
  walletType,
  accountNumber,
  accountTitle,
});

function orderJson(order: MemberOrder, memberId: string) {
  const handedOver = order.memberId !== memberId;
  const { orderId, orderReference, orderType, walletType, currency, status } = order;
  return {
    orderId,
    orderReference,
    orderType,
    walletType,
    amount: jsonMoney(order.amount),
    currency,
    floatAmount: jsonMoney(order.floatAmount),
    status,
    stage: stageOf(order),
    account: order.account && accountJson(order.account),
    customerAccountNumber: order.customerAccountNumber,
    customerAccountName: order.customerAccountName,
    payerAccount: order.payerAccount,
    transactionDigits: order.transactionDigits,
    transactionReference: handedOver ? null : order.memberTransactionReference,
    handedOver,
    createdAt: jsonTime(order.createdAt),
    assignedAt: handedOver ? null : jsonTime(order.holderSince),
    sentAt: jsonTime(order.sentAt),
    completedAt: jsonTime(order.completedAt),
    failedAt: jsonTime(order.failedAt),
    failureReason: handedOver ? null : order.failureReason,
    dueAt: handedOver ? null : jsonTime(order.dueAt),
    allowedActions: allowedActions(order, handedOver),
  };
}
