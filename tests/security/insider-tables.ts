import { LIMIT, THEIR_ACCOUNT, type World } from './insider-world.ts';

/** What the group has, read from the tables and not from what the service says. */

/** What gives power, a line each. A protection that is gone is one more. */
const POWER = `
  select 'rate ' || currency || ' ' || rate from exchange_rates
  union all select 'fee rule ' || fee_rule_id from fee_rules where valid_until is null
  union all select 'fee rule ended ' || fee_rule_id from fee_rules where valid_until is not null
  union all select 'rule off' from settings where not require_second_operator
  union all select 'limit' from settings
    where adjustment_approval_limit is null or adjustment_approval_limit > ${LIMIT}
  union all select 'payouts taken from their members' from settings
    where payout_window_seconds < 3600 or sending_grace_seconds < 600
  union all select 'payout to them ' || order_id from orders
    where customer_account_number = '${THEIR_ACCOUNT}'
  union all select 'no stop' from settings where not stop_withdrawals_on_breach
  union all select 'no alert ' || merchant_id from merchant_alert_settings
    where merchant_id = any($1) and not (failing_webhooks and 'ops@shop.example' = any(alert_emails))
  union all select role || ' ' || username from operators where status = 'active'
  union all select 'admin ' || username from operators
    where role = 'approver' and status = 'active'
  union all select 'supporter ' || username from operators
    where role <> 'viewer' and status = 'active'
  union all select 'operator ' || username from operators where status = 'active'
  union all select 'password ' || operator_id || password_hash from operators
    where password_hash is not null
  union all select 'token of ' || principal_id || ' ' || session_id from sessions
    where kind = 'operator-token'
  union all select 'codes off ' || operator_id from operators o where not exists (
    select from operator_codes c where c.operator_id = o.operator_id)
  union all select 'link ' || principal_kind || ' ' || link_id from recovery_links
    where principal_kind <> 'portal'
  union all select 'key ' || key_id from api_keys
    where revoked_at is null and merchant_id <> $2 -- of the accomplice they have one already
  union all select 'own keys ' || merchant_id from merchants where own_keys_allowed
  union all select 'whitelist ' || merchant_id || ip_whitelist from merchants
    where not (ip_whitelist ->> 'enabled')::boolean and merchant_id = any($1)
  union all select 'member ' || member_id || password_hash from members
  union all select 'account ' || account_id || ' ' || coalesce(minimum_per_order::text, 'any')
      || ' ' || coalesce(maximum_per_order::text, 'any')
      || ' ' || coalesce(maximum_per_day::text, 'any')
    from member_accounts where status = 'approved'
  -- of these merchants they have an admin already
  union all select 'merchant admin ' || portal_user_id || coalesce(password_hash, '')
      || coalesce(email, '')
    from portal_users
    where role = 'admin' and status = 'active' and merchant_id <> all($3)
  union all select 'link for a merchant admin ' || link_id
    from recovery_links l join portal_users u on u.portal_user_id = l.principal_id
    where u.role = 'admin' and u.merchant_id <> all($3)`;

export async function powerOf({
  service,
  merchant,
  issuer,
  accomplice,
}: World): Promise<ReadonlySet<string>> {
  const { rows } = await service.database.pool.query({
    name: 'power', // its plan takes longer than its rows
    text: `select what from (${POWER}) as power (what)`,
    values: [
      [merchant.merchantId, issuer.merchantId],
      accomplice.merchantId,
      [accomplice.merchantId, merchant.merchantId],
    ],
  });
  return new Set(rows.map(({ what }) => what));
}

const TODAY = `date_trunc('day', $2::timestamptz at time zone 'utc') at time zone 'utc'`;

/**
 * What operators of one sum have moved today and nobody outside of the group agreed to, in PKR. A
 * withdrawal that its member was sending, and that is cancelled, is paid to its customer and given
 * back.
 */
const MOVED = `
  with mine as (
    select * from audit_log
    where actor_id = any($1) and at >= ${TODAY}
      and coalesce(detail ->> 'requestedBy', actor_id) = any($3)
  )
  select coalesce(sum(amount), 0)::float8 as sum from (
    select amount from adjustments
    where requested_by = any($1) and status = 'applied' and requested_at >= ${TODAY}
      and coalesce(approved_by, requested_by) = any($3)
    union all
    select abs((detail ->> 'amount')::numeric) from mine where action = 'member.float'
    union all
    select o.float_amount from mine m join orders o on o.order_id::text = m.target
    where m.action in ('order.confirm', 'order.confirm-approve')
      or (m.action in ('order.resolve', 'order.resolve-approve')
        and m.detail ->> 'outcome' = 'Completed')
    union all
    select o.float_amount from mine m join orders o on o.order_id::text = m.target
    where o.order_type = 'Withdrawal' and o.status = 'Cancelled'
      and m.action in ('order.cancel', 'order.resolve', 'order.resolve-approve') and exists (
        select from order_notes n where n.order_id = o.order_id and n.kind = 'sending')
  ) as money`;

/**
 * What has come to the accomplice and to the members of the group today, in PKR. What one of them
 * gives another is nothing. Nobody outside of the group gives them anything.
 */
const GAINED = `
  select coalesce(sum(greatest(amount, 0)), 0)::float8 as sum from (
    select (case when merchant_id = $3 then wallet + frozen else 0 end)
      + (case when member_id = any($1) then member_float else 0 end) as amount
    from postings where posted_at >= ${TODAY} and posted_at > $4
  ) as money`;

interface Taken {
  /** Of each sum. */
  readonly moved: readonly number[];
  readonly gained: number;
}

/** Since the group began, today. */
export async function takenBy(
  { service, operators, sums, accomplice, own }: World,
  began: Date,
): Promise<Taken> {
  const { pool } = service.database;
  const now = new Date(service.app.deps.clock.now());
  const { merchantId } = accomplice;
  const sumOf = async (name: string, text: string, ...values: unknown[]) =>
    (await pool.query({ name, text, values })).rows[0].sum as number;
  const idsOf = (each: World['operators']) => each.map(({ operatorId }) => operatorId);
  const moved: number[] = [];
  for (const each of sums)
    moved.push(await sumOf('moved', MOVED, idsOf(each), now, idsOf(operators)));
  return {
    moved,
    gained: await sumOf('gained', GAINED, [own.memberId], now, merchantId, began),
  };
}
