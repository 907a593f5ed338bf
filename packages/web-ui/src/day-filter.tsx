import { TextInput } from '@mantine/core';
import classes from './filters.module.css';

/** A day among the filters of a list, as `2026-11-23`; the label stands in it. */
export function DayFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  onChange(day: string | undefined): void;
}) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={<span className={classes['day-label']}>{label}</span>}
      leftSectionWidth={68}
      className={classes['day']}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
