import { Button } from '@mantine/core';
import type { SearchedView } from '@munshi/api';
import { type AsText, dayLater, dayOf } from '@munshi/web';
import { ApiError, useService } from '../api.tsx';
import { WhatWasSearched } from '../searched.tsx';
import { Empty, errorText } from '../states.tsx';
import { useTimeZone } from '../when.tsx';
import classes from './orders.module.css';

/** Sets the days of a list; undefined takes one away. */
type SetDays = (days: { readonly from: string | undefined; readonly to: undefined }) => void;

/** Where no order fits the filters. */
export function NoneFound({
  isTimed,
  searched,
  set,
  clear,
}: {
  /** What the text was looked for as; null: none was. */
  readonly searched: AsText<SearchedView> | null | undefined;
  /** Whether days are among the filters. */
  readonly isTimed: boolean;
  readonly set: SetDays;
  clear(): void;
}) {
  return (
    <>
      <strong>No order fits all of this.</strong>
      {searched ? <WhatWasSearched searched={searched} what="orders" /> : null}
      <p>Take a filter away, or look for another part of what you know.</p>
      <div className={classes['buttons']}>
        {isTimed ? (
          <Button variant="default" onClick={() => set({ from: undefined, to: undefined })}>
            Search all time
          </Button>
        ) : null}
        <Button variant="default" onClick={clear}>
          Clear all filters
        </Button>
      </div>
    </>
  );
}

export const isTooSlow = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.refusal.code === 'too-slow';

/** The service has said which filter to narrow; it names filters as its interface does. */
export function TooSlow({
  error,
  fields,
  set,
}: {
  readonly error: ApiError;
  readonly fields: Readonly<Record<string, string>>;
  readonly set: SetDays;
}) {
  const { clock } = useService();
  const timeZone = useTimeZone();
  const since = (days: number) =>
    set({ from: dayLater(dayOf(clock.now(), timeZone), -days), to: undefined });
  const named = errorText(error).replace(
    /`(\w+)`/g,
    (_, name: string) => `“${fields[name] ?? name}”`,
  );
  return (
    <Empty>
      <strong>This would take too long to find</strong>
      <p role="alert">{named}</p>
      <div className={classes['buttons']}>
        <Button variant="default" onClick={() => since(6)}>
          Only the last 7 days
        </Button>
        <Button variant="default" onClick={() => since(0)}>
          Only today
        </Button>
      </div>
    </Empty>
  );
}
