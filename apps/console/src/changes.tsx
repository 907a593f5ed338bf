import { Effect, Effects } from '@munshi/web-ui';
import { texts } from './changes-texts.ts';

type Value = unknown;

const shown = (value: Value): string => {
  if (value === null || value === '') return texts.nothing;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

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
    ([name]) => !(name.endsWith('Before') && name.slice(0, -6) in fields),
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
            {...(changed && { before: shown(before) })}
            after={<bdi>{shown(value)}</bdi>}
          />
        );
      })}
    </Effects>
  );
}
