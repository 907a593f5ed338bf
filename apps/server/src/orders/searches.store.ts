import {
  type Currency,
  formatMoney,
  ORDER_TYPES,
  STATUS,
  STATUSES,
  type Stage,
  type Status,
  usesCapacity,
  WALLET_CURRENCY,
  WALLET_TYPES,
} from '@munshi/core';
import { GIVEN_UP } from '../engine/rows/deliveries.ts';
import { ENDED_OR_LEGACY, IN_HAND, oneMember, statusList } from '../engine/rows/order-statuses.ts';
import { idsOfPage } from '../platform/database/first-id.ts';
import { time } from '../platform/database/rows.ts';
import {
  type Asked,
  type Given,
  hasDeadline,
  inOrderOf,
  keysOf,
  OPEN_ORDERS,
  type OrderFilters,
  type Search,
  searchForAmount,
  WITH_DEADLINE,
} from './search-selects.store.ts';
import { searchesForText } from './text-searches.store.ts';

/** The selects by which lists of orders are found, each by an index that fits what is asked. */

/** The searches for orders older than `after`. Several may find the same order. */
export function searchesFor(
  filters: OrderFilters,
  after: string | null,
  given: Given,
): readonly Search[] {
  const { first, behind } = idsOf(filters, after);
  const asked: Asked = {
    filters,
    given,
    first: `${given(first)}::uuid`,
    last: `${given(behind)}::uuid`,
  };
  const ids = [`o.order_id >= ${asked.first}`, `o.order_id < ${asked.last}`];
  const drivers = driversOf(asked);
  // What no text uses must not be a parameter.
  const isKindAsked = drivers.some(({ says }) => !says?.includes('kind'));
  const kind = isKindAsked ? kindConditions(filters, given) : [];
  const others = otherConditions(filters, given);
  return drivers.map(({ where, says = [], ...search }) => ({
    ...search,
    where: [
      ...where,
      ...(says.includes('ids') ? [] : ids),
      ...(says.includes('kind') ? [] : kind),
      ...others,
    ],
  }));
}

/** The most selective filter is looked up; the others are checked on what was found. */
function driversOf(asked: Asked): readonly Search[] {
  const { filters } = asked;
  const { search, memberId, merchantId, status, stage, orderType, walletType } = filters;
  if (search !== undefined) return searchesForText(search, asked);
  if (filters.hasFailingWebhook) return [{ each: FAILING, where: ['o.order_id = f.order_id'] }];
  if (filters.hasLateClaim) return [{ each: CLAIMED, where: ['o.order_id = c.order_id'] }];
  if (filters.dueFrom !== undefined || filters.dueTo !== undefined)
    return [{ from: WITH_DEADLINE, where: [] }];
  if (memberId !== undefined) return searchesForMember(memberId, asked);
  if (filters.amountFrom !== undefined || filters.amountTo !== undefined)
    return [searchForAmounts(asked), { from: OPEN_ORDERS, where: [] }];
  if (filters.currency !== undefined && !filters.currency.includes(WALLET_CURRENCY))
    return [searchForForeign(filters.currency, asked)];
  const ofAKind = [status, stage, orderType, walletType].some((filter) => filter !== undefined);
  return ofAKind && merchantId === undefined ? searchesForKind(asked) : [{ where: [] }];
}

// ---- Where orders lie

/** The first id that can be found, and the one behind the last. */
const idsOf = ({ from, to }: OrderFilters, after: string | null) => idsOfPage({ from, to, after });

const CLAIMED = '(select distinct order_id from late_claims) c';
const FAILING = `(
      select order_id from delivery_queue where attempts > 0
      union
      select order_id from deliveries where abandoned
    ) f`;

/** Of a range, either all are read and sorted, or the newest orders until there are enough. */
const searchForAmounts = (asked: Asked): Search => {
  const { amountFrom, amountTo } = asked.filters;
  return amountFrom !== undefined && amountFrom === amountTo
    ? searchForAmount(amountFrom, asked)
    : { where: [`o.status in ${ENDED_OR_LEGACY}`] };
};

/** Written out, so that the index without PKR can be used; the schema has checked them. */
const searchForForeign = (currencies: readonly Currency[], asked: Asked): Search => {
  const ordered = inOrderOf(['o.currency'], ['k.key'], asked);
  return {
    ...ordered,
    each: keysOf(currencies, 'text', asked.given),
    where: [`o.currency <> '${WALLET_CURRENCY}'`, ...ordered.where],
  };
};

// ---- By member and by kind

/**
 * What the member has in hand is found by their accounts, the rest by their history, asked for as
 * in members-of-late.
 */
function searchesForMember(memberId: string, { given }: Asked): readonly Search[] {
  const member = given(memberId);
  const theirAccounts = `o.account_id = any(array(
          select account_id from member_accounts where member_id = ${member}
        ))`;
  return [
    { where: [theirAccounts, `o.status in ${IN_HAND}`] },
    { where: [`o.status in ${ENDED_OR_LEGACY}`], order: 'o.member_id desc, o.order_id desc' },
  ];
}

/** Open orders, those in review, and the ended ones. */
function searchesForKind(asked: Asked): readonly Search[] {
  const { status = STATUSES, stage } = asked.filters;
  const statuses = status.filter(
    (each) => stage === undefined || stage.some((one) => canBe(each, one)),
  );
  const open = statuses.filter(hasDeadline);
  const ended = statuses.filter((each) => !usesCapacity(each));
  const searches: Search[] = [];
  if (open.length > 0)
    searches.push({ where: ['o.due_at is not null', `o.status in ${statusList(open)}`] });
  if (statuses.includes('ManualReview')) searches.push({ where: [`o.status = 'ManualReview'`] });
  if (ended.length > 0) searches.push(searchForEnded(ended, asked));
  return searches;
}

/** Whether orders of a status can be of a stage. */
const canBe = (status: Status, stage: Stage): boolean => {
  const always = STATUS[status].stage;
  return always === undefined ? stage === 'Sent' || stage === 'Assigned' : always === stage;
};

/**
 * The newest of each status, method and type are next to each other in orders_ended. A plan that
 * takes the kinds for equally frequent would go through all orders from the newest on.
 */
function searchForEnded(statuses: readonly Status[], asked: Asked): Search {
  const { given } = asked;
  const { orderType, walletType = WALLET_TYPES } = asked.filters;
  const unnested = (elements: readonly string[], alias: string) =>
    `unnest(${given(elements)}::text[]) as ${alias}`;
  const sources = [
    unnested(statuses, 's (status)'),
    unnested(walletType, 'w (wallet_type)'),
    unnested(orderType === undefined ? ORDER_TYPES : [orderType], 't (order_type)'),
  ];
  const ordered = inOrderOf(
    ['o.status', 'o.wallet_type', 'o.order_type'],
    ['s.status', 'w.wallet_type', 't.order_type'],
    asked,
  );
  return {
    ...ordered,
    says: ['ids', 'kind'],
    each: sources.join(' cross join '),
    where: [`o.status in ${ENDED_OR_LEGACY}`, ...ordered.where],
  };
}

// ---- Filters as conditions

/** Which kinds of orders. */
function kindConditions(filters: OrderFilters, given: Given): readonly string[] {
  const { status, stage, orderType, walletType } = filters;
  const conditions: string[] = [];
  if (status !== undefined) conditions.push(statusCondition(status));
  if (stage !== undefined) conditions.push(stageCondition(stage));
  if (orderType !== undefined) conditions.push(`o.order_type = ${given(orderType)}`);
  if (walletType !== undefined)
    conditions.push(`o.wallet_type = any(${given(walletType)}::text[])`);
  return conditions;
}

/** Whose, when, how much, and what else there is of them. */
function otherConditions(filters: OrderFilters, given: Given): readonly string[] {
  const { currency, merchantId, memberId } = filters;
  const conditions: string[] = [];
  if (currency !== undefined) conditions.push(`o.currency = any(${given(currency)}::text[])`);
  if (merchantId !== undefined) conditions.push(`o.merchant_id = ${given(merchantId)}`);
  if (memberId !== undefined) conditions.push(`o.member_id ${oneMember(given(memberId))}`);
  return [...conditions, ...rangeConditions(filters, given), ...relatedConditions(filters)];
}

function rangeConditions(filters: OrderFilters, given: Given): readonly string[] {
  const { from, to, amountFrom, amountTo, dueFrom, dueTo } = filters;
  const conditions: string[] = [];
  if (from !== undefined) conditions.push(`o.created_at >= ${given(time(from))}`);
  if (to !== undefined) conditions.push(`o.created_at < ${given(time(to))}`);
  if (amountFrom !== undefined)
    conditions.push(`o.amount >= ${given(formatMoney(amountFrom))}::numeric`);
  if (amountTo !== undefined)
    conditions.push(`o.amount <= ${given(formatMoney(amountTo))}::numeric`);
  if (dueFrom !== undefined) conditions.push(`o.due_at >= ${given(time(dueFrom))}`);
  if (dueTo !== undefined) conditions.push(`o.due_at < ${given(time(dueTo))}`);
  return conditions;
}

const HAS_LATE_CLAIM = 'exists (select from late_claims l where l.order_id = o.order_id)';
/** Its latest delivery has failed. */
const HAS_FAILING_WEBHOOK = `(
          exists (select from delivery_queue q where q.order_id = o.order_id and q.attempts > 0)
          or exists (
            select
            from deliveries d
            where d.order_id = o.order_id and ${GIVEN_UP}
          )
        )`;

function relatedConditions({ hasLateClaim, hasFailingWebhook }: OrderFilters): readonly string[] {
  const either = (value: boolean | undefined, condition: string) =>
    value === undefined ? [] : [value ? condition : `not ${condition}`];
  return [
    ...either(hasLateClaim, HAS_LATE_CLAIM),
    ...either(hasFailingWebhook, HAS_FAILING_WEBHOOK),
  ];
}

/** Statuses are written out, so that partial indexes can be used; the schema has checked them. */
function statusCondition(statuses: readonly Status[]): string {
  const open = statuses.filter(hasDeadline);
  const others = statuses.filter((status) => !hasDeadline(status));
  const alternatives: string[] = [];
  if (open.length > 0)
    alternatives.push(`(o.due_at is not null and o.status in ${statusList(open)})`);
  if (others.length > 0) alternatives.push(`o.status in ${statusList(others)}`);
  return alternatives.length === 0 ? 'false' : `(${alternatives.join(' or ')})`;
}

/** Stage is derived from status and, in manual review, from what the customer did. */
function stageCondition(stages: readonly Stage[]): string {
  const statuses = STATUSES.filter((status) =>
    stages.some((stage) => STATUS[status].stage === stage),
  );
  const alternatives = [statusCondition(statuses)];
  const paid = `(o.order_type = 'Deposit' and o.sent_at is not null)`;
  if (stages.includes('Sent')) alternatives.push(`(o.status = 'ManualReview' and ${paid})`);
  if (stages.includes('Assigned')) alternatives.push(`(o.status = 'ManualReview' and not ${paid})`);
  return `(${alternatives.join(' or ')})`;
}
