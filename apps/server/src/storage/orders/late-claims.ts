import {
  type ClaimedPayment,
  type Instant,
  LATE_CLAIMS_MAX,
  type LateClaimStatus,
  type Order,
} from '@munshi/core';
import type { Queryable } from '../db.ts';
import { nameOfOperator } from '../people/operator-names.ts';
import { type Row, time } from '../rows.ts';
import { execute, type Page, query, statement, unprepared } from '../statement.ts';
import { partOfOrder } from './order-row.ts';

/**
 * What a customer left of a deposit that ended without their money: that they did pay, with this
 * transaction or from this account. Nothing follows from it by itself.
 */
export interface LateClaim extends ClaimedPayment {
  readonly claimId: string;
  readonly merchantId: string;
  readonly orderId: string;
  readonly status: LateClaimStatus;
  readonly claimedAt: Instant;
  readonly takenAt: Instant | null;
  /** The id of the operator who looks into it. */
  readonly takenBy: string | null;
  /** As it is now; null for an operator of the environment too. */
  readonly takenByName: string | null;
  readonly closedAt: Instant | null;
  /** The operator's id. */
  readonly closedBy: string | null;
  readonly closedByName: string | null;
  readonly note: string | null;
}

const COLUMNS = `c.claim_id, c.merchant_id, c.order_id, c.transaction_digits,
     c.payer_account as claimed_payer, c.status as claim_status, c.claimed_at, c.taken_at,
     c.taken_by, c.closed_at, c.closed_by,
     ${nameOfOperator('c.taken_by')} as taken_by_name,
     ${nameOfOperator('c.closed_by')} as closed_by_name,
     c.note`;

const readClaim = (row: Row): LateClaim => ({
  claimId: row['claim_id'],
  merchantId: row['merchant_id'],
  orderId: row['order_id'],
  transactionDigits: row['transaction_digits'] || null,
  payerAccount: row['claimed_payer'],
  status: row['claim_status'],
  claimedAt: row['claimed_at'],
  takenAt: row['taken_at'],
  takenBy: row['taken_by'],
  takenByName: row['taken_by_name'],
  closedAt: row['closed_at'],
  closedBy: row['closed_by'],
  closedByName: row['closed_by_name'],
  note: row['note'],
});

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

const DIGITS_OF_ORDER = statement<{
  readonly transaction_digits: string;
  readonly is_taken: boolean;
}>(
  'late-claim-digits',
  `select transaction_digits, status = 'open' and taken_at is not null as is_taken
   from late_claims
   where merchant_id = $1 and order_id = $2`,
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
    if (rows.some((row) => row.transaction_digits === digits)) return 'already';
    if (rows.some((row) => row.is_taken)) return 'taken-up';
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

const part = partOfOrder('o', ORDER_PROPERTIES);

/** A claim with what an operator needs to know of its order. */
export interface ListedLateClaim extends LateClaim {
  readonly order: Pick<Order, (typeof ORDER_PROPERTIES)[number]>;
  readonly merchantName: string;
  /** Who holds the order, or held it last. */
  readonly memberName: string | null;
}

const readListed = (row: Row): ListedLateClaim => ({
  ...readClaim(row),
  order: part.read(row),
  merchantName: row['merchant_name'],
  memberName: row['member_name'],
});

const SELECT_LISTED = `select ${COLUMNS},
     ${part.list},
     b.name as merchant_name, m.name as member_name
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
   order by c.claim_id
   limit $3`,
);

const NEWEST = unprepared(
  'list-late-claims',
  `${SELECT_LISTED}
   where ($1::text is null or c.status = $1)
     and ($2::uuid is null or c.merchant_id = $2)
     and ($3::uuid is null or c.claim_id < $3)
   order by c.claim_id desc
   limit $4`,
);

export interface LateClaimQuestion extends Page {
  readonly status: LateClaim['status'] | null;
  readonly merchantId: string | null;
}

/**
 * Open claims are a queue, the oldest first; closed ones and all together come newest first. Ids
 * sort by time.
 */
export async function listLateClaims(
  db: Queryable,
  { status, merchantId, after, limit }: LateClaimQuestion,
): Promise<readonly ListedLateClaim[]> {
  const rows =
    status === 'open'
      ? await query(db, OPEN, [merchantId, after, limit])
      : await query(db, NEWEST, [status, merchantId, after, limit]);
  return rows.map(readListed);
}

const OF_ORDER = statement(
  'late-claims-of-order',
  `select ${COLUMNS}
   from late_claims c
   where c.merchant_id = $1 and c.order_id = $2
   order by c.number`,
);

/** An order's claims, oldest first. */
export async function listLateClaimsOfOrder(
  db: Queryable,
  { merchantId, orderId }: Pick<Order, 'merchantId' | 'orderId'>,
): Promise<readonly LateClaim[]> {
  return (await query(db, OF_ORDER, [merchantId, orderId])).map(readClaim);
}

const OPENINGS = statement<{ readonly count: number }>(
  'openings-of-order',
  `select count(*)::integer as count
   from order_moves
   where order_id = $1 and to_status = 'AwaitingCustomerPayment'`,
);

/** How often a deposit's customer came to where the account is shown: wasShownWhereToPay. */
export async function countOpenings(
  db: Queryable,
  { orderId }: Pick<Order, 'orderId'>,
): Promise<number> {
  return (await query(db, OPENINGS, [orderId]))[0]?.count ?? 0;
}

const FIND = statement(
  'find-late-claim',
  `select ${COLUMNS}
   from late_claims c
   where c.claim_id = $1`,
);

export async function findLateClaim(
  db: Queryable,
  claimId: string,
): Promise<LateClaim | undefined> {
  const [row] = await query(db, FIND, [claimId]);
  return row && readClaim(row);
}

const TAKE = statement(
  'take-late-claim',
  `update late_claims c
   set taken_at = case when c.taken_by = $4 then $2 else coalesce(c.taken_at, $2) end,
     taken_by = $3
   where c.claim_id = $1 and c.status = 'open'
     and (coalesce(c.taken_by, $3) = $3 or c.taken_by = $4)
   returning ${COLUMNS}`,
);

const CLOSE = statement(
  'close-late-claim',
  `update late_claims c
   set status = 'closed',
     closed_at = $2,
     closed_by = $3,
     note = $4
   where c.claim_id = $1 and c.status = 'open'
   returning ${COLUMNS}`,
);

const EXISTS = statement<{ readonly found: boolean }>(
  'late-claim-exists',
  'select exists (select from late_claims where claim_id = $1) as found',
);

export interface Taking {
  readonly claimId: string;
  readonly takenBy: string;
  /** The operator from whom it is taken over; null: nobody has it yet. */
  readonly from: string | null;
  readonly at: Instant;
}

/** Has an operator look into an open claim; undefined when there is no such claim. */
export async function takeLateClaim(
  db: Queryable,
  { claimId, takenBy, from, at }: Taking,
): Promise<LateClaim | 'taken or closed before' | undefined> {
  const [row] = await query(db, TAKE, [claimId, time(at), takenBy, from]);
  if (row !== undefined) return readClaim(row);
  const [known] = await query(db, EXISTS, [claimId]);
  return known?.found ? 'taken or closed before' : undefined;
}

/** Closes an open claim; undefined when there is no such claim. */
export async function closeLateClaim(
  db: Queryable,
  {
    claimId,
    closedBy,
    note,
    at,
  }: {
    readonly claimId: string;
    readonly closedBy: string;
    readonly note: string;
    readonly at: Instant;
  },
): Promise<LateClaim | 'closed before' | undefined> {
  const [row] = await query(db, CLOSE, [claimId, time(at), closedBy, note]);
  if (row !== undefined) return readClaim(row);
  const [known] = await query(db, EXISTS, [claimId]);
  return known?.found ? 'closed before' : undefined;
}
