import { ActionIcon } from '@mantine/core';
import X from 'lucide-react/icons/x';
import classes from './orders.module.css';

/** Each filter that is set, to be taken away. The search stands in its box. */
export function FilterChips<Name extends string>({
  fields,
  shown,
  remove,
}: {
  readonly fields: Readonly<Record<Name, string>>;
  /** In words; undefined for what is not set. */
  readonly shown: { readonly [Each in Name]?: string | undefined };
  remove(name: Name): void;
}) {
  return (Object.keys(shown) as Name[]).map((name) => {
    const value = shown[name];
    if (value === undefined) return null;
    return (
      <span key={name} className={classes['chip']}>
        {fields[name]}: <b>{value}</b>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          radius="xl"
          aria-label={`Remove ${fields[name]}: ${value}`}
          onClick={() => remove(name)}
        >
          <X size={12} aria-hidden />
        </ActionIcon>
      </span>
    );
  });
}
