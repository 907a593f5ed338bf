import type { Invariant } from './invariant.ts';

/** C1 to C5: days and shifts that are closed and signed. */

/** Signed closings in order, and the limits of their periods: `width_bucket` finds a posting’s. */
const SIGNED = `signed as (
        select closing_id, starts_at, ends_at, row_number() over (order by ends_at) as number
        from closings
        where status = 'signed'
      ),
      bounds as (
        select array_agg(at order by at) as at
        from (
          (select starts_at as at from signed order by number limit 1)
          union all
          select ends_at from signed
        ) limits
      )`;

interface Rows {
  readonly table: 'closing_merchants' | 'closing_members';
  readonly id: 'merchant_id' | 'member_id';
  /** What each column says of the postings of the period. */
  readonly moved: Readonly<Record<string, string>>;
  /** Balances at the end, what led to each from the one before, and its account in the ledger. */
  readonly held: readonly {
    readonly closing: string;
    readonly opening: string;
    readonly account: string;
  }[];
}

const MERCHANTS: Rows = {
  table: 'closing_merchants',
  id: 'merchant_id',
  moved: {
    deposits: `sum(wallet + fees) filter (where kind = 'settlement' and wallet >= 0)`,
    withdrawals: `sum(wallet + fees) filter (where kind = 'settlement' and wallet < 0)`,
    fees: 'sum(fees)',
    adjustments: `sum(wallet) filter (where kind in ('credit', 'debit'))`,
    frozen: 'sum(frozen)',
  },
  held: [
    { closing: 'closing', opening: 'opening', account: 'wallet' },
    { closing: 'frozen_closing', opening: 'frozen_closing - frozen', account: 'frozen' },
  ],
};
const MEMBERS: Rows = {
  table: 'closing_members',
  id: 'member_id',
  moved: {
    deposits: `sum(member_float) filter (where kind = 'settlement' and member_float < 0)`,
    withdrawals: `sum(member_float) filter (where kind = 'settlement' and member_float >= 0)`,
    adjustments: `sum(member_float) filter (where kind <> 'settlement')`,
  },
  held: [{ closing: 'closing', opening: 'opening', account: 'member_float' }],
};

/** The platform’s own postings move no wallet. */
const WHOSE = {
  merchant_id: 'wallet <> 0 or frozen <> 0 or fees <> 0',
  member_id: 'member_float <> 0',
};

const movedOtherwise = ({ table, id, moved }: Rows) => {
  const names = Object.keys(moved);
  const list = (of: string) => names.map((name) => `coalesce(${of}.${name}, 0)`).join(', ');
  return `
      with ${SIGNED}
      select closing_id, ends_at, ${id},
        ${names.map((name) => `s.${name}, p.${name} as posted_${name}`).join(', ')}
      from (
        select number, ${id}, ${names.join(', ')}
        from signed
        join ${table} using (closing_id)
      ) s
      full join (
        select width_bucket(posted_at, b.at)::bigint as number, ${id},
          ${names.map((name) => `${moved[name]} as ${name}`).join(', ')}
        from postings
        cross join bounds b
        where posted_at >= b.at[1]
          and posted_at < b.at[array_upper(b.at, 1)]
          and ${id} is not null
          and (${WHOSE[id]})
        group by 1, 2
      ) p using (number, ${id})
      join signed using (number)
      where (${list('s')}) <> (${list('p')})`;
};

const openedOtherwise = ({ table, id, held }: Rows) => {
  const own = held.map(({ opening }, at) => `${opening} as opening_${at}`).join(', ');
  const before = held.map(({ closing }, at) => `${closing} as before_${at}`).join(', ');
  const posted = held.map(({ account }, at) => `sum(${account}) as before_${at}`).join(', ');
  return `
      with ${SIGNED},
      stored as (
        select number, t.*
        from signed
        join ${table} t using (closing_id)
      )
      select closing_id, ends_at, ${id},
        ${held.map((_, at) => `opening_${at}, before_${at}`).join(', ')}
      from (
        select number, ${id}, ${own}
        from stored
      ) s
      full join (
        select number + 1 as number, ${id}, ${before}
        from stored
        where number < (select count(*) from signed)
        union all
        select 1, ${id}, ${posted}
        from postings
        cross join bounds b
        where posted_at < b.at[1]
          and ${id} is not null
        group by ${id}
      ) p using (number, ${id})
      join signed using (number)
      where ${held.map((_, at) => `coalesce(opening_${at}, 0) <> coalesce(before_${at}, 0)`).join(' or ')}`;
};

const amountSigned = (sum: string) => [sum, `(detail->>'${sum}')::numeric`] as const;
/** What is signed, and how the audit log has it. */
const SIGNED_WITH = [
  ['decided_by', 'actor_id'],
  ['starts_at', `(detail->>'from')::timestamptz`],
  ['ends_at', `(detail->>'to')::timestamptz`],
  ['note', `detail->>'note'`],
  ...['wallets', 'frozen', 'floats', 'counted'].map(amountSigned),
] as const;

export const CLOSINGS: readonly Invariant[] = [
  {
    id: 'C1',
    rule: 'each signed closing begins where the one before ended',
    broken: `
      select closing_id, starts_at, ends_at, before
      from (
        select closing_id, starts_at, ends_at, lag(ends_at) over (order by ends_at) as before
        from closings
        where status = 'signed'
      ) c
      where starts_at <> before`,
  },
  {
    id: 'C2',
    rule: 'what a signed closing says of a merchant is what was posted in its period',
    broken: movedOtherwise(MERCHANTS),
  },
  {
    id: 'C2',
    rule: 'what a signed closing says of a member is what was posted in its period',
    broken: movedOtherwise(MEMBERS),
  },
  {
    id: 'C3',
    rule: 'a merchant opens a closing with what they closed the one before with, or the ledger had before the first',
    broken: openedOtherwise(MERCHANTS),
  },
  {
    id: 'C3',
    rule: 'a member opens a closing with what they closed the one before with, or the ledger had before the first',
    broken: openedOtherwise(MEMBERS),
  },
  {
    id: 'C4',
    rule: 'a closing was signed by another operator than the one who counted it',
    broken: `
      select closing_id, counted_by, decided_by
      from closings
      where status = 'signed'
        and (decided_by is null or decided_by = counted_by)`,
  },
  {
    id: 'C5',
    rule: 'a signed closing is as its entry in the audit log has it',
    broken: `
      select closing_id, ${SIGNED_WITH.map(([name]) => `s.${name}, a.${name} as entered_${name}`).join(', ')}
      from (
        select closing_id, decided_by, starts_at, ends_at, note, coalesce(wallets, 0) as wallets,
          coalesce(frozen, 0) as frozen, coalesce(floats, 0) as floats,
          coalesce(counted, 0) as counted
        from closings
        left join (
          select closing_id, sum(closing) as wallets, sum(frozen_closing) as frozen
          from closing_merchants
          group by closing_id
        ) w using (closing_id)
        left join (
          select closing_id, sum(closing) as floats, sum(counted) as counted
          from closing_members
          group by closing_id
        ) f using (closing_id)
        where status = 'signed'
      ) s
      full join (
        select target::uuid as closing_id,
          ${SIGNED_WITH.map(([name, entered]) => `${entered} as ${name}`).join(', ')}
        from audit_log
        where action = 'closing.sign'
      ) a using (closing_id)
      where row(${SIGNED_WITH.map(([name]) => `s.${name}`).join(', ')})
        is distinct from row(${SIGNED_WITH.map(([name]) => `a.${name}`).join(', ')})`,
  },
  {
    id: 'C5',
    rule: 'each count of a signed closing is one that its counter typed in',
    broken: `
      select closing_id, ends_at, member_id, m.counted, m.note
      from closing_members m
      join closings c using (closing_id)
      where not exists (
        select
        from audit_log
        where action = 'closing.count'
          and target = closing_id::text
          and actor_id = c.counted_by
          and (detail->>'memberId')::uuid = member_id
          and (detail->>'counted')::numeric is not distinct from m.counted
          and detail->>'note' is not distinct from m.note
      )`,
  },
];
