import type { Invariant } from './invariant.ts';

/** Automatic attempts of a delivery (webhooks.md#when-it-does-not-arrive). */
const ATTEMPTS_MAX = 10;

/** W1 to W6: deliveries and their attempts. */
export const WEBHOOKS: readonly Invariant[] = [
  {
    id: 'W1',
    rule: 'each outcome was written with exactly one delivery, or before the feed without a URL with none',
    broken: `
      select o.order_id, o.event_type, o.at, d.count
      from (
        select merchant_id, order_id, callback_url, 'order.completed' as event_type,
          completed_at as at
        from orders
        where status = 'Completed'
        union all
        select merchant_id, order_id, callback_url, 'order.failed', failed_at
        from orders
        where failed_at is not null
      ) o
      left join (
        select merchant_id, order_id, event_type, created_at as at, count(*)
        from deliveries
        group by merchant_id, order_id, event_type, created_at
      ) d using (merchant_id, order_id, event_type, at)
      where coalesce(d.count, 0) not in (1, (o.callback_url is not null)::integer)`,
  },
  {
    id: 'W1',
    rule: 'a delivery tells an outcome that its order has had, or is a test or an alert of its merchant',
    broken: `
      select d.delivery_id, d.event_type, o.order_id, o.status
      from deliveries d
      left join orders o on o.merchant_id = d.merchant_id and o.order_id = d.order_id
      left join merchant_alerts b on b.alert_id = d.order_id and b.merchant_id = d.merchant_id
      where (o.order_id is null) <> (
          (d.event_type = 'webhook.test' and d.order_id = d.merchant_id)
          or (d.event_type like 'alert.%' and b.alert_id is not null)
        )
        or (d.event_type = 'order.completed' and o.status not in ('Completed', 'Confirmed'))
        or (d.event_type = 'order.failed' and o.failed_at is null)`,
  },
  {
    id: 'W2',
    rule: 'the attempts of a delivery are numbered from 1, or behind those that were removed, with nothing missing, and those beyond 10 were asked for by an operator',
    broken: `
      select a.delivery_id, d.attempts_removed, count(*), min(a.number), max(a.number)
      from delivery_attempts a
      left join deliveries d on d.merchant_id = a.merchant_id and d.delivery_id = a.delivery_id
      group by a.merchant_id, a.delivery_id, d.attempts_removed
      having min(a.number) <> coalesce(d.attempts_removed, 0) + 1
        or max(a.number) <> coalesce(d.attempts_removed, 0) + count(*)
        or bool_or(a.number > ${ATTEMPTS_MAX} and not a.requested)`,
  },
  {
    id: 'W2',
    rule: 'an attempt that nobody asked for comes no sooner than its delay after the one before',
    broken: `
      select delivery_id, number, started_at, previous
      from (
        select *,
          lag(started_at) over (partition by merchant_id, delivery_id order by number) as previous
        from delivery_attempts
      ) as attempts
      where not requested
        and number > 1
        and started_at < previous + 2 ^ (number - 2) * (
          select case when sandbox then interval '1 second' else interval '1 minute' end
          from settings
        )`,
  },
  {
    id: 'W3',
    rule: 'no attempt of an older event starts after one of a newer event of its order',
    broken: `
      select delivery_id, last_at, newer_at
      from (
        select delivery_id, a.last_at,
          min(a.first_at) over (
            partition by merchant_id, order_id
            order by sequence desc
            rows between unbounded preceding and 1 preceding
          ) as newer_at
        from deliveries d
        join (
          select merchant_id, delivery_id, max(started_at) as last_at,
            min(started_at) filter (where number = 1) as first_at
          from delivery_attempts
          group by merchant_id, delivery_id
        ) a using (merchant_id, delivery_id)
      ) as tried
      where last_at > newer_at`,
  },
  {
    id: 'W4',
    rule: 'no attempt of a delivery comes after one that was acknowledged',
    broken: `
      select late.delivery_id, late.number
      from delivery_attempts done
      join delivery_attempts late
        on late.merchant_id = done.merchant_id
        and late.delivery_id = done.delivery_id
        and late.number > done.number
      where done.succeeded`,
  },
  {
    id: 'W4',
    rule: 'deliveries of the same event of an order tell the same, each with a time of its own',
    broken: `
      select merchant_id, order_id, event_type, count(distinct content)
      from (
        select merchant_id, order_id, event_type,
          convert_from(body, 'UTF8')::jsonb - 'timestamp' as content
        from deliveries
        where event_type not like 'alert.%'
      ) as d
      group by merchant_id, order_id, event_type
      having count(distinct content) > 1`,
  },
  {
    id: 'W4',
    rule: 'what was acknowledged is not attempted again after its attempts were removed',
    broken: `
      select a.delivery_id, a.number
      from delivery_attempts a
      join deliveries d on d.merchant_id = a.merchant_id and d.delivery_id = a.delivery_id
      where d.was_acknowledged`,
  },
  {
    id: 'W5',
    rule: 'a delivery is waiting, acknowledged, abandoned after its attempts, or superseded by a newer one',
    broken: `
      select delivery_id, status, attempts
      from delivery_states
      where status is null
        or (status = 'abandoned' and attempts < ${ATTEMPTS_MAX})`,
  },
  {
    id: 'W5',
    rule: 'what waits is the newest delivery of its order, which nobody has acknowledged, with as many attempts as it has had',
    broken: `
      select q.order_id, q.delivery_id, q.attempts, made.attempts as made
      from delivery_queue q
      left join deliveries d
        on d.merchant_id = q.merchant_id
        and d.delivery_id = q.delivery_id
        and d.order_id = q.order_id
        and d.host = q.host
      left join (
        select merchant_id, order_id, max(sequence) as sequence
        from deliveries
        group by merchant_id, order_id
      ) newest on newest.merchant_id = q.merchant_id and newest.order_id = q.order_id
      left join (
        select merchant_id, delivery_id, count(*) as attempts, bool_or(succeeded) as acknowledged
        from delivery_attempts
        group by merchant_id, delivery_id
      ) made on made.merchant_id = q.merchant_id and made.delivery_id = q.delivery_id
      where d.delivery_id is null
        or d.url is null
        or d.abandoned
        or made.acknowledged
        or coalesce(made.attempts, 0) + d.attempts_removed <> q.attempts
        or d.body is null
        or d.sequence <> newest.sequence`,
  },
  {
    id: 'W6',
    rule: 'nothing due lies unclaimed for more than 120 seconds',
    broken: `
      select delivery_id, next_attempt_at, claimed_until
      from delivery_queue
      where next_attempt_at < (select now from given) - interval '120 seconds'
        and coalesce(claimed_until < (select now from given), true)`,
  },
];
