import {
  type Adjustment,
  type Approval,
  type AuditEntry,
  type Delivery,
  type Instant,
  type Keys,
  type Member,
  type MemberAccount,
  type Money,
  type Move,
  type MovedAlone,
  money,
  type Order,
  type OrderNote,
  type Posting,
  type Replay,
  type Wallet,
  type WalletType,
} from '@munshi/core';
import type pg from 'pg';
import { APPROVAL_COLUMNS, approvalRow, PUT_APPROVALS, readApproval } from './approvals.ts';
import { INSERT_DELIVERIES } from './deliveries.ts';
import { ConflictError } from './errors.ts';
import { ACCOUNT_COLUMNS } from './member-accounts.ts';
import {
  COPY_ORDERS,
  orderColumns,
  orderLine,
  readOrder,
  UPDATE_ORDERS,
  updateArrays,
} from './order-row.ts';
import { IN_HAND } from './order-statuses.ts';
import {
  type Statement as BoundStatement,
  bytesArray,
  plainArray,
  runPipeline,
  textArray,
} from './pipeline.ts';
import {
  adjustmentRow,
  auditRow,
  deliveryRow,
  moveLine,
  noteRow,
  numeric,
  postingLine,
  type Row,
  readAccount,
  readAdjustment,
  readMember,
  readReplay,
  readWallet,
  replayLine,
  time,
} from './rows.ts';
import { BEGIN, type Statement, statement } from './statement.ts';
import { HOLD_TERMS, TERMS_VERSION, type Terms, type TermsCache } from './terms.ts';

/**
 * How the engine reads and writes: `loadRows` opens a transaction and reads, locked, all that a
 * batch names; `writeChanges` writes what was decided and commits. Each is one pipeline. Nothing
 * else writes orders, wallets, floats or postings. A preview reads the same without locks.
 */

/** What a batch needs, gathered from the keys of its commands. */
export interface LoadRequest {
  readonly now: Instant;
  readonly creations: readonly NonNullable<Keys['creation']>[];
  readonly orderIds: readonly string[];
  /** Those of the orders whose notes are read as well. */
  readonly notedOrderIds: readonly string[];
  /** Those of the orders whose merchant's wallet is locked as well. */
  readonly settledOrderIds: readonly string[];
  /** Those of the orders whose holder is locked as well. */
  readonly heldOrderIds: readonly string[];
  readonly walletMerchantIds: readonly string[];
  readonly memberIds: readonly string[];
  /** Members who act: their accounts are of no interest. */
  readonly actingMemberIds: readonly string[];
  /** Members who may be assigned an order, and the account methods by which they serve one. */
  readonly candidateIds: readonly string[];
  readonly candidateMethods: readonly WalletType[];
  readonly adjustmentIds: readonly string[];
  /** What requests for approval that wait may be about. */
  readonly approvalTargets: readonly string[];
  readonly summedOperatorIds: readonly string[];
  /** API keys and merchants whose terms are needed. */
  readonly apiKeyHashes: readonly string[];
  readonly termsMerchantIds: readonly string[];
  /**
   * Amounts and methods of the deposits that may be assigned: equal ones in hand are looked up
   * (D27).
   */
  readonly depositAmounts: readonly Money[];
  readonly depositMethods: readonly WalletType[];
  /** Commands whose commit may have happened: which of them have left a trace. */
  readonly doubtful: readonly string[];
}

export interface LoadedRows {
  readonly terms: Terms;
  readonly bound: readonly Order[];
  readonly replays: readonly Replay[];
  readonly live: readonly ReferenceHolder[];
  /** Beside the live order of the reference, or without one (D22). */
  readonly confirmedLate: readonly ReferenceHolder[];
  readonly orders: readonly Order[];
  readonly notes: readonly Pick<OrderNote, 'orderId' | 'actor' | 'text'>[];
  readonly wallets: readonly Wallet[];
  readonly members: readonly Member[];
  readonly adjustments: readonly Adjustment[];
  /** Those that wait. */
  readonly approvals: readonly Approval[];
  readonly sums: readonly MovedAlone[];
  readonly depositsInHand: readonly { readonly accountId: string; readonly amount: Money }[];
  readonly applied: ReadonlySet<string>;
}

/** The order that has a merchant's reference. */
interface ReferenceHolder {
  readonly merchantId: string;
  readonly reference: string;
  readonly orderReference: string;
}

/** Everything that a batch changed: new rows, and the last state of changed ones. */
export interface Writes {
  readonly createdOrders: readonly Order[];
  readonly changedOrders: readonly Order[];
  readonly members: readonly Member[];
  readonly accounts: readonly MemberAccount[];
  readonly wallets: readonly Wallet[];
  readonly replays: readonly Replay[];
  readonly moves: readonly Move[];
  readonly postings: readonly Posting[];
  readonly deliveries: readonly Delivery[];
  readonly adjustments: readonly Adjustment[];
  readonly approvals: readonly Approval[];
  readonly sums: readonly MovedAlone[];
  readonly notes: readonly OrderNote[];
  readonly audit: readonly AuditEntry[];
}

/**
 * A row changed between its reading and its writing although it was locked or guarded: decide again
 * from fresh rows.
 */
class StaleRowError extends ConflictError {}

/**
 * What the keys of new orders meet: the order that an Idempotency-Key is bound to, the body's
 * replay record, who has the reference (by the live order, or by one confirmed late beside it,
 * D22). Only what meets something comes back. One statement, so that whoever sees what another
 * creation of the same key has taken sees the key too, and answers with its order.
 */
const EXISTING = statement(
  'existing',
  `select q.merchant_id as asked_merchant, q.key_id as asked_key,
     encode(q.digest, 'hex') as asked_digest, q.reference as asked_reference,
     r.idempotency_key as replay_key, r.accepted_at as replay_at,
     l.order_reference as live, c.order_reference as confirmed_late,
     ${orderColumns('o')}
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::text[])
     as q (merchant_id, key_id, idempotency_key, digest, reference)
   left join orders o
     on o.idempotency_key = q.idempotency_key
     and o.idempotency_key = any($3::text[])
     and o.api_key_id = q.key_id
   left join signature_replays r
     on r.digest = q.digest and r.digest = any($4::bytea[]) and r.key_id = q.key_id
   left join orders l
     on l.live_reference = q.reference
     and l.live_reference = any($5::text[])
     and l.merchant_id = q.merchant_id
   left join lateral (
     select order_reference
     from orders
     where merchant_order_ref = q.reference
       and merchant_id = q.merchant_id
       and live_reference is null
       and completed_at is not null
     limit 1
   ) c on true
   where o.order_id is not null
     or r.accepted_at is not null
     or l.order_reference is not null
     or c.order_reference is not null`,
);

/**
 * The references of loaded orders that another order holds: asked before a late confirmation takes
 * one back. By LATERAL, because references of rows are no parameter.
 */
const LIVE_OF_ORDERS = statement(
  'live-of-orders',
  `select o.merchant_id as asked_merchant, o.merchant_order_ref as asked_reference,
     l.order_reference as live
   from orders o
   cross join lateral (
     select order_reference
     from orders
     where live_reference = o.merchant_order_ref
       and merchant_id = o.merchant_id
       and order_id <> o.order_id
     limit 1
   ) l
   where o.order_id = any($1::uuid[]) and o.live_reference is null`,
);

const ORDERS = statement(
  'orders',
  `select ${orderColumns('o')}
   from orders o
   where o.order_id = any($1::uuid[])
   order by o.order_id
   for update`,
);

/** At most a few for each member who has held one of them. */
const NOTES = statement(
  'notes',
  `select order_id, actor_kind, actor_id, note
   from order_notes
   where order_id = any($1::uuid[])`,
);

const WALLETS = statement(
  'wallets',
  `select merchant_id, balance, reserved, frozen, overdrawn
   from merchant_wallets
   where merchant_id = any(array(
     select unnest($1::uuid[])
     union
     select merchant_id
     from orders
     where order_id = any($2::uuid[])
   ))
   order by merchant_id
   for update`,
);

/** The members to lock: those named and whoever holds one of these orders. */
const MEMBER_SET = `select unnest($1::uuid[])
     union
     select member_id
     from orders
     where order_id = any($2::uuid[]) and member_id is not null`;

const MEMBER_COLUMNS = `member_id, status, online, max_open_orders, open_orders, float_balance,
     float_held, float_overdrawn, last_assigned_at`;

const MEMBERS = statement(
  'members',
  `select ${MEMBER_COLUMNS}
   from members
   where member_id = any(array(
     ${MEMBER_SET}
   ))
   order by member_id
   for update`,
);

/**
 * All accounts of the members named; of holders and candidates those of the methods that candidates
 * are asked for, or by which one of these orders is held. Nobody's twice, which a UNION would see
 * to by comparing every column: of the 1,750 accounts of 250 holders that was half of 24 ms.
 */
const ACCOUNTS = statement(
  'accounts',
  `select ${ACCOUNT_COLUMNS}
   from member_accounts
   where member_id = any($1::uuid[])
   union all
   select ${ACCOUNT_COLUMNS}
   from member_accounts
   where member_id = any(array(
       (
         ${MEMBER_SET}
       )
       union
       select unnest($3::uuid[])
       except
       select unnest($1::uuid[])
     ))
     and wallet_type = any(array(
       select unnest($4::text[])
       union
       select a.wallet_type
       from orders o
       join member_accounts a on a.account_id = o.account_id
       where o.order_id = any($2::uuid[])
     ))`,
);

/** The same where nobody but candidates is asked for, as for a batch of new orders. */
const CANDIDATES = statement(
  'candidates',
  `select ${MEMBER_COLUMNS}
   from members
   where member_id = any($1::uuid[])
   order by member_id
   for update`,
);

const CANDIDATE_ACCOUNTS = statement(
  'candidate-accounts',
  `select ${ACCOUNT_COLUMNS}
   from member_accounts
   where member_id = any($1::uuid[]) and wallet_type = any($2::text[])`,
);

/**
 * One scan of one index. As a join it sorts the amounts again for each account, which took most of
 * the batch's reading.
 */
const DEPOSITS_IN_HAND = statement(
  'in-hand',
  `select account_id, amount
   from orders
   where account_id = any(array(
       select account_id
       from member_accounts
       where member_id = any($1::uuid[]) and wallet_type = any($3::text[])
     ))
     and amount = any($2::numeric[])
     and order_type = 'Deposit'
     and status in ${IN_HAND}`,
);

const ADJUSTMENTS = statement(
  'adjustments',
  `select merchant_id, adjustment_id, kind, amount, reason, status, requested_by, requested_at,
     approved_by, approved_at
   from adjustments
   where adjustment_id = any($1::uuid[])
   order by adjustment_id
   for update`,
);

const APPROVALS = statement(
  'approvals',
  `select ${APPROVAL_COLUMNS}
   from approvals
   where target = any($1::text[]) and status = 'pending'
   order by approval_id
   for update`,
);

/**
 * What operators have moved alone: their rows are made when they first do, and locked in the order
 * of their names.
 */
const MAKE_SUMS = statement(
  'make-sums',
  `insert into operator_sums (operator_id, day, amount)
   select id, 0, 0
   from unnest($1::text[]) as id
   order by id
   on conflict do nothing`,
);

const SUMS = statement(
  'sums',
  `select operator_id, day, amount
   from operator_sums
   where operator_id = any($1::text[])
   order by operator_id
   for update`,
);

const APPLIED = statement(
  'applied',
  `select command_id
   from order_moves
   where order_id = any($1::uuid[]) and command_id = any($2::uuid[])
   union all
   select command_id
   from audit_log
   where command_id = any($2::uuid[])`,
);

/**
 * An update that must hit as many rows as expected; if not, nothing of the batch is committed and
 * it is decided again. A table that grows with use is told the keys (`= any`) beside the join: a
 * join alone, planned while the table is small, reads all of it.
 */
const guarded = (name: string, update: string, expected = '$2') =>
  statement(
    name,
    `with changed as (
     ${update}
     returning 1
   )
   select expect_rows((select count(*) from changed), ${expected})`,
  );

const CHANGE_SUMS = guarded(
  'change-sums',
  `update operator_sums s
     set day = row.day,
       amount = row.amount
     from json_to_recordset($1) as row (operator_id text, day integer, amount numeric)
     where s.operator_id = row.operator_id`,
);

const CHANGE_ORDERS = guarded('change-orders', UPDATE_ORDERS, 'cardinality($2::uuid[])');

/**
 * Members and their accounts in one statement, from arrays: measured, from JSON and each on its own
 * they take twice the time.
 */
const CHANGE_MEMBERS = statement(
  'change-members',
  `with members_changed as (
     update members m
     set status = row.status,
       online = row.online,
       max_open_orders = row.max_open_orders,
       open_orders = row.open_orders,
       float_balance = row.float_balance,
       float_held = row.float_held,
       float_overdrawn = row.float_overdrawn,
       last_assigned_at = row.last_assigned_at
     from unnest(
       $2::uuid[], $3::text[], $4::boolean[], $5::integer[], $6::integer[], $7::numeric[],
       $8::numeric[], $9::boolean[], $10::timestamptz[]
     ) as row (
       member_id, status, online, max_open_orders, open_orders, float_balance, float_held,
       float_overdrawn, last_assigned_at
     )
     where m.member_id = row.member_id and m.member_id = any($2::uuid[])
     returning 1
   ), accounts_changed as (
     update member_accounts a
     set status = row.status,
       day = row.day,
       day_amount = row.day_amount
     from unnest($11::uuid[], $12::text[], $13::integer[], $14::numeric[])
       as row (account_id, status, day, day_amount)
     where a.account_id = row.account_id and a.account_id = any($11::uuid[])
     returning 1
   ), told as (
     insert into member_changes (member_ids)
     values ($2::uuid[])
   )
   select expect_rows(
     (select count(*) from members_changed) + (select count(*) from accounts_changed),
     $1
   )`,
);

const CHANGE_WALLETS = guarded(
  'change-wallets',
  `update merchant_wallets w
     set balance = row.balance,
       reserved = row.reserved,
       frozen = row.frozen,
       overdrawn = row.overdrawn
     from unnest($1::uuid[], $2::numeric[], $3::numeric[], $4::numeric[], $5::boolean[])
       as row (merchant_id, balance, reserved, frozen, overdrawn)
     where w.merchant_id = row.merchant_id and w.merchant_id = any($1::uuid[])`,
  'cardinality($1::uuid[])',
);

const COPY_REPLAYS = `copy signature_replays (
     merchant_id, key_id, digest, idempotency_key, accepted_at
   ) from stdin`;

const RENEW_REPLAYS = guarded(
  'renew-replays',
  `update signature_replays r
     set idempotency_key = row.idempotency_key,
       accepted_at = row.accepted_at
     from unnest($1::bytea[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[])
       as row (digest, key_id, idempotency_key, accepted_at, replaces)
     where r.digest = row.digest
       and r.digest = any($1::bytea[])
       and r.key_id = row.key_id
       and r.accepted_at = row.replaces`,
  'cardinality($1::bytea[])',
);

const COPY_MOVES = `copy order_moves (
     merchant_id, order_id, number, from_status, to_status, trigger, actor_kind, actor_id,
     member_id, note, command_id, at
   ) from stdin`;

const COPY_POSTINGS = `copy postings (
     merchant_id, posting_id, kind, order_id, member_id, wallet, frozen, member_float, fees,
     adjustments, note, posted_at
   ) from stdin`;

const PUT_ADJUSTMENTS = statement(
  'put-adjustments',
  `insert into adjustments (
     merchant_id, adjustment_id, kind, amount, reason, status, requested_by, requested_at,
     approved_by, approved_at
   )
   select *
   from json_to_recordset($1) as row (
     merchant_id uuid, adjustment_id uuid, kind text, amount numeric, reason text, status text,
     requested_by text, requested_at timestamptz, approved_by text, approved_at timestamptz
   )
   on conflict (adjustment_id) do update
   set status = excluded.status,
     approved_by = excluded.approved_by,
     approved_at = excluded.approved_at`,
);

const INSERT_NOTES = statement(
  'insert-notes',
  `insert into order_notes
     (merchant_id, order_id, note_id, number, actor_kind, actor_id, note, at)
   select *
   from json_to_recordset($1) as row (
     merchant_id uuid, order_id uuid, note_id uuid, number smallint, actor_kind text,
     actor_id text, note text, at timestamptz
   )`,
);

const INSERT_AUDIT = statement(
  'insert-audit',
  `insert into audit_log (
     audit_id, actor_kind, actor_id, actor_name, address, action, target, detail, at, command_id
   )
   select *
   from json_to_recordset($1) as row (
     audit_id uuid, actor_kind text, actor_id text, actor_name text, address text, action text,
     target text, detail jsonb, at timestamptz, command_id uuid
   )`,
);

/** The statements that lock, without it: for previews. */
const UNLOCKED: ReadonlyMap<string, Statement> = new Map(
  [ORDERS, WALLETS, MEMBERS, CANDIDATES, ADJUSTMENTS, APPROVALS, SUMS].map(({ name, text }) => [
    name,
    statement(`preview-${name}`, text.replace(/\n\s+for update$/, '')),
  ]),
);

/**
 * Opens a transaction and loads what the batch names. The terms are held first (D69); rows are
 * locked order by order, then wallets, then members, each in id order.
 */
export async function loadRows(
  lane: pg.Client,
  request: LoadRequest,
  terms: TermsCache,
): Promise<LoadedRows> {
  const begin = [
    { as: 'begin', ...BEGIN },
    { as: 'termsHeld', ...HOLD_TERMS },
  ] as const;
  return load(lane, [...begin, ...statementsFor(request)], request, terms);
}

/**
 * The same rows, in a transaction that is open, without a lock: it may be read only. Nothing is
 * made, so that an operator who has moved nothing yet gets a sum of 0 that is in no row.
 */
export async function lookAtRows(
  client: pg.Client,
  request: LoadRequest,
  terms: TermsCache,
): Promise<LoadedRows> {
  const asked = statementsFor(request)
    .filter(({ as }) => as !== 'madeSums')
    .map((sql) => ({ ...sql, ...UNLOCKED.get(sql.name) }));
  const rows = await load(client, asked, request, terms);
  const known = new Set(rows.sums.map(({ operatorId }) => operatorId));
  const none = request.summedOperatorIds
    .filter((operatorId) => !known.has(operatorId))
    .map((operatorId) => ({ operatorId, day: 0, amount: 0n }));
  return { ...rows, sums: [...rows.sums, ...none] };
}

async function load(
  lane: pg.Client,
  asked: readonly Asked[],
  request: LoadRequest,
  terms: TermsCache,
): Promise<LoadedRows> {
  const answers = await runPipeline(lane, asked);
  const rows: Answers = { ...NOTHING_ASKED };
  asked.forEach(({ as }, at) => {
    rows[as] = answers[at] as readonly Row[];
  });
  const version = rows.termsVersion[0]?.['version'] as string;
  return readRows(
    rows,
    await terms.read(lane, version, {
      now: request.now,
      apiKeyHashes: request.apiKeyHashes,
      merchantIds: request.termsMerchantIds,
    }),
  );
}

type Asked = BoundStatement & { readonly as: keyof Answers };

/** In the order in which the rows are locked. */
function statementsFor(request: LoadRequest): readonly Asked[] {
  const {
    creations,
    memberIds,
    actingMemberIds,
    candidateIds,
    settledOrderIds,
    walletMerchantIds,
  } = request;
  const orderIds = plainArray(request.orderIds);
  const candidates = plainArray(candidateIds);
  const heldOrderIds = plainArray(request.heldOrderIds);

  const asked: Asked[] = [{ as: 'termsVersion', ...TERMS_VERSION }];
  const ask = (as: keyof Answers, sql: Statement, ...values: (string | null)[]) =>
    asked.push({ as, ...sql, values });
  if (request.orderIds.length > 0) ask('orders', ORDERS, orderIds);
  if (request.notedOrderIds.length > 0) ask('notes', NOTES, plainArray(request.notedOrderIds));
  if (settledOrderIds.length > 0) ask('liveOfOrders', LIVE_OF_ORDERS, plainArray(settledOrderIds));
  if (walletMerchantIds.length + settledOrderIds.length > 0) {
    ask('wallets', WALLETS, plainArray(walletMerchantIds), plainArray(settledOrderIds));
  }
  if (request.heldOrderIds.length + memberIds.length + actingMemberIds.length > 0) {
    ask(
      'members',
      MEMBERS,
      plainArray([...memberIds, ...actingMemberIds, ...candidateIds]),
      heldOrderIds,
    );
    ask(
      'accounts',
      ACCOUNTS,
      plainArray(memberIds),
      heldOrderIds,
      candidates,
      plainArray(request.candidateMethods),
    );
  } else if (candidateIds.length > 0) {
    ask('members', CANDIDATES, candidates);
    ask('accounts', CANDIDATE_ACCOUNTS, candidates, plainArray(request.candidateMethods));
  }
  if (request.depositAmounts.length > 0 && candidateIds.length > 0) {
    ask(
      'inHand',
      DEPOSITS_IN_HAND,
      candidates,
      plainArray(request.depositAmounts.map(numeric)),
      plainArray(request.depositMethods),
    );
  }
  if (request.adjustmentIds.length > 0)
    ask('adjustments', ADJUSTMENTS, plainArray(request.adjustmentIds));
  if (request.approvalTargets.length > 0)
    ask('approvals', APPROVALS, textArray(request.approvalTargets));
  if (request.summedOperatorIds.length > 0) {
    ask('madeSums', MAKE_SUMS, textArray(request.summedOperatorIds));
    ask('sums', SUMS, textArray(request.summedOperatorIds));
  }
  // After the wallets' locks: whoever finds money reserved by another creation of the same key
  // finds its order too.
  if (creations.length > 0)
    ask(
      'existing',
      EXISTING,
      plainArray(creations.map(({ merchantId }) => merchantId)),
      plainArray(creations.map(({ keyId }) => keyId)),
      textArray(creations.map(({ idempotencyKey }) => idempotencyKey)),
      bytesArray(creations.map(({ digest }) => digest)),
      textArray(creations.map(({ merchantOrderRef }) => merchantOrderRef)),
    );
  if (request.doubtful.length > 0) ask('applied', APPLIED, orderIds, plainArray(request.doubtful));
  return asked;
}

const NOTHING_ASKED = {
  begin: [],
  termsHeld: [],
  termsVersion: [],
  existing: [],
  orders: [],
  notes: [],
  liveOfOrders: [],
  wallets: [],
  members: [],
  accounts: [],
  inHand: [],
  adjustments: [],
  approvals: [],
  madeSums: [],
  sums: [],
  applied: [],
};

/** The rows that each part of a load has brought. */
type Answers = Record<keyof typeof NOTHING_ASKED, readonly Row[]>;

function readRows(rows: Answers, terms: Terms): LoadedRows {
  const accounts = Map.groupBy(rows.accounts, (row) => row['member_id'] as string);
  const having = (column: string) => rows.existing.filter((row) => row[column] !== null);
  return {
    terms,
    bound: having('order_id').map(readOrder),
    replays: having('replay_at').map(readReplay),
    live: [...rows.liveOfOrders, ...having('live')].map((row) => readHolder(row, 'live')),
    confirmedLate: having('confirmed_late').map((row) => readHolder(row, 'confirmed_late')),
    orders: rows.orders.map(readOrder),
    notes: rows.notes.map(readNote),
    wallets: rows.wallets.map(readWallet),
    members: rows.members.map((row) =>
      readMember(row, (accounts.get(row['member_id']) ?? []).map(readAccount)),
    ),
    adjustments: rows.adjustments.map(readAdjustment),
    approvals: rows.approvals.map(readApproval),
    sums: rows.sums.map((row) => ({
      operatorId: row['operator_id'],
      day: row['day'],
      amount: money(row['amount']),
    })),
    depositsInHand: rows.inHand.map((row) => ({
      accountId: row['account_id'],
      amount: money(row['amount']),
    })),
    applied: new Set(rows.applied.map((row) => row['command_id'] as string)),
  };
}

const readNote = (row: Row): LoadedRows['notes'][number] => ({
  orderId: row['order_id'],
  actor: { kind: row['actor_kind'], id: row['actor_id'] } as OrderNote['actor'],
  text: row['note'],
});

const readHolder = (row: Row, by: 'live' | 'confirmed_late'): ReferenceHolder => ({
  merchantId: row['asked_merchant'],
  reference: row['asked_reference'],
  orderReference: row[by],
});

/** Ends the transaction of a batch that is not to be written. */
export async function abandon(lane: pg.Client): Promise<void> {
  await lane.query('rollback');
}

/**
 * Sends the writes and the commit in one write; the caller may send the next batch's load right
 * behind. Resolves when the commit is certain. Throws the database's error when nothing was
 * written, StaleRowError when a guarded row had changed; where the connection is lost with it, the
 * outcome has to be looked up.
 */
export async function writeChanges(lane: pg.Client, writes: Writes): Promise<void> {
  const statements = statementsOf(writes);
  lane.connection.stream.cork();
  const sent = statements.length === 0 ? undefined : runPipeline(lane, statements);
  const committed = lane.query('commit');
  lane.connection.stream.uncork();
  const [written, ended] = await Promise.allSettled([sent, committed]);
  if (written.status === 'rejected') throw written.reason;
  if (ended.status === 'rejected') throw ended.reason;
  if (ended.value.command !== 'COMMIT') throw new StaleRowError('the transaction was rolled back');
}

function statementsOf(writes: Writes): BoundStatement[] {
  const put = (sql: Statement, rows: readonly object[]): BoundStatement[] =>
    rows.length === 0 ? [] : [{ ...sql, values: [JSON.stringify(rows)] }];
  const copy = (name: string, text: string, lines: readonly string[]): BoundStatement[] =>
    lines.length === 0 ? [] : [{ name, text, copied: lines.join('') }];
  const change = (sql: Statement, rows: readonly object[]): BoundStatement[] =>
    rows.length === 0 ? [] : [{ ...sql, values: [JSON.stringify(rows), String(rows.length)] }];
  const isNew = ({ replaces }: Replay) => replaces === null;
  return [
    ...changeMembers(writes),
    ...changeWallets(writes.wallets),
    ...copy('copy-orders', COPY_ORDERS, writes.createdOrders.map(orderLine)),
    ...changeOrders(writes.changedOrders),
    ...copy('copy-replays', COPY_REPLAYS, writes.replays.filter(isNew).map(replayLine)),
    ...renewReplays(writes.replays.filter((replay) => !isNew(replay))),
    ...copy('copy-moves', COPY_MOVES, writes.moves.map(moveLine)),
    ...copy('copy-postings', COPY_POSTINGS, writes.postings.map(postingLine)),
    ...put(INSERT_DELIVERIES, writes.deliveries.map(deliveryRow)),
    ...put(PUT_ADJUSTMENTS, writes.adjustments.map(adjustmentRow)),
    ...put(
      PUT_APPROVALS,
      writes.approvals.map((approval) => approvalRow(approval)),
    ),
    ...change(CHANGE_SUMS, writes.sums.map(sumRow)),
    ...put(INSERT_NOTES, writes.notes.map(noteRow)),
    ...put(INSERT_AUDIT, writes.audit.map(auditRow)),
  ];
}

const sumRow = ({ operatorId, day, amount }: MovedAlone) => ({
  operator_id: operatorId,
  day,
  amount: numeric(amount),
});

function changeOrders(orders: readonly Order[]): BoundStatement[] {
  return orders.length === 0 ? [] : [{ ...CHANGE_ORDERS, values: updateArrays(orders) }];
}

function changeWallets(wallets: readonly Wallet[]): BoundStatement[] {
  if (wallets.length === 0) return [];
  const values = [
    plainArray(wallets.map(({ merchantId }) => merchantId)),
    plainArray(wallets.map(({ balance }) => numeric(balance))),
    plainArray(wallets.map(({ reserved }) => numeric(reserved))),
    plainArray(wallets.map(({ frozen }) => numeric(frozen))),
    plainArray(wallets.map(({ overdrawn }) => overdrawn)),
  ];
  return [{ ...CHANGE_WALLETS, values }];
}

function renewReplays(replays: readonly Replay[]): BoundStatement[] {
  if (replays.length === 0) return [];
  const values = [
    bytesArray(replays.map(({ digest }) => digest)),
    plainArray(replays.map(({ keyId }) => keyId)),
    textArray(replays.map(({ idempotencyKey }) => idempotencyKey)),
    plainArray(replays.map(({ acceptedAt }) => time(acceptedAt))),
    plainArray(replays.map(({ replaces }) => time(replaces))),
  ];
  return [{ ...RENEW_REPLAYS, values }];
}

function changeMembers({ members, accounts }: Writes): BoundStatement[] {
  if (members.length === 0) return [];
  const values = [
    String(members.length + accounts.length),
    plainArray(members.map(({ memberId }) => memberId)),
    plainArray(members.map(({ status }) => status)),
    plainArray(members.map(({ online }) => online)),
    plainArray(members.map(({ maxOpenOrders }) => maxOpenOrders)),
    plainArray(members.map(({ openOrders }) => openOrders)),
    plainArray(members.map(({ floatBalance }) => numeric(floatBalance))),
    plainArray(members.map(({ floatHeld }) => numeric(floatHeld))),
    plainArray(members.map(({ floatOverdrawn }) => floatOverdrawn)),
    plainArray(members.map(({ lastAssignedAt }) => time(lastAssignedAt))),
    plainArray(accounts.map(({ accountId }) => accountId)),
    plainArray(accounts.map(({ status }) => status)),
    plainArray(accounts.map(({ day }) => day)),
    plainArray(accounts.map(({ dayAmount }) => numeric(dayAmount))),
  ];
  return [{ ...CHANGE_MEMBERS, values }];
}
