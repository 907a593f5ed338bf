import {
  MEMBER_CONFIRM,
  MEMBER_LIST_ORDERS,
  MEMBER_MONEY_SEEN,
  MEMBER_NOTE,
  MEMBER_READ_ORDER,
  MEMBER_REJECT,
  MEMBER_RELEASE,
  MEMBER_REPORT,
  MEMBER_SEEN,
  MEMBER_SENDING,
  type MemberOrderView,
  type QueryOf,
} from '@munshi/api';
import {
  type CommandOf,
  type Instant,
  MEMBER_ACTIONS,
  type Money,
  memberMay,
  readOrderSearch,
  stageOf,
  usesCapacity,
} from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { seen } from '../../services/alerts.ts';
import { accepted, found } from '../../services/refusals.ts';
import { refusingSlow } from '../../services/slow.ts';
import type { Once } from '../../services/write.ts';
import { type Duplicate, findDuplicates } from '../../storage/duplicates.ts';
import { withinTime } from '../../storage/limited.ts';
import { findClosedOrders, type HistoryFilters } from '../../storage/member-history.ts';
import {
  listClosedOrders,
  listOpenOrders,
  type MemberOrder,
  type MemberOrderQuestion,
} from '../../storage/member-orders.ts';
import { type MemberMarks, readMemberMarks } from '../../storage/order-alerts.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import {
  exactNumbers,
  jsonMoney,
  jsonMoneyOrNull,
  jsonTime,
  positiveMoney,
  readTime,
} from '../values.ts';

type MemberCommand = CommandOf<
  | 'member-confirm'
  | 'member-note'
  | 'member-reject'
  | 'member-release'
  | 'member-report'
  | 'member-sending'
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

  bind(app, MEMBER_READ_ORDER, async ({ params, member }) => ({
    data: await readOne(params.orderId, member.principal.memberId),
  }));

  async function readOne(orderId: string, memberId: string): Promise<MemberOrderView> {
    const order = found(await readers.memberOrder({ memberId, orderId }), 'Order');
    return (await readShowing([order], memberId))(order);
  }

  function listOrders(asked: MemberOrderQuestion, query: QueryOf<typeof MEMBER_LIST_ORDERS>) {
    const { pool } = database;
    if (query.state !== 'closed') return listOpenOrders(pool, asked);
    const filters = filtersOf(query, clock.now());
    if (Object.values(filters).every((filter) => filter === null))
      return listClosedOrders(pool, asked);
    return refusingSlow(
      () => 'Choose a shorter time with `from` and `to`.',
      () => withinTime(pool, (client) => findClosedOrders(client, asked, filters)),
    );
  }

  /**
   * How these orders are shown to the member who reads them. Duplicates, and what the member has
   * said, are looked for where they have to decide: what a decision answers needs none.
   */
  async function readShowing(orders: readonly MemberOrder[], memberId: string) {
    const undecided = orders.filter((order) => memberMay('reject', order, memberId));
    const ids = undecided.filter(({ sentAt }) => sentAt !== null).map(({ orderId }) => orderId);
    const byOrder = Map.groupBy(await findDuplicates(database.pool, ids), ({ of }) => of);
    const inHand = orders.filter((order) => isInHandOf(order, memberId));
    const inHandIds = inHand.map(({ orderId }) => orderId);
    const marks = await readMemberMarks(database.pool, inHandIds, memberId);
    return (order: MemberOrder) =>
      showOrder(order, memberId, byOrder.get(order.orderId), marks.get(order.orderId));
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

  bind(app, MEMBER_NOTE, async (request) => {
    const { receivedAmount } = exactNumbers(request, { receivedAmount: positiveMoney });
    const about = { kind: 'otherAmount', amount: receivedAmount as Money } as const;
    return { data: await note(request, about) };
  });
  bind(app, MEMBER_MONEY_SEEN, async (request) => ({
    data: await note(request, { kind: 'moneySeen' }),
  }));
  bind(app, MEMBER_SENDING, async (request) => {
    const command = { kind: 'member-sending', ...identityOf(request) } as const;
    return { data: await submitAndRead(command, request.once) };
  });

  bind(app, MEMBER_SEEN, async ({ params: { orderId }, member }) => {
    const { memberId } = member.principal;
    const order = found(await readers.memberOrder({ memberId, orderId }), 'Order');
    const at = order.memberId === memberId ? await seen({ database, clock }, order) : undefined;
    return {
      data: {
        orderId,
        seenAt: jsonTime(at?.seenAt ?? null),
        seenAfterMs: at === undefined ? null : at.seenAt - at.alertedAt,
      },
    };
  });

  function note(
    request: OrderRequest & { readonly body: { readonly note?: string | null } },
    about: CommandOf<'member-note'>['about'],
  ) {
    const text = request.body.note?.trim() ?? null;
    const command = { kind: 'member-note', ...identityOf(request), about, text } as const;
    return submitAndRead(command, request.once);
  }

  /** For what leaves the order in hand. */
  async function submitAndRead(command: MemberCommand, once: Once): Promise<MemberOrderView> {
    accepted(await engine.submit(command, once));
    return readOne(command.orderId, command.memberId);
  }

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

type OrderRequest = Pick<FastifyRequest, 'member' | 'once'> & {
  readonly params: { readonly orderId: string };
};

const identityOf = ({ params, member, once }: OrderRequest) => ({
  commandId: once.commandId,
  orderId: params.orderId,
  memberId: member.principal.memberId,
});

const reasoned = (request: OrderRequest & { readonly body: { readonly reason: string } }) => ({
  ...identityOf(request),
  reason: request.body.reason.trim(),
});

const isInHandOf = (order: MemberOrder, memberId: string) =>
  order.memberId === memberId && usesCapacity(order.status);

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

const NO_MARKS: MemberMarks = { told: [], sendingSince: null, seenAt: null };

function showOrder(
  order: MemberOrder,
  memberId: string,
  duplicates: readonly Duplicate[] = [],
  { told, sendingSince, seenAt }: MemberMarks = NO_MARKS,
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
    told: told.map(({ kind, amount, note, at }) => ({
      kind,
      amount: jsonMoneyOrNull(amount),
      note,
      at: jsonTime(at),
    })),
    sendingSince: jsonTime(sendingSince),
    seenAt: jsonTime(seenAt),
    allowedActions: MEMBER_ACTIONS.filter((action) => memberMay(action, order, memberId)),
  };
}
