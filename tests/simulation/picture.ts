import { plain } from './model/arithmetic.ts';
import { heldBy, heldOf, usedToday } from './model/matching.ts';
import { floatOf, reservedOf, settlementOf } from './model/money.ts';
import type {
  Cause,
  Holder,
  Model,
  ModelMember,
  ModelNote,
  ModelOrder,
  ModelRequest,
  Verdict,
} from './model/state.ts';
import { stageOf } from './model/tables.ts';

/**
 * One thing as everybody can see it, in words and numbers that compare; model and service each draw
 * their own.
 */
export type Picture = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function orderPicture(order: ModelOrder): Picture {
  const { terms } = order;
  return {
    merchant: order.merchant,
    orderType: terms.kind,
    walletType: order.method,
    currency: terms.currency,
    amount: plain(order.amount),
    fee: order.fee === null ? null : plain(order.fee),
    settlement: plain(settlementOf(order)),
    float: plain(floatOf(order)),
    reference: terms.reference,
    status: order.status,
    stage: stageOf(order.status, terms.kind, order.sentAt !== null),
    member: order.member,
    account: order.memberAccount,
    reassignments: order.reassignments,
    createdAt: order.createdAt,
    expiresAt: order.createdAt + 15 * 60_000,
    awaitingAt: order.awaitingAt,
    assignedAt: order.assignedAt,
    sentAt: order.sentAt,
    completedAt: order.completedAt,
    rejectedAt: order.rejectedAt,
    failedAt: order.failedAt,
    cancelledAt: order.cancelledAt,
    dueAt: order.dueAt,
    digits: order.digits,
    settlements: order.completedAt === null ? 0 : 1,
    events: order.events.map(({ type, status, at }) => `${type} ${status} ${at}`).join(', '),
    reasons: order.events.map(({ reason }) => reason ?? '').join(', '),
    notes: notesPicture(order.notes),
  };
}

/** What members and the customer have said, in any order. */
export const notesPicture = (notes: readonly ModelNote[]): string =>
  notes
    .map(({ by, kind, amount, text, at }) =>
      [by, kind, amount === null ? '' : plain(amount), text, at].join(' '),
    )
    .toSorted()
    .join(', ');

/** What is kept beside an order by no command: pictures, and when it was seen. */
export const besidePicture = ({ evidence, seen }: ModelOrder): Picture => ({
  evidence: listed(Object.entries(evidence).map(([member, { length }]) => [member, length])),
  seen: listed(Object.entries(seen)),
});

export const listed = (facts: readonly (readonly [string, number])[]): string =>
  facts
    .map((fact) => fact.join(' '))
    .toSorted()
    .join(', ');

export function memberPicture(model: Model, name: string): Picture {
  const member = model.members[name] as ModelMember;
  const own = heldBy(model, name);
  return {
    online: member.online,
    active: member.active,
    maxOpenOrders: member.maxOpenOrders,
    openOrders: own.length,
    float: plain(member.float),
    held: plain(heldOf(own)),
    lastAssigned: member.lastAssigned,
    ...Object.fromEntries(
      Object.entries(member.accounts).map(([account, { approved }]) => [
        account,
        `${approved} ${plain(usedToday(model, account))}`,
      ]),
    ),
  };
}

export function merchantPicture(model: Model, name: string): Picture {
  const { balance, frozen } = model.merchants[name] as Model['merchants'][string];
  const reserved = reservedOf(model, name);
  return {
    balance: plain(balance),
    reserved: plain(reserved),
    available: plain(balance - reserved),
    frozen: plain(frozen),
  };
}

/** What waits for a second operator, or waited. */
export function requestPicture({
  does,
  operator,
  at,
  status,
  decidedBy,
  decidedAt,
}: ModelRequest): Picture {
  return { kind: does.kind, operator, at, status, decidedBy, decidedAt };
}

export const settingsPicture = ({ limit, fourEyes }: Model): Picture => ({
  limit: limit === null ? null : plain(limit),
  fourEyes,
});

/** The service is not where the model says it may be. */
export class Divergence extends Error {}

/** Throws where the two pictures differ, naming every part that does. */
export function expectSame(what: string, service: Picture, model: Picture): void {
  const names = new Set([...Object.keys(service), ...Object.keys(model)]);
  const wrong = [...names].filter((name) => service[name] !== model[name]);
  if (wrong.length === 0) return;
  throw new Divergence(
    `${what}: ${wrong.map((name) => `${name} is ${service[name]}, the model says ${model[name]}`).join('; ')}`,
  );
}

/** Throws where the service answered what the model does not. */
export function expectAnswer(
  { answers, message }: Verdict,
  answer: 'ok' | 'pending' | Cause,
  text: string | undefined,
): void {
  if (!answers.includes(answer))
    throw new Divergence(`answered ${answer}, the model says ${answers.join(' or ')}`);
  if (text !== undefined && message !== undefined && text !== message)
    throw new Divergence(`answered "${text}", the model says "${message}"`);
}

/** Throws where a creation was answered with another order than the model's. */
export function expectOrder(ids: string[], { number }: ModelOrder, id: string | undefined): void {
  if (id !== undefined) ids[number] ??= id;
  if (id === undefined || ids.indexOf(id) !== number)
    throw new Divergence(`answered order ${ids.indexOf(id ?? '')}, the model says ${number}`);
}

/** What the service chose, if the model allows it. */
export function followed(
  order: ModelOrder,
  allowed: readonly Holder[],
  chosen: { memberId: string | null; accountId: string | null } | undefined,
): Holder {
  const holder = allowed.find(
    ({ member, account }) => member === chosen?.memberId && account === chosen.accountId,
  );
  if (holder !== undefined) return holder;
  const names = allowed.map(({ account }) => account).join(' or ');
  throw new Divergence(
    `order ${order.number} went to ${chosen?.accountId ?? 'nobody'}, the model says ${names}`,
  );
}
