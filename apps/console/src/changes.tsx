import { exactDurationText, groupedAmount } from '@munshi/web';
import { Effect, Effects, Money } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { choiceLabel, fieldLabel, placeOf } from './field-names.ts';
import { useMethodName } from './method-names.ts';
import { useMemberName, useMerchantName } from './picks.tsx';

type Value = unknown;
/** What ids among the fields are called, where the service has said it. */
type Names = Readonly<Record<string, string>>;

/** In wallet currency, unless the fields name another one. */
const MONEY: ReadonlySet<string> = new Set([
  'amount',
  'walletAmount',
  'balance',
  'lowBalance',
  'creditOf10000',
  'adjustmentApprovalLimit',
  'minimumPerOrder',
  'maximumPerOrder',
  'maximumPerDay',
]);
/** In the currency of orders. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'fixed',
  'minimum',
  'maximum',
  'fromAmount',
  'toAmount',
  'exampleAmount',
  'exampleFee',
]);
const EXACT = /^-?\d+(\.\d+)?$/;
/** Of whom a field has the id; their name may stand in another one, which is left out. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  merchantId: ['merchant', 'merchantName'],
  memberId: ['member', 'memberName'],
};

const METHOD_FIELDS: ReadonlySet<string> = new Set([
  'walletType',
  'depositMethods',
  'withdrawalMethods',
]);

function shown(
  name: string,
  value: Value,
  fields: Readonly<Record<string, Value>>,
  names: Names,
): ReactNode {
  if (value === null || value === '') return 'none';
  if (METHOD_FIELDS.has(name)) return <Methods value={value} />;
  const text = plainText(value);
  if (MONEY.has(name) && EXACT.test(text))
    return <Money amount={text} currency={String(fields['currency'] ?? 'PKR')} />;
  if (AMOUNTS.has(name) && EXACT.test(text)) return <bdi>{groupedAmount(text)}</bdi>;
  if (/Seconds$/.test(name)) return exactDurationText(Number(value));
  if (name === 'merchantId') return <MerchantLink merchantId={text} />;
  if (name === 'memberId') return <MemberLink memberId={text} />;
  if (name === 'orderId') return <Link href={`/orders/${text}`}>Open</Link>;
  return <bdi>{names[text] ?? choiceLabel(name, text)}</bdi>;
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

/** These say nothing to people, or stand elsewhere. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'accountId',
  'adjustmentId',
  'currency',
  'portalUserId',
]);

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
        !LEFT_OUT.has(name) &&
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
            {...(changed && { before: shown(name, before, fields, names) })}
            after={shown(name, value, fields, names)}
          />
        );
      })}
    </Effects>
  );
}
