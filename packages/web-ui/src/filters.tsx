import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import Search from 'lucide-react/icons/search';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './filters.module.css';
import { useKeys } from './keyboard.tsx';

/** A row of filters above a list. */
export function FilterBar({
  children,
  count,
  onClear,
}: {
  readonly children: ReactNode;
  /** How many are set. */
  readonly count: number;
  onClear(): void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to every browser yet
    <div role="search" aria-label="Filters" className={classes['bar']}>
      {children}
      {count > 0 ? (
        <Button variant="subtle" onClick={onClear}>
          Clear all
        </Button>
      ) : null}
    </div>
  );
}

interface SearchProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string | undefined;
  /** Called when typing pauses. */
  onChange(value: string | undefined): void;
}

/** What is looked for, as it is typed; `/` goes there. */
export function SearchFilter({ label, placeholder, value, onChange }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value ?? '');
  const said = useRef(value ?? '');
  useEffect(() => {
    if ((value ?? '') === said.current) return;
    said.current = value ?? '';
    setTyped(value ?? '');
  }, [value]);
  const say = useDebouncedCallback((next: string) => {
    said.current = next;
    onChange(next === '' ? undefined : next);
  }, 250);
  useKeys([{ keys: '/', label, run: () => input.current?.focus() }]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      leftSection={<Search size={16} aria-hidden />}
      className={classes['search']}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        say(currentTarget.value);
      }}
    />
  );
}

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** One of some. */
export function ChoiceFilter<Value extends string>({
  label,
  choices,
  value,
  unset,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value | undefined;
  /** The choice where none is made, which cannot be removed. */
  readonly unset?: Value;
  onChange(value: Value | undefined): void;
}) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...choices]}
      value={value ?? unset ?? null}
      clearable={value !== undefined && value !== unset}
      allowDeselect={unset === undefined}
      className={classes['choice']}
      onChange={(chosen) => onChange((chosen as Value | null) ?? undefined)}
    />
  );
}

/** Any number of some. */
export function ChoicesFilter<Value extends string>({
  label,
  choices,
  values,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly values: readonly Value[] | undefined;
  onChange(values: readonly Value[] | undefined): void;
}) {
  return (
    <MultiSelect
      aria-label={label}
      {...((values ?? []).length === 0 && { placeholder: label })}
      data={[...choices]}
      value={[...(values ?? [])]}
      clearable
      className={classes['choice']}
      onChange={(chosen) => onChange(chosen.length === 0 ? undefined : (chosen as Value[]))}
    />
  );
}
