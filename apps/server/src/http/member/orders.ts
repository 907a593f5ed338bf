import {
  MEMBER_CONFIRM,
  MEMBER_LIST_ORDERS,
  MEMBER_READ_ORDER,
  MEMBER_REJECT,
  MEMBER_RELEASE,
  MEMBER_REPORT,
  type MemberOrderView,
  type QueryOf,
} from '@munshi/api';
import {
  type CommandOf,
  type Instant,
  MEMBER_ACTIONS,
  memberMay,
  readOrderSearch,
  stageOf,
} from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accepted, found } from '../../services/refusals.ts';
import type { Once } from '../../services/write.ts';
import { type Duplicate, findDuplicates } from '../../storage/duplicates.ts';
import { findClosedOrders, type HistoryFilters } from '../../storage/member-history.ts';
import {
  listClosedOrders,
  listOpenOrders,
  type MemberOrder,
  type MemberOrderQuestion,
} from '../../storage/member-orders.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { exactNumbers, jsonMoney, jsonTime, positiveMoney, readTime } from '../values.ts';

type MemberCommand = CommandOf<
  'member-confirm' | 'member-reject' | 'member-report' | 'member-release'
>;

const REASONED = [
  { kind: 'member-report', endpoint: MEMBER_REPORT },
  { kind: 'member-release', endpoint: MEMBER_RELEASE },
] as const;

/**
 * What a member has in hand and had, and what they do with it. Everybody else's orders are not
 * found.
 */
export function orderRoutes(
  app: FastifyInstance,
  { database, engine, readers, clock }: Deps,
): void {
  bind(app, MEMBER_LIST_ORDERS, async ({ query, member }) => {
    const { memberId } = member.principal;
    const page = pageOf(query);
    const asked = { memberId, after: page.after, limit: page.limit + 1 };
    const orders = await listOrders(asked, query);
    const show = await readShowing(orders, memberId);
    return pageAnswer(page, orders, ({ orderId }) => orderId, show);
  });

  bind(app, MEMBER_READ_ORDER, async ({ params, member }) => {
    const { memberId } = member.principal;
    const order = await readers.memberOrder({ memberId, orderId: params.orderId });
    const show = await readShowing([found(order, 'Order')], memberId);
    return { data: show(found(order, 'Order')) };
  });

  function listOrders(asked: MemberOrderQuestion, query: QueryOf<typeof MEMBER_LIST_ORDERS>) {
    if (query.state !== 'closed') return listOpenOrders(database.pool, asked);
    const filters = filtersOf(query, clock.now());
    return Object.values(filters).every((filter) => filter === null)
      ? listClosedOrders(database.pool, asked)
      : findClosedOrders(database.pool, asked, filters);
  }

  /**
   * How these orders are shown to the member who reads them. Duplicates are looked for where the
   * member has to decide: what a decision answers needs none.
   */
  async function readShowing(orders: readonly MemberOrder[], memberId: string) {
    const undecided = orders.filter((order) => memberMay('reject', order, memberId));
    const ids = undecided.filter(({ sentAt }) => sentAt !== null).map(({ orderId }) => orderId);
    const byOrder = Map.groupBy(await findDuplicates(database.pool, ids), ({ of }) => of);
    return (order: MemberOrder) => showOrder(order, memberId, byOrder.get(order.orderId));
  }

  bind(
    app,
    MEMBER_CONFIRM,
    async (request) => {
      const { receivedAmount = null } = exactNumbers(request, { receivedAmount: positiveMoney });
      const { params, member, body, once } = request;
      const command = {
        kind: 'member-confirm',
        commandId: once.commandId,
        orderId: params.orderId,
        memberId: member.principal.memberId,
        receivedAmount,
        transactionReference: body.transactionReference?.trim() ?? null,
      } as const;
      return { data: await submit(command, once) };
    },
    { preValidation: withoutBody },
  );

  bind(app, MEMBER_REJECT, async (request) => {
    const { reasonCode } = request.body;
    const command = { kind: 'member-reject', ...reasoned(request), reasonCode } as const;
    return { data: await submit(command, request.once) };
  });

  for (const { kind, endpoint } of REASONED)
    bind(app, endpoint, async (request) => ({
      data: await submit({ kind, ...reasoned(request) }, request.once),
    }));

  async function submit(command: MemberCommand, once: Once): Promise<MemberOrderView> {
    const order = accepted(await engine.submit(command, once));
    const accountId = order.memberId === command.memberId ? order.accountId : null;
    const account = accountId === null ? undefined : await readers.account(accountId);
    return showOrder({ ...order, account: account ?? null }, command.memberId);
  }
}

function filtersOf(query: QueryOf<typeof MEMBER_LIST_ORDERS>, now: Instant): HistoryFilters {
  const text = query.search?.trim() ?? '';
  return {
    from: readTime('from', query.from) ?? null,
    to: readTime('to', query.to) ?? null,
    accountId: query.accountId ?? null,
    search: text === '' ? null : readOrderSearch(text, { now, utcOffset: 0 }),
  };
}

const reasoned = ({
  params,
  body,
  member,
  once,
}: Pick<FastifyRequest, 'member' | 'once'> & {
  readonly params: { readonly orderId: string };
  readonly body: { readonly reason: string };
}) => ({
  commandId: once.commandId,
  orderId: params.orderId,
  memberId: member.principal.memberId,
  reason: body.reason.trim(),
});

/** Both fields may be left out, and the body with them. */
const withoutBody = async (request: FastifyRequest) => {
  request.body ??= {};
};

const showAccount = ({
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

/** What another member has in hand is told by nothing but that there is something (D75). */
const showDuplicates = (
  duplicates: readonly Duplicate[],
  memberId: string,
): MemberOrderView['duplicates'] => {
  const own = duplicates.filter((duplicate) => duplicate.memberId === memberId);
  return {
    own: own.map(({ orderId, orderReference, amount, currency, status, sentAt }) => ({
      orderId,
      orderReference,
      amount: jsonMoney(amount),
      currency,
      status,
      sentAt: jsonTime(sentAt),
    })),
    elsewhere: own.length < duplicates.length,
  };
};

function showOrder(
  order: MemberOrder,
  memberId: string,
  duplicates: readonly Duplicate[] = [],
): MemberOrderView {
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
    account: order.account && showAccount(order.account),
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
    reasonCode: handedOver ? null : order.reasonCode,
    dueAt: handedOver ? null : jsonTime(order.dueAt),
    duplicates: showDuplicates(duplicates, memberId),
    allowedActions: MEMBER_ACTIONS.filter((action) => memberMay(action, order, memberId)),
  };
}
