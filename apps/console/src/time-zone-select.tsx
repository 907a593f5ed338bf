import { Select } from '@mantine/core';
import { useMemo } from 'react';
import classes from './time-zone-select.module.css';

/** Names of today that browsers still list by their old ones. */
const RENAMED: Readonly<Record<string, string>> = { 'Asia/Calcutta': 'Asia/Kolkata' };
const LISTED_MAX = 100;

/** Every zone of the browser's tz database, and the ones that it would leave out. */
function zonesWith(chosen: string | undefined): string[] {
  const listed = Intl.supportedValuesOf('timeZone').map((zone) => RENAMED[zone] ?? zone);
  return [...new Set(['UTC', ...listed, ...(chosen === undefined ? [] : [chosen])])].sort();
}
const useZones = (chosen: string | undefined) => useMemo(() => zonesWith(chosen), [chosen]);

/** `GMT+5`, as it is there now. */
const offsetOf = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

const renderOption = ({ option }: { readonly option: { readonly value: string } }) => (
  <span className={classes['option']}>
    {option.value}
    <span className="quiet">{offsetOf(option.value)}</span>
  </span>
);

interface ZoneProps<Value> {
  readonly label: string;
  readonly value: Value;
  onChange(zone: Value): void;
}

/** A time zone by its name in the tz database. */
export function TimeZoneSelect({
  label,
  description,
  value,
  onChange,
}: ZoneProps<string> & { readonly description: string }) {
  return (
    <Select
      label={label}
      description={description}
      data={useZones(value)}
      limit={LISTED_MAX}
      searchable
      allowDeselect={false}
      value={value}
      renderOption={renderOption}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
    />
  );
}

/** The same among the filters of a list: what holds without one stands in it. */
export function ZoneFilter({ label, value, onChange }: ZoneProps<string | undefined>) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      className={classes['filter']}
      data={useZones(value)}
      limit={LISTED_MAX}
      searchable
      clearable
      value={value ?? null}
      renderOption={renderOption}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}
