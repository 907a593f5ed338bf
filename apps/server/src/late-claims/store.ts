import {
  type ClaimedPayment,
  type ClaimId,
  type Instant,
  LATE_CLAIMS_MAX,
  type LateClaimStatus,
  type Order,
  type OrderId,
} from '@munshi/core';
import { asksAboutOrder } from '../engine/rows/approvals.ts';
import { ofOrder } from '../engine/rows/order-row.ts';
import { nameOfOperator } from '../people/operator-names.ts';
import {
  answers,
  columns,
  from,
  made,
  only,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  execute,
  type Page,
  query,
  queryOne,
  readsAll,
  readsOne,
  readsRow,
  statement,
  unprepared,
} from '../platform/database/statement.ts';

/**
 * What a customer left of a deposit that ended without their money: that they did pay, with this
 * transaction or from this account. Nothing follows from it by itself.
 */
export type LateClaim = RecordOf<typeof CLAIM>;

const CLAIM_COLUMNS = {
  claimId: t.id<ClaimId>(),
  merchantId: t.uuid,
  orderId: t.id<OrderId>(),
  transactionDigits: made(t.text, (digits) => digits || null),
  payerAccount: orNull(t.text),
  status: t.oneOf<LateClaimStatus>(),
  claimedAt: t.instant,
  takenAt: orNull(t.instant),
  /** The id of the operator who looks into it. */
  takenBy: orNull(t.text),
  /** As it is now; null for an operator of the environment too. */
  takenByName: from(nameOfOperator('c.taken_by'), orNull(t.text)),
  closedAt: orNull(t.instant),
  /** The operator's id. */
  closedBy: orNull(t.text),
  closedByName: from(nameOfOperator('c.closed_by'), orNull(t.text)),
  note: orNull(t.text),
};
const CLAIM = columns('c', CLAIM_COLUMNS);

const INSERT = statement(
  'insert-late-claim',
  `insert into late_claims
     (merchant_id, order_id, number, claim_id, transaction_digits, payer_account, claimed_at)
   select $1::uuid, $2::uuid, count(*) + 1, $3::uuid, $4::text, $6::text, $5::timestamptz
   from late_claims
   where merchant_id = $1 and order_id = $2
   having count(*) < ${LATE_CLAIMS_MAX}
     and count(*) filter (where status = 'open' and taken_at is not null) = 0
   on conflict do nothing`,
);

const DIGITS_OF_ORDER = statement(
  'late-claim-digits',
  `select transaction_digits, status = 'open' and taken_at is not null as is_taken
   from late_claims
   where merchant_id = $1 and order_id = $2`,
  answers({ transactionDigits: t.text, isTaken: t.boolean }),
);

/** Without digits it is an empty text: a process of the version before reads a null as digits. */
const storedDigits = ({ transactionDigits }: ClaimedPayment) => transactionDigits ?? '';

/**
 * Writes a claim. The same digits of one order are one claim, closed or not, and so is a claim
 * without digits; an order has at most LATE_CLAIMS_MAX, and takes none while an operator looks into
 * one. The numbers of an order's claims are unique: of two claims at once, one is written and the
 * other is tried again.
 */
export async function recordLateClaim(
  db: Queryable,
  claim: Pick<LateClaim, 'claimId' | 'merchantId' | 'orderId' | 'claimedAt' | keyof ClaimedPayment>,
): Promise<'recorded' | 'already' | 'taken-up' | 'too-many'> {
  const { claimId, merchantId, orderId, payerAccount, claimedAt } = claim;
  const digits = storedDigits(claim);
  const values = [merchantId, orderId, claimId, digits, time(claimedAt), payerAccount];
  for (let others = 0; others <= LATE_CLAIMS_MAX; others += 1) {
    if ((await execute(db, INSERT, values)) === 1) return 'recorded';
    const rows = await query(db, DIGITS_OF_ORDER, [merchantId, orderId]);
    if (rows.some(({ transactionDigits }) => transactionDigits === digits)) return 'already';
    if (rows.some(({ isTaken }) => isTaken)) return 'taken-up';
    if (rows.length >= LATE_CLAIMS_MAX) return 'too-many';
  }
  throw new Error(`the late claim ${claimId} found neither a number nor its like`);
}

const ORDER_PROPERTIES = [
  'orderReference',
  'merchantOrderRef',
  'customerReference',
  'walletType',
  'currency',
  'amount',
  'status',
  'memberId',
  'createdAt',
  'expiresAt',
] as const satisfies readonly (keyof Order)[];

/** A claim with what an operator needs to know of its order. */
const LISTED = columns('c', {
  ...CLAIM_COLUMNS,
  order: columns('o', ofOrder(ORDER_PROPERTIES)),
  merchantName: from('b.name', t.text),
  /** Who holds the order, or held it last. */
  memberName: from('m.name', orNull(t.text)),
});
export type ListedLateClaim = RecordOf<typeof LISTED>;

const SELECT_LISTED = `select ${LISTED.list}
   from late_claims c
   join orders o on o.order_id = c.order_id and o.merchant_id = c.merchant_id
   join merchants b on b.merchant_id = c.merchant_id
   left join members m on m.member_id = o.member_id`;

const OPEN = unprepared(
  'list-open-late-claims',
  `${SELECT_LISTED}
   where c.status = 'open'
     and ($1::uuid is null or c.merchant_id = $1)
     and ($2::uuid is null or c.claim_id > $2)
     and c.order_id <> all (array(
       select a.target::uuid
       from approvals a
       where a.requested_by = $4 and ${asksAboutOrder('$5')}
     ))
   order by c.claim_id
   limit $3`,
  LISTED,
);

const NEWEST = unprepared(
  'list-late-claims',
  `${SELECT_LISTED}
   where ($1::text is null or c.status = $1)
     and ($2::uuid is null or c.merchant_id = $2)
     and ($3::uuid is null or c.claim_id < $3)
   order by c.claim_id desc
   limit $4`,
  LISTED,
);

export interface LateClaimQuestion extends Page {
  readonly status: LateClaim['status'] | null;
  readonly merchantId: string | null;
  readonly operatorId: string;
  readonly now: Instant;
}

/**
 * Open claims are a queue, the oldest first, without those of orders that `operatorId` has asked a
 * second operator about; closed ones and all together come newest first. Ids sort by time.
 */
export async function listLateClaims(
  db: Queryable,
  { status, merchantId, operatorId, now, after, limit }: LateClaimQuestion,
): Promise<readonly ListedLateClaim[]> {
  return status === 'open'
    ? query(db, OPEN, [merchantId, after, limit, operatorId, time(now)])
    : query(db, NEWEST, [status, merchantId, after, limit]);
}

/** An order's claims, oldest first. */
export const listLateClaimsOfOrder = readsAll(
  'late-claims-of-order',
  `select ${CLAIM.list}
   from late_claims c
   where c.merchant_id = $1 and c.order_id = $2
   order by c.number`,
  CLAIM,
  ({ merchantId, orderId }: Pick<Order, 'merchantId' | 'orderId'>) => [merchantId, orderId],
);

/** How often a deposit's customer came to where the account is shown: wasShownWhereToPay. */
export const countOpenings = readsRow(
  'openings-of-order',
  `select count(*)::integer as count
   from order_moves
   where order_id = $1 and to_status = 'AwaitingCustomerPayment'`,
  only('count', t.integer),
  ({ orderId }: Pick<Order, 'orderId'>) => [orderId],
);

export const findLateClaim = readsOne(
  'find-late-claim',
  `select ${CLAIM.list}
   from late_claims c
   where c.claim_id = $1`,
  CLAIM,
  (claimId: string) => [claimId],
);

const TAKE = statement(
  'take-late-claim',
  `update late_claims c
   set taken_at = case when c.taken_by = $4 then $2 else coalesce(c.taken_at, $2) end,
     taken_by = $3
   where c.claim_id = $1 and c.status = 'open'
     and (coalesce(c.taken_by, $3) = $3 or c.taken_by = $4)
   returning ${CLAIM.list}`,
  CLAIM,
);

const CLOSE = statement(
  'close-late-claim',
  `update late_claims c
   set status = 'closed',
     closed_at = $2,
     closed_by = $3,
     note = $4
   where c.claim_id = $1 and c.status = 'open'
   returning ${CLAIM.list}`,
  CLAIM,
);

/** Closes the open claims of an order; answers them. */
export const closeLateClaimsOfOrder = readsAll(
  'close-late-claims-of-order',
  `update late_claims c
   set status = 'closed',
     closed_at = $3,
     closed_by = $4,
     note = $5
   where c.merchant_id = $1 and c.order_id = $2 and c.status = 'open'
   returning ${CLAIM.list}`,
  CLAIM,
  (
    { merchantId, orderId }: Pick<Order, 'merchantId' | 'orderId'>,
    { closedBy, note, at }: Omit<Closing, 'claimId'>,
  ) => [merchantId, orderId, time(at), closedBy, note],
);

const EXISTS = statement(
  'late-claim-exists',
  'select exists (select from late_claims where claim_id = $1) as found',
  answers({ found: t.boolean }),
);

export interface Taking {
  readonly claimId: string;
  readonly takenBy: string;
  /** The operator from whom it is taken over; null: nobody has it yet. */
  readonly from: string | null;
  readonly at: Instant;
}

export interface Closing {
  readonly claimId: string;
  readonly closedBy: string;
  readonly note: string;
  readonly at: Instant;
}

/** Has an operator look into an open claim; undefined when there is no such claim. */
export async function takeLateClaim(
  db: Queryable,
  { claimId, takenBy, from, at }: Taking,
): Promise<LateClaim | 'taken or closed before' | undefined> {
  const taken = await queryOne(db, TAKE, [claimId, time(at), takenBy, from]);
  if (taken !== undefined) return taken;
  return (await queryOne(db, EXISTS, [claimId]))?.found ? 'taken or closed before' : undefined;
}

/** Closes an open claim; undefined when there is no such claim. */
export async function closeLateClaim(
  db: Queryable,
  { claimId, closedBy, note, at }: Closing,
): Promise<LateClaim | 'closed before' | undefined> {
  const closed = await queryOne(db, CLOSE, [claimId, time(at), closedBy, note]);
  if (closed !== undefined) return closed;
  return (await queryOne(db, EXISTS, [claimId]))?.found ? 'closed before' : undefined;
}
