import {
  amountsRoundedTo,
  formatMoney,
  kindsOfSearch,
  type Money,
  ORDER_TYPES,
  type OrderSearch,
  type OrderSearchKind,
  type Period,
} from '@munshi/core';
import { ENDED_OR_LEGACY } from '../engine/rows/order-statuses.ts';
import { isSentFor } from '../engine/rows/payable.ts';
import { time } from '../platform/database/rows.ts';
import { accountKeyOf, nameKeyOf, transactionKeyOf } from '../platform/database/search-key.ts';
import {
  type Asked,
  endedBy,
  type Given,
  inOrderOf,
  keysOf,
  OPEN_ORDERS,
  type Search,
  searchForAmount,
  type TextSearch,
} from './search-selects.store.ts';

/** The selects by which a text finds orders, as each thing that it may be (decision 28). */

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
  reference: (written, asked) => ({
    searches: [{ each: referredTo(written, asked), where: ['o.order_id = r.order_id'] }],
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
export function searchesForText(
  { what, by, newestFrom }: TextSearch,
  asked: Asked,
): readonly Search[] {
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

// ---- Whole values

/**
 * Each is one probe of an index, of what a merchant chooses with the merchant where it is known:
 * others may have chosen the same.
 */
function referredTo(written: readonly string[], { filters, given }: Asked): string {
  const references = `any(${given(written)}::text[])`;
  const { merchantId } = filters;
  const own = merchantId === undefined ? '' : ` and merchant_id = ${given(merchantId)}`;
  const chosen = [
    `live_reference = ${references}`,
    `merchant_order_ref = ${references} and live_reference is null`,
    `customer_reference = ${references}`,
  ];
  const found = [
    `select order_id from orders where order_reference = ${references}`,
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

// ---- Parts

/** As many matches of an end are looked at. */
const ENDINGS_MAX = 1_000;
const BACKWARDS = 'reverse(lower(o.merchant_order_ref)) collate "C"';

/** Ended orders by the end of the merchant's reference: a range of orders_ended_reference_end. */
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
  const typed = nameKeyOf(given(part));
  const hasIt = (column: string) => `strpos(${nameKeyOf(column)}, ${typed}) > 0`;
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
  const asked = nameKeyOf(given(part));
  return `(
          strpos(${nameKeyOf('o.customer_account_name')}, ${asked}) > 0
          or o.order_id in (
            select n.order_id
            from order_notes n
            where n.kind = 'paidBy'
              and n.order_id >= ${newestFrom === undefined ? first : given(newestFrom)}
              and strpos(${nameKeyOf('n.note')}, ${asked}) > 0
          )
        )`;
}

/** Ended orders of which this is payable, and not their amount. */
const searchesForRounded = (payable: Money, asked: Asked): readonly Search[] =>
  ORDER_TYPES.map((orderType) => {
    const amounts = amountsRoundedTo(payable, orderType).map(formatMoney);
    const each = keysOf(amounts, 'numeric', asked.given);
    return endedBy('o.amount', each, asked, [`o.order_type = '${orderType}'`]);
  });
