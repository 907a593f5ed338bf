import type { Cast } from './cast.ts';
import { plain, units } from './model/arithmetic.ts';
import { type Status, stageOf } from './model/tables.ts';
import { listed, notesPicture, type Picture } from './picture.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
type Row = any;

/** The service's rows as they are, drawn as pictures. Names stand for ids. */
export interface Rows {
  readonly orders: ReadonlyMap<
    string,
    {
      readonly memberId: string | null;
      readonly accountId: string | null;
      readonly holderSince: number | null;
    }
  >;
  readonly moves: readonly {
    readonly orderId: string;
    readonly number: number;
    readonly memberId: string | null;
    readonly trigger: string;
    readonly at: number;
  }[];
  readonly deliveries: readonly {
    readonly deliveryId: string;
    readonly orderId: string;
    readonly status: string;
    readonly body: Buffer;
    readonly createdAt: number;
  }[];
  nameOf(id: string | null): string | null;
  /** With the reasons of those events whose text the model knows. */
  orderPicture(orderId: string, reasonsKnown: readonly boolean[]): Picture;
  besidePicture(orderId: string): Picture;
  memberPicture(name: string, now: number): Picture;
  merchantPicture(name: string): Picture;
  readonly requestCount: number;
  requestPicture(approvalId: string): Picture;
  readonly settings: Picture;
}

const DAY = 86_400_000;
/** Stored amounts have four decimals always. */
const amount = (text: string) => plain(units(text));
const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const STAMPS = [
  'created_at',
  'expires_at',
  'awaiting_at',
  'assigned_at',
  'holder_since',
  'sent_at',
  'completed_at',
  'rejected_at',
  'failed_at',
  'cancelled_at',
  'due_at',
];
const ORDERS = `select order_id, merchant_id, order_type, wallet_type, currency, amount::text, fee::text, settlement_amount::text, float_amount::text,
  merchant_order_ref, transaction_digits, status, member_id, account_id, reassignments, ${STAMPS.map((stamp) => `${ms(stamp)} as ${stamp}`).join(', ')},
  (select count(*)::int from postings p where p.merchant_id = o.merchant_id and p.order_id = o.order_id) as settlements from orders o`;
const MOVES = `select order_id as "orderId", number, member_id as "memberId", trigger, ${ms('at')} as at from order_moves order by at, number`;
const NOTES = `select order_id, actor_id, kind, amount::text, note, ${ms('at')} as at from order_notes where actor_kind in ('member', 'customer')`;
const EVIDENCE =
  'select order_id, member_id, count(*)::int as pictures from evidence group by 1, 2';
const SEEN = `select order_id, member_id, ${ms('seen_at')} as at from order_alerts where seen_at is not null`;
const MEMBERS = `select member_id, online, status, max_open_orders, open_orders, float_balance::text, float_held::text, ${ms('last_assigned_at')} as last_assigned_at from members`;
const ACCOUNTS = 'select account_id, member_id, status, day, day_amount::text from member_accounts';
const WALLETS =
  'select merchant_id, balance::text, reserved::text, frozen::text from merchant_wallets';
const DELIVERIES = `select delivery_id as "deliveryId", order_id as "orderId", event_type, status, body, ${ms('created_at')} as "createdAt" from delivery_states order by sequence`;

/** Rates and fee rules are asked for and approved in one act, which says what came of it. */
const REQUESTS = `select approval_id, kind, requested_by, status, decided_by, ${ms('requested_at')} as at, ${ms('decided_at')} as decided_at from approvals where kind = any(array['adjustment', 'float-adjustment', 'order-confirm', 'order-resolve']) or asked ->> 'endpoint' in ('PATCH /settings', 'PATCH /operators/:operatorId')`;
const SETTINGS = 'select require_second_operator, adjustment_approval_limit::text from settings';

const REQUEST_KIND: Readonly<Record<string, string>> = {
  'float-adjustment': 'float',
  'order-confirm': 'confirm',
  'order-resolve': 'resolve',
  'operator-change': 'operator',
};

/** Reads everything in one snapshot. */
export async function readRows({
  service,
  merchantIds,
  members,
  accountIds,
  admins,
}: Cast): Promise<Rows> {
  const client = await service.database.pool.connect();
  await client.query('begin isolation level repeatable read read only');
  const read = async (text: string): Promise<readonly Row[]> => (await client.query(text)).rows;
  const [orders, moves, people, accounts] = [
    await read(ORDERS),
    await read(MOVES),
    await read(MEMBERS),
    await read(ACCOUNTS),
  ];
  const [wallets, deliveries] = [await read(WALLETS), await read(DELIVERIES)];
  const [notes, evidence, seen] = [await read(NOTES), await read(EVIDENCE), await read(SEEN)];
  const [requests, [settings]] = [await read(REQUESTS), await read(SETTINGS)];
  await client.query('commit');
  client.release();

  const names = new Map<string, string>();
  for (const [name, id] of [...Object.entries(merchantIds), ...Object.entries(accountIds)])
    names.set(id, name);
  for (const [name, { memberId }] of Object.entries(members)) names.set(memberId, name);
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? id));
  const byId = new Map(orders.map((row) => [row.order_id, row]));
  return {
    orders: new Map(
      orders.map((row) => [
        row.order_id,
        { memberId: row.member_id, accountId: row.account_id, holderSince: row.holder_since },
      ]),
    ),
    moves: moves as Rows['moves'],
    deliveries: deliveries as Rows['deliveries'],
    nameOf,
    orderPicture(orderId, reasonsKnown) {
      const row = byId.get(orderId);
      if (row === undefined) return {};
      const sent = deliveries
        .filter((each) => each.orderId === orderId)
        .map((each) => ({ ...each, json: JSON.parse(each.body.toString('utf8')) }));
      return {
        ...orderRow(row, nameOf),
        events: sent
          .map(({ event_type, json, createdAt }) => `${event_type} ${json.status} ${createdAt}`)
          .join(', '),
        reasons: sent.map(({ json }, at) => (reasonsKnown[at] ? json.reason : '')).join(', '),
        notes: notesPicture(
          notes
            .filter((each) => each.order_id === orderId)
            .map((each) => ({
              by: nameOf(each.actor_id) ?? 'customer',
              kind: each.kind,
              amount: each.amount === null ? null : units(each.amount),
              text: each.note,
              at: each.at,
            })),
        ),
      };
    },
    besidePicture(orderId) {
      const of = (all: readonly Row[], fact: string) =>
        listed(
          all
            .filter((each) => each.order_id === orderId)
            .map((each) => [nameOf(each.member_id) as string, each[fact]]),
        );
      return { evidence: of(evidence, 'pictures'), seen: of(seen, 'at') };
    },
    memberPicture(name, now) {
      const row = people.find(({ member_id }) => nameOf(member_id) === name);
      const own = accounts.filter(({ member_id }) => member_id === row.member_id);
      const today = Math.floor(now / DAY);
      return {
        online: row.online,
        active: row.status === 'active',
        maxOpenOrders: row.max_open_orders,
        openOrders: row.open_orders,
        float: amount(row.float_balance),
        held: amount(row.float_held),
        lastAssigned: row.last_assigned_at,
        ...Object.fromEntries(
          own.map(({ account_id, status, day, day_amount }) => [
            nameOf(account_id),
            `${status === 'approved'} ${day === today ? amount(day_amount) : '0'}`,
          ]),
        ),
      };
    },
    merchantPicture(name) {
      const { balance, reserved, frozen } = wallets.find(
        ({ merchant_id }) => nameOf(merchant_id) === name,
      );
      return {
        balance: amount(balance),
        reserved: amount(reserved),
        available: plain(units(balance) - units(reserved)),
        frozen: amount(frozen),
      };
    },
    requestCount: requests.length,
    requestPicture(approvalId) {
      const row = requests.find((each) => each.approval_id === approvalId);
      if (row === undefined) return {};
      const numberOf = (id: string | null) =>
        id === null
          ? null
          : ['env-1', 'env-2', ...admins.map(({ operatorId }) => operatorId)].indexOf(id);
      const { kind, at, status, decided_at } = row;
      return {
        kind: REQUEST_KIND[kind] ?? kind,
        operator: numberOf(row.requested_by),
        at,
        status: status === 'waiting' ? 'pending' : status,
        decidedBy: numberOf(row.decided_by),
        decidedAt: decided_at,
      };
    },
    settings: {
      limit:
        settings.adjustment_approval_limit === null
          ? null
          : amount(settings.adjustment_approval_limit),
      fourEyes: settings.require_second_operator,
    },
  };
}

const orderRow = (row: Row, nameOf: Rows['nameOf']): Picture => ({
  merchant: nameOf(row.merchant_id),
  orderType: row.order_type,
  walletType: row.wallet_type,
  currency: row.currency,
  amount: amount(row.amount),
  fee: row.fee === null ? null : amount(row.fee),
  settlement: amount(row.settlement_amount),
  float: amount(row.float_amount),
  reference: row.merchant_order_ref,
  status: row.status,
  stage: stageOf(row.status as Status, row.order_type, row.sent_at !== null),
  member: nameOf(row.member_id),
  account: nameOf(row.account_id),
  reassignments: row.reassignments,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  awaitingAt: row.awaiting_at,
  assignedAt: row.assigned_at,
  sentAt: row.sent_at,
  completedAt: row.completed_at,
  rejectedAt: row.rejected_at,
  failedAt: row.failed_at,
  cancelledAt: row.cancelled_at,
  dueAt: row.due_at,
  digits: row.transaction_digits,
  settlements: row.settlements,
});
