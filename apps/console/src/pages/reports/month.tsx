import { ActionIcon, Select } from '@mantine/core';
import { isMonth } from '@munshi/web';
import { Chip, monthName, text, useFilters, useKeys, useService } from '@munshi/web-ui';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import classes from './reports.module.css';

const FILTERS = { month: text() };
/** As far back as the list goes; the address goes further. */
const LISTED = 60;

/** `2026-10`, so many months later. */
const monthAfter = (month: string, months: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
};

/** The month of the address, else the present one where the reader is. */
export function useReportMonth() {
  const { clock } = useService();
  const { values, set } = useFilters(FILTERS);
  const now = new Date(clock.now());
  const present = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
  const { month: asked = '' } = values;
  const month = isMonth(asked) ? asked : present;
  return { month, present, query: { month }, set };
}

/** Which month. `[` and `]` go from month to month. */
export function MonthBar({
  chosen,
  children,
}: {
  readonly chosen: ReturnType<typeof useReportMonth>;
  /** Beside them: the file. */
  readonly children: ReactNode;
}) {
  const { month, present, set } = chosen;
  const go = (months: number) => {
    const next = monthAfter(month, months);
    if (next <= present) set({ month: next });
  };
  useKeys([
    { keys: '[', label: 'The month before', run: () => go(-1) },
    { keys: ']', label: 'The month after', run: () => go(1) },
  ]);
  const listed = Array.from({ length: LISTED }, (_, back) => monthAfter(present, -back));
  const months = listed.includes(month) ? listed : [...listed, month];
  return (
    <div className={classes['bar']}>
      <div className={classes['chosen']}>
        <div className={classes['month']}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label="The month before"
            onClick={() => go(-1)}
          >
            <ChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <Select
            aria-label="Month"
            allowDeselect={false}
            data={months.map((value) => ({ value, label: monthName(value) }))}
            value={month}
            onChange={(next) => set({ month: next ?? undefined })}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label="The month after"
            disabled={month >= present}
            onClick={() => go(1)}
          >
            <ChevronRight size={16} aria-hidden />
          </ActionIcon>
        </div>
        <span className={classes['state']}>
          {month >= present ? (
            <Chip tone="waiting" label="Still running" />
          ) : (
            <Chip tone="done" label="Ended" />
          )}
        </span>
      </div>
      {children}
    </div>
  );
}
