import { METHODS, MOVES, WALLET_TYPES } from '@munshi/core';
import { ENDED, FAILED, IN_HAND, LEGACY, OPEN } from '../../engine/rows/order-statuses.ts';
import type { Invariant } from './invariant.ts';

/** How late the clock's work may be (S8). */
const LATENESS = `interval '65 seconds'`;

/** The table of moves of core. */
const MOVE_ROWS = MOVES.flatMap(({ orderType, from, trigger, to }) =>
  from === null ? [] : [`('${orderType}', '${from}', '${trigger}', '${to}')`],
).join(', ');

const providerOf = (walletType: string) =>
  `case ${walletType} ${WALLET_TYPES.map(
    (method) => `when '${method}' then '${METHODS[method].provider}'`,
  ).join(' ')} end`;

const dayOf = (column: string) => `floor(extract(epoch from ${column}) / 86400)::integer`;

/** S1 to S11: the moves of orders, their holders, and what members said and sent about them. */
export const ORDERS: readonly Invariant[] = [
  {
    id: 'S1',
    rule: 'every step is in the table of moves, follows the one before, and the last one is the status',
    // Of an order that was over the steps may be removed, all of them: those that are there follow
    // a late confirmation. Which orders those are follows from how far the work has come, and what
    // it left.
    broken: `
      with reached as (
        select max(through::text)::uuid as through
        from retention_days
        where kind = 'history'
      ), steps as (
        select o.order_id, o.order_type, o.status, o.created_status, o.moves,
          m.number, m.from_status, m.to_status, m.trigger,
          coalesce(o.order_id <= r.through and l.id is null, false) as trimmed,
          lag(m.number) over by_number as number_before,
          lag(m.to_status) over by_number as previous,
          lead(m.to_status) over by_number as following
        from orders o
        cross join reached r
        left join retention_left l on l.id = o.order_id and l.kind = 'history'
        left join order_moves m on m.merchant_id = o.merchant_id and m.order_id = o.order_id
        window by_number as (partition by o.merchant_id, o.order_id order by m.number)
      )
      select *
      from steps
      where (
          number is null
          and (moves <> 0 or created_status <> status)
          and not (trimmed and status in ${ENDED})
        )
        or (
          number is not null
          and (
            number <> coalesce(number_before + 1, case when trimmed then number else 1 end)
            or from_status <> coalesce(previous, case number when 1 then created_status end, '')
              and not (previous is null and number > 1 and from_status in ${FAILED})
            or (following is null and (to_status <> status or number <> moves))
            or (order_type, from_status, trigger, to_status) not in (values ${MOVE_ROWS})
          )
        )`,
  },
  {
    id: 'S2',
    rule: 'final is final, but for a failed order that an operator confirms',
    broken: `
      select order_id, from_status, to_status
      from order_moves
      where from_status not in ${OPEN}
        and not (from_status in ${FAILED} and to_status = 'Completed' and actor_kind = 'operator')`,
  },
  {
    id: 'S4',
    rule: 'stamps are in order; a failed withdrawal that is confirmed late was sent then',
    broken: `
      select order_id, status
      from orders
      where awaiting_at < created_at
        or assigned_at < created_at
        or sent_at < assigned_at
        or completed_at < coalesce(sent_at, created_at)
        or failed_at < coalesce(assigned_at, created_at)
        or rejected_at <> failed_at
        or expires_at <= created_at
        or (
          failed_at < sent_at
          and not (order_type = 'Withdrawal' and coalesce(sent_at = completed_at, false))
        )`,
  },
  {
    id: 'S5',
    rule: 'one live order for a reference; a live order without it was confirmed late',
    broken: `
      select merchant_id, merchant_order_ref, count(*)
      from orders
      where merchant_order_ref is not null
        and status not in ${FAILED}
        and failed_at is null
      group by merchant_id, merchant_order_ref
      having count(*) > 1 or count(live_reference) <> count(*)`,
  },
  {
    id: 'S6',
    rule: 'one order for an Idempotency-Key of an API key',
    broken: `
      select merchant_id, api_key_id, idempotency_key, count(*)
      from orders
      group by merchant_id, api_key_id, idempotency_key
      having count(*) > 1`,
  },
  {
    id: 'S7',
    rule: 'a signed body is remembered with the Idempotency-Key of its order',
    broken: `
      select o.order_id, o.idempotency_key, r.idempotency_key as remembered
      from orders o
      join signature_replays r
        on r.merchant_id = o.merchant_id
        and r.key_id = o.api_key_id
        and r.digest = o.signature_digest
      where r.idempotency_key <> o.idempotency_key and r.accepted_at <= o.created_at`,
  },
  {
    id: 'S8',
    rule: 'nothing stays past its deadline for more than 65 seconds',
    broken: `
      select order_id, status, due_at
      from orders
      where due_at < (select now from given) - ${LATENESS}
        and status not in ${LEGACY}`,
  },
  {
    id: 'S9',
    rule: 'a held order has one member with an account of the right method or provider',
    broken: `
      select o.order_id, o.status, o.order_type, o.wallet_type, a.wallet_type as account,
        o.reassignments, o.max_retry_count
      from orders o
      left join member_accounts a on a.account_id = o.account_id and a.member_id = o.member_id
      where o.status in ${IN_HAND}
        and o.member_id is not null
        and (
          a.account_id is null
          or o.reassignments > o.max_retry_count
          or o.reassignments <> coalesce(cardinality(o.former_member_ids), 0)
          or o.member_id = o.former_member_ids[cardinality(o.former_member_ids)]
          or (o.order_type = 'Deposit' and a.wallet_type <> o.wallet_type)
          or (
            o.order_type = 'Withdrawal'
            and ${providerOf('a.wallet_type')}
              <> ${providerOf('o.wallet_type')}
          )
        )`,
  },
  {
    id: 'S10',
    rule: "a member's open orders and held float are those of the orders in hand",
    broken: `
      select m.member_id, m.open_orders, m.float_held,
        coalesce(o.open, 0) as counted, coalesce(o.held, 0) as summed
      from members m
      left join (
        select member_id,
          count(*) as open,
          sum(float_amount) filter (where order_type = 'Deposit') as held
        from orders
        where status in ${IN_HAND} and member_id is not null
        group by member_id
      ) o using (member_id)
      where m.open_orders <> coalesce(o.open, 0)
        or m.float_held <> coalesce(o.held, 0)
        or (m.float_balance < m.float_held and not m.float_overdrawn)`,
  },
  {
    id: 'S10',
    rule: "an account's usage of the day is that of its orders, and within its limit",
    broken: `
      select a.account_id, a.day_amount, coalesce(sum(o.float_amount), 0) as counted,
        a.maximum_per_day
      from member_accounts a
      left join orders o
        on o.account_id = a.account_id
        and ${dayOf('o.holder_since')} = a.day
        and o.failed_at is null
      group by a.account_id
      having a.day_amount <> coalesce(sum(o.float_amount), 0)
        or a.day_amount > a.maximum_per_day`,
  },
  {
    id: 'S11',
    rule: 'a picture is of an order',
    broken: `
      select evidence_id, order_id, member_id
      from evidence e
      where not exists (select from orders o where o.order_id = e.order_id)`,
  },
];
