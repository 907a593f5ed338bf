import { exactDurationText, fieldName, groupedAmount } from '@munshi/web';
import { Effect, Effects, Money, When } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { fieldLabel, fieldOf, placeOf } from './field-names.ts';
import { useMethodName } from './method-names.ts';
import { useMemberName, useMerchantName } from './picks.tsx';

type Value = unknown;
/** What ids among the fields are called, where the service has said it. */
type Names = Readonly<Record<string, string>>;

const EXACT = /^-?\d+(\.\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\dT/;

/** Of whom a field has the id; their name may stand in another one, which is left out. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  merchantId: ['merchant'],
  memberId: ['member', 'memberName'],
};

function shown(name: string, value: Value, names: Names): ReactNode {
  if (value === null || value === '') return 'none';
  const text = plainText(value);
  const named = <bdi>{names[text] ?? text}</bdi>;
  switch (fieldOf(name).kind) {
    case 'money':
      return EXACT.test(text) ? <Money amount={text} currency="PKR" /> : named;
    case 'amount':
      return EXACT.test(text) ? <bdi>{groupedAmount(text)}</bdi> : named;
    case 'percent':
      return `${text} %`;
    case 'basisPoints':
      return `${Number(text) / 100} %`;
    case 'seconds':
      return exactDurationText(Number(text));
    case 'time':
      return TIME.test(text) ? <When at={text} /> : named;
    case 'choice':
      return <bdi>{/^[A-Za-z-]+$/.test(text) ? fieldName(text) : text}</bdi>;
    case 'methods':
      return <Methods value={value} />;
    case 'fields':
      return text.split(', ').map(fieldLabel).join(', ');
    case 'merchant':
      return <MerchantLink merchantId={text} />;
    case 'member':
      return <MemberLink memberId={text} />;
    case 'order':
      return <Link href={`/orders/${text}`}>Open</Link>;
    default:
      return named;
  }
}

/** What is written as JSON, such as a list of addresses, as people read it. */
function plainText(value: Value): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(itemText).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, one]) => `${fieldLabel(name)}: ${plainText(one)}`)
      .join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = String(value);
  const written = /^[[{]/.test(text) ? readJson(text) : undefined;
  return written === undefined ? text : plainText(written);
}

/** An entry of a list: what it has says enough without names. */
const itemText = (item: Value): string =>
  typeof item === 'object' && item !== null
    ? Object.values(item).map(plainText).join(' ')
    : plainText(item);

function readJson(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function MerchantLink({ merchantId }: { readonly merchantId: string }) {
  const name = useMerchantName(merchantId);
  return <Link href={`/merchants/${merchantId}`}>{name ?? 'Open'}</Link>;
}

function MemberLink({ memberId }: { readonly memberId: string }) {
  const name = useMemberName(memberId);
  return <Link href={`/members/${memberId}`}>{name ?? 'Open'}</Link>;
}

/** Methods by their names. */
function Methods({ value }: { readonly value: Value }) {
  const nameOf = useMethodName();
  const methods = plainText(value).split(', ');
  return <bdi>{methods.map((method) => nameOf(method)).join(', ')}</bdi>;
}

/**
 * The fields of a request or an audit entry: before → after where both are known. A field's value
 * before is next to it, as `…Before`.
 */
export function Changes({
  label,
  fields,
  names = {},
}: {
  readonly label: string;
  readonly fields: Readonly<Record<string, Value>>;
  readonly names?: Names;
}) {
  const named = Object.entries(NAMES).flatMap(([id, names]) => (id in fields ? names : []));
  const entries = Object.entries(fields)
    .filter(
      ([name]) =>
        fieldOf(name).kind !== 'hidden' &&
        !named.includes(name) &&
        !(name.endsWith('Before') && name.slice(0, -6) in fields),
    )
    .sort(([one], [other]) => placeOf(one) - placeOf(other));
  // The names of what was changed say nothing beside the values.
  const values = entries.filter(([name]) => name !== 'fields');
  const rows = values.length > 0 ? values : entries;
  return (
    <Effects label={label}>
      {rows.map(([name, value]) => {
        const before = fields[`${name}Before`];
        const changed = before !== undefined && before !== value;
        return (
          <Effect
            key={name}
            what={fieldLabel(name)}
            {...(changed && { before: shown(name, before, names) })}
            after={shown(name, value, names)}
          />
        );
      })}
    </Effects>
  );
}
