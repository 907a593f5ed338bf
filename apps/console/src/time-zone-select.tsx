import { Select } from '@mantine/core';
import { useMemo } from 'react';
import classes from './time-zone-select.module.css';

/** Names of today that browsers still list by their old ones. */
const RENAMED: Readonly<Record<string, string>> = { 'Asia/Calcutta': 'Asia/Kolkata' };
const LISTED_MAX = 100;

/** Every zone of the browser's tz database, and the ones that it would leave out. */
function zonesWith(chosen: string): string[] {
  const listed = Intl.supportedValuesOf('timeZone').map((zone) => RENAMED[zone] ?? zone);
  return [...new Set(['UTC', ...listed, chosen])].sort();
}
const useZones = (chosen: string) => useMemo(() => zonesWith(chosen), [chosen]);

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

/** A time zone by its name in the tz database. */
export function TimeZoneSelect({
  label,
  description,
  value,
  onChange,
}: {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  onChange(zone: string): void;
}) {
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
