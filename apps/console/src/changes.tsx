import { Effect, Effects, Money } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from './changes-texts.ts';

type Value = unknown;

/** In wallet currency, unless the fields name another one. */
const MONEY: ReadonlySet<string> = new Set(['amount', 'walletAmount', 'adjustmentApprovalLimit']);
const EXACT = /^-?\d+(\.\d+)?$/;
/** Where the id in a field leads. */
const PAGES: Readonly<Record<string, string>> = {
  merchantId: '/merchants',
  memberId: '/members',
  orderId: '/orders',
};

function shown(name: string, value: Value, fields: Readonly<Record<string, Value>>): ReactNode {
  if (value === null || value === '') return texts.nothing;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (MONEY.has(name) && EXACT.test(text))
    return <Money amount={text} currency={String(fields['currency'] ?? 'PKR')} />;
  const page = PAGES[name];
  if (page !== undefined) return <Link href={`${page}/${text}`}>{texts.open}</Link>;
  return <bdi>{text}</bdi>;
}

/** These say nothing to people, or stand elsewhere. */
const LEFT_OUT: ReadonlySet<string> = new Set(['adjustmentId', 'currency']);

/**
 * The fields of a request or an audit entry: before → after where both are known. A field's value
 * before stands beside it, as `…Before`.
 */
export function Changes({
  label,
  fields,
}: {
  readonly label: string;
  readonly fields: Readonly<Record<string, Value>>;
}) {
  const told = Object.entries(fields).filter(
    ([name]) => !LEFT_OUT.has(name) && !(name.endsWith('Before') && name.slice(0, -6) in fields),
  );
  // The names of what was changed say nothing beside the values.
  const values = told.filter(([name]) => name !== 'fields');
  const rows = values.length > 0 ? values : told;
  return (
    <Effects label={label}>
      {rows.map(([name, value]) => {
        const before = fields[`${name}Before`];
        const changed = before !== undefined && before !== value;
        return (
          <Effect
            key={name}
            what={texts.field(name)}
            {...(changed && { before: shown(name, before, fields) })}
            after={shown(name, value, fields)}
          />
        );
      })}
    </Effects>
  );
}
