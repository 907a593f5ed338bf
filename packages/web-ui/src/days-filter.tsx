import { Button, TextInput } from '@mantine/core';
import { daysOfPeriod, PERIODS } from '@munshi/web';
import { useService } from './api.tsx';
import classes from './filters.module.css';
import { useTimeZone } from './when.tsx';

const NAMES = { today: 'Today', yesterday: 'Yesterday', week: 'This week' };

interface DaysProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  set(days: { readonly from: string | undefined; readonly to: string | undefined }): void;
}

/** Days among the filters of a list, such as `2026-11-23`; each field contains its label. */
export function DaysFilter({ from, to, set }: DaysProps) {
  return (
    <>
      <Periods from={from} to={to} set={set} />
      <Day label="From" value={from} onChange={(day) => set({ from: day, to })} />
      <Day label="Until" value={to} onChange={(day) => set({ from, to: day })} />
    </>
  );
}

/** One press for the usual days; pressed again, for all of them. */
export function Periods({ from, to, set }: DaysProps) {
  const { clock } = useService();
  const timeZone = useTimeZone();
  return (
    <Button.Group className={classes['periods'] ?? ''}>
      {PERIODS.map((period) => {
        const days = daysOfPeriod(period, clock.now(), timeZone);
        const isChosen = from === days.from && to === days.to;
        return (
          <Button
            key={period}
            variant={isChosen ? 'light' : 'default'}
            px={10}
            aria-pressed={isChosen}
            onClick={() => set(isChosen ? { from: undefined, to: undefined } : days)}
          >
            {NAMES[period]}
          </Button>
        );
      })}
    </Button.Group>
  );
}

function Day({
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
      leftSectionWidth={52}
      className={classes['day']}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
