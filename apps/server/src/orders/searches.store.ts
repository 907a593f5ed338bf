import {
  amountsRoundedTo,
  type Currency,
  formatMoney,
  type Instant,
  kindsOfSearch,
  type Money,
  ORDER_TYPES,
  type OrderSearch,
  type OrderSearchKind,
  type OrderType,
  type Period,
  STATUS,
  STATUSES,
  type Stage,
  type Status,
  usesCapacity,
  WALLET_CURRENCY,
  WALLET_TYPES,
  type WalletType,
} from '@munshi/core';
import { GIVEN_UP } from '../engine/rows/deliveries.ts';
import { ENDED_OR_LEGACY, IN_HAND, oneMember, statusList } from '../engine/rows/order-statuses.ts';
import { isSentFor } from '../engine/rows/payable.ts';
import { idsOfPage } from '../platform/database/first-id.ts';
import { time } from '../platform/database/rows.ts';
import { accountKeyOf, transactionKeyOf } from '../platform/database/search-key.ts';

/** The selects by which lists of orders are found, each by an index that fits what is asked. */

/**
 * Which orders; undefined asks nothing. Values of one filter are alternatives, filters are all
 * held.
 */
export interface OrderFilters {
  readonly status?: readonly Status[] | undefined;
  readonly stage?: readonly Stage[] | undefined;
  readonly orderType?: OrderType | undefined;
  readonly walletType?: readonly WalletType[] | undefined;
  readonly currency?: readonly Currency[] | undefined;
  readonly merchantId?: string | undefined;
  /** Who holds the order, or held it last. */
  readonly memberId?: string | undefined;
  /** Created at this time or later. */
  readonly from?: Instant | undefined;
  /** Created before this time. */
  readonly to?: Instant | undefined;
  /** In the order's currency, both included. */
  readonly amountFrom?: Money | undefined;
  readonly amountTo?: Money | undefined;
  /** Open orders whose deadline is at this time or later. */
  readonly dueFrom?: Instant | undefined;
  /** Open orders whose deadline is before this time. */
  readonly dueTo?: Instant | undefined;
  /** Whether the customer says that they paid late. */
  readonly hasLateClaim?: boolean | undefined;
  /** Whether a webhook of it has failed and is retried or abandoned. */
  readonly hasFailingWebhook?: boolean | undefined;
  readonly search?: TextSearch | undefined;
}

/** A text that is looked for, and how. */
export interface TextSearch {
  readonly what: OrderSearch;
  /** What the asker may search by. */
  readonly by: readonly OrderSearchKind[];
  /** The first of the newest orders, where some kinds are looked for; undefined: all are. */
  readonly newestFrom?: string | undefined;
}

/** Adds a parameter to the statement and answers its place in the text. */
export type Given = (value: unknown) => string;

/**
 * One of the selects that together find the orders, each by an index of its own: the newest orders
 * under these conditions, for each row of a source of their values where there is one.
 */
export interface Search {
  readonly where: readonly string[];
  readonly each?: string;
  /** In place of the table. */
  readonly from?: string;
  readonly order?: string;
  /**
   * Its conditions bound the ids, or say the kind. They are not said twice: planned by those, it
   * would go through all orders from the newest on.
   */
  readonly says?: readonly ('ids' | 'kind')[];
}

/** What every search of a list is held to, as SQL. */
interface Asked {
  readonly filters: OrderFilters;
  readonly given: Given;
  /** The first id, and the one behind the last. */
  readonly first: string;
  readonly last: string;
}

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

/** Found by the index on their deadline: what is open, but for what an operator has in review. */
const hasDeadline = (status: Status) => usesCapacity(status) && status !== 'ManualReview';

/**
 * Open orders are few, and are looked through whole: `offset 0` keeps the planner from going
 * through all orders instead, from the newest on.
 */
const WITH_DEADLINE = `(
      select *
      from orders
      where due_at is not null and status in ${statusList(STATUSES.filter(hasDeadline))}
      offset 0
    )`;
const OPEN_ORDERS = `(
      select *
      from orders
      where due_at is not null and status in ${statusList(STATUSES.filter(hasDeadline))}
      union all
      select *
      from orders
      where status = 'ManualReview'
      offset 0
    )`;

const CLAIMED = '(select distinct order_id from late_claims) c';
const FAILING = `(
      select order_id from delivery_queue where attempts > 0
      union
      select order_id from deliveries where abandoned
    ) f`;

/**
 * The newest of each key are next to each other in an index that begins with it. The first column
 * is one of a list of one and stands in the order, so that no other index can serve: with `=`
 * Postgres would go back from the newest order on, through all of them however few have the key.
 * The others are equal: compared as one row, Postgres 15 to 17 read on to the end of the index
 * where a key has no order (decision 28).
 */
function inOrderOf(
  columns: readonly [string, ...string[]],
  keys: readonly [string, ...string[]],
  { first, last }: Asked,
): Search {
  const [column, ...others] = columns;
  const [key, ...otherKeys] = keys;
  return {
    says: ['ids'],
    where: [
      `${column} = any(array[${key}])`,
      ...others.map((other, at) => `${other} = ${otherKeys[at]}`),
      `o.order_id >= ${first}`,
      `o.order_id < ${last}`,
    ],
    order: `${column} desc, o.order_id desc`,
  };
}

/** Ended orders by a key of theirs (migration 0006). */
function endedBy(
  column: string,
  each: string,
  asked: Asked,
  conditions: readonly string[] = [],
): Search {
  const ordered = inOrderOf([column], ['k.key'], asked);
  return {
    ...ordered,
    each,
    where: [`o.status in ${ENDED_OR_LEGACY}`, ...conditions, ...ordered.where],
  };
}

const keysOf = (values: readonly string[], type: string, given: Given) =>
  `unnest(${given(values)}::${type}[]) as k (key)`;

const searchForAmount = (amount: Money, asked: Asked): Search =>
  endedBy('o.amount', keysOf([formatMoney(amount)], 'numeric', asked.given), asked);

/** Ended orders of which this is payable, and not their amount. */
const searchesForRounded = (payable: Money, asked: Asked): readonly Search[] =>
  ORDER_TYPES.map((orderType) => {
    const amounts = amountsRoundedTo(payable, orderType).map(formatMoney);
    const each = keysOf(amounts, 'numeric', asked.given);
    return endedBy('o.amount', each, asked, [`o.order_type = '${orderType}'`]);
  });

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

// ---- By anything

const SHORT = 'right(o.order_reference, 6)';
const ACCOUNT = 'coalesce(o.customer_account_number, o.payer_account)';
const ACCOUNT_END = `right(${accountKeyOf(ACCOUNT)}, 4)`;
const TRANSACTION = 'o.member_transaction_reference';

/** Accounts that bear one number; more are not looked for. */
const ACCOUNTS_MAX = 50;
const CLAIMS_MAX = 1_000;

/** What one kind of a search is looked for by. */
interface Finds {
  /** Among ended orders, or all of them. */
  readonly searches?: readonly Search[];
  /** As a condition on open orders, which are looked through. */
  readonly open?: string | undefined;
}

/** How a text is looked for as each thing that it may be. */
const BY_KIND: {
  readonly [Kind in OrderSearchKind]: (
    text: NonNullable<OrderSearch[Kind]>,
    asked: Asked & { readonly newestFrom: string | undefined },
  ) => Finds;
} = {
  orderId: (id, { given }) => ({ searches: [{ where: [`o.order_id = ${given(id)}`] }] }),
  reference: (typed, asked) => ({
    searches: [{ each: referredTo(typed, asked), where: ['o.order_id = r.order_id'] }],
  }),
  shortEnd: (end, asked) => ({
    searches: [endedBy(SHORT, keysOf([end], 'text', asked.given), asked)],
    open: `${SHORT} = ${asked.given(end)}`,
  }),
  merchantReferenceEnd: (end, asked) => ({
    searches: [{ from: endingWith(end, asked), where: [] }],
    open: `starts_with(${BACKWARDS}, reverse(lower(${asked.given(end)})))`,
  }),
  account: (key, asked) => findByAccount(key, asked),
  accountEnd: (end, asked) => ({
    searches: [
      endedBy(ACCOUNT_END, keysOf([end], 'text', asked.given), asked, [`${ACCOUNT} is not null`]),
    ],
    open: `${ACCOUNT_END} = ${asked.given(end)}`,
  }),
  transaction: (key, asked) => ({
    searches: [
      endedBy(transactionKeyOf(TRANSACTION), keysOf([key], 'text', asked.given), asked, [
        `${TRANSACTION} is not null`,
      ]),
    ],
    open: `${transactionKeyOf(TRANSACTION)} = ${asked.given(key)}`,
  }),
  digits: ({ ofAny, ofOpen }, asked) => ({
    searches: [
      endedBy('o.transaction_digits', keysOf(ofAny, 'text', asked.given), asked, [
        'o.transaction_digits is not null',
      ]),
      { each: claimsOf(ofAny, asked.given), where: ['o.order_id = c.order_id'] },
    ],
    open: `o.transaction_digits = any(${asked.given([...ofAny, ...ofOpen])}::text[])`,
  }),
  amount: ({ value, created }, asked) => {
    const then = createdIn(created, asked.given);
    return {
      searches: [searchForAmount(value, asked), ...searchesForRounded(value, asked)].map(
        (search) => ({ ...search, where: [...search.where, then] }),
      ),
      open: `(${isSentFor('o', asked.given(formatMoney(value)))} and ${then})`,
    };
  },
  name: (part, asked) => findByName(part, asked),
  referencePart: (part, asked) => amongNewest(hasReferencePart(part, asked.given), asked),
  customerName: (part, asked) => amongNewest(hasCustomerName(part, asked), asked),
};

/** By each thing that the text may be. Open orders are looked through once for all of them. */
function searchesForText({ what, by, newestFrom }: TextSearch, asked: Asked): readonly Search[] {
  const finds = kindsOfSearch(what, by).map((kind) => {
    const find = BY_KIND[kind] as (text: unknown, asked: unknown) => Finds;
    return find(what[kind], { ...asked, newestFrom });
  });
  const open = finds.flatMap((find) => find.open ?? []);
  return [
    ...finds.flatMap(({ searches = [] }) => searches),
    ...(open.length === 0 ? [] : [{ from: OPEN_ORDERS, where: [`(${open.join(' or ')})`] }]),
  ];
}

// Whole values

/**
 * Each is one probe of an index, of what a merchant chooses with the merchant where it is known:
 * others may have chosen the same.
 */
function referredTo(typed: string, { filters, given }: Asked): string {
  const written = [...new Set([typed, typed.toUpperCase(), typed.toLowerCase()])];
  const references = `any(${given(written)}::text[])`;
  const { merchantId } = filters;
  const own = merchantId === undefined ? '' : ` and merchant_id = ${given(merchantId)}`;
  const chosen = [
    `live_reference = ${references}`,
    `merchant_order_ref = ${references} and live_reference is null`,
    `customer_reference = ${references}`,
  ];
  const found = [
    `select order_id from orders where order_reference = upper(${given(typed)})`,
    ...chosen.map((condition) => `select order_id from orders where ${condition}${own}`),
  ];
  return `(
      ${found.join('\n      union\n      ')}
    ) r`;
}

const claimsOf = (digits: readonly string[], given: Given) => `(
      select distinct order_id
      from late_claims
      where transaction_digits = any(${given(digits)}::text[])
      limit ${CLAIMS_MAX}
    ) c`;

function createdIn(created: readonly Period[] | null, given: Given): string {
  if (created === null) return 'true';
  const periods = created.map(
    ({ from, to }) =>
      `(o.created_at >= ${given(time(from))} and o.created_at < ${given(time(to))})`,
  );
  return `(${periods.join(' or ')})`;
}

function findByAccount(key: string, asked: Asked): Finds {
  const { given } = asked;
  const theirs = `select member_id, account_id
      from member_accounts
      where ${accountKeyOf('account_number')} = ${given(key)}
      limit ${ACCOUNTS_MAX}`;
  return {
    searches: [
      endedBy(accountKeyOf(ACCOUNT), keysOf([key], 'text', given), asked, [
        `${ACCOUNT} is not null`,
      ]),
      searchForMembersAccounts(theirs, asked),
    ],
    open: `(${accountKeyOf(ACCOUNT)} = ${given(key)} or o.account_id in (select account_id from (${theirs}) a))`,
  };
}

/** What was paid to these accounts of members, or from them. */
function searchForMembersAccounts(accounts: string, asked: Asked): Search {
  const ordered = inOrderOf(['o.member_id'], ['a.member_id'], asked);
  return {
    ...ordered,
    each: `(
      ${accounts}
    ) a`,
    where: [
      'o.member_id is not null',
      `o.status in ${ENDED_OR_LEGACY}`,
      'o.account_id = a.account_id',
      ...ordered.where,
    ],
  };
}

// Parts

/** As many matches of an end are looked at. */
const ENDINGS_MAX = 1_000;
const BACKWARDS = 'reverse(lower(o.merchant_order_ref)) collate "C"';

/** Ended orders whose merchant's reference ends so: a range of orders_ended_reference_end. */
function endingWith(end: string, { filters, given }: Asked): string {
  const backwards = `reverse(lower(${given(end)}))`;
  const { merchantId } = filters;
  const own = merchantId === undefined ? '' : `\n        and o.merchant_id = ${given(merchantId)}`;
  return `(
      select *
      from orders o
      where o.merchant_order_ref is not null
        and o.status in ${ENDED_OR_LEGACY}
        and ${BACKWARDS} >= ${backwards}
        and ${BACKWARDS} < ${backwards} || chr(1114111)${own}
      order by ${BACKWARDS}
      limit ${ENDINGS_MAX}
    )`;
}

const PEOPLE_MAX = 20;

/**
 * Merchants and members are few: they are found first, then their newest orders. A member is also
 * found by who an account of theirs belongs to.
 */
function findByName(part: string, asked: Asked): Finds {
  const { given, filters } = asked;
  const typed = given(part);
  const hasIt = (column: string) => `strpos(lower(${column}), lower(${typed})) > 0`;
  const members = `(
      select member_id from members where ${hasIt('name')}
      union
      select member_id from member_accounts where ${hasIt('account_title')}
      limit ${PEOPLE_MAX}
    ) p`;
  const merchants = `(
      select merchant_id from merchants where ${hasIt('name')} limit ${PEOPLE_MAX}
    ) p`;
  const ofMembers = inOrderOf(['o.member_id'], ['p.member_id'], asked);
  const ofMerchants = inOrderOf(['o.merchant_id'], ['p.merchant_id'], asked);
  return {
    searches: [
      {
        ...ofMembers,
        each: members,
        where: ['o.member_id is not null', `o.status in ${ENDED_OR_LEGACY}`, ...ofMembers.where],
      },
      ...(filters.merchantId === undefined ? [{ ...ofMerchants, each: merchants }] : []),
    ],
    open: `o.member_id in (select member_id from ${members})`,
  };
}

/** The newest orders are looked through. */
function amongNewest(
  condition: string,
  { given, newestFrom }: { readonly given: Given; readonly newestFrom: string | undefined },
): Finds {
  const where = newestFrom === undefined ? [] : [`o.order_id >= ${given(newestFrom)}`];
  return { searches: [{ where: [...where, condition] }], open: condition };
}

const REFERENCES = `lower(concat_ws(e'\\n', right(o.order_reference, 6), o.merchant_order_ref, o.customer_reference))`;

/**
 * Of our reference the six characters at the end: the rest is a time, of which parts are those of
 * many. Digits are a whole number.
 */
function hasReferencePart(part: string, given: Given): string {
  const asked = given(part);
  const contains = `strpos(${REFERENCES}, lower(${asked})) > 0`;
  return /^\d+$/.test(part)
    ? `(${contains} and ${REFERENCES} ~ ('(?<!\\d)' || ${asked} || '(?!\\d)'))`
    : contains;
}

/** Who the account is of that is paid to, and who paid as the customer says. */
function hasCustomerName(
  part: string,
  { given, first, newestFrom }: Asked & { readonly newestFrom: string | undefined },
): string {
  const asked = `lower(${given(part)})`;
  return `(
          strpos(lower(o.customer_account_name), ${asked}) > 0
          or o.order_id in (
            select n.order_id
            from order_notes n
            where n.kind = 'paidBy'
              and n.order_id >= ${newestFrom === undefined ? first : given(newestFrom)}
              and strpos(lower(n.note), ${asked}) > 0
          )
        )`;
}

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
