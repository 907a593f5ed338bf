import { Effect, Effects, Money } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from './changes-texts.ts';
import { useMethodName } from './method-names.tsx';

type Value = unknown;

/** In wallet currency, unless the fields name another one. */
const MONEY: ReadonlySet<string> = new Set([
  'amount',
  'walletAmount',
  'adjustmentApprovalLimit',
  'minimumPerOrder',
  'maximumPerOrder',
  'maximumPerDay',
]);
const EXACT = /^-?\d+(\.\d+)?$/;
/** Where the id in a field leads. */
const PAGES: Readonly<Record<string, string>> = {
  merchantId: '/merchants',
  memberId: '/members',
  orderId: '/orders',
};

const METHOD_FIELDS: ReadonlySet<string> = new Set([
  'walletType',
  'depositMethods',
  'withdrawalMethods',
]);

function shown(name: string, value: Value, fields: Readonly<Record<string, Value>>): ReactNode {
  if (value === null || value === '') return texts.nothing;
  if (METHOD_FIELDS.has(name)) return <Methods value={value} />;
  const text = plainText(value);
  if (MONEY.has(name) && EXACT.test(text))
    return <Money amount={text} currency={String(fields['currency'] ?? 'PKR')} />;
  const page = PAGES[name];
  if (page !== undefined) return <Link href={`${page}/${text}`}>{texts.open}</Link>;
  return <bdi>{text}</bdi>;
}

/** What is written as JSON, such as a list of addresses, as people read it. */
function plainText(value: Value): string {
  if (Array.isArray(value))
    return value.length === 0 ? texts.nothing : value.map(plainText).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, one]) => `${texts.field(name)}: ${plainText(one)}`)
      .join(', ');
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  const text = String(value);
  const written = /^[[{]/.test(text) ? readJson(text) : undefined;
  return written === undefined ? text : plainText(written);
}

function readJson(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Methods by their names. */
function Methods({ value }: { readonly value: Value }) {
  const nameOf = useMethodName();
  const methods = plainText(value).split(', ');
  return <bdi>{methods.map(nameOf).join(', ')}</bdi>;
}

/** These say nothing to people, or stand elsewhere. */
const LEFT_OUT: ReadonlySet<string> = new Set(['accountId', 'adjustmentId', 'currency']);

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
