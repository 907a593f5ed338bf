import { Button } from '@mantine/core';
import { ApiError, useService } from '../api.tsx';
import { Empty, errorText } from '../states.tsx';
import { useTimeZone } from '../when.tsx';
import { dayBefore } from './choices.ts';
import classes from './orders.module.css';
import { texts } from './texts.ts';

/** Sets the days of a list; undefined takes one away. */
type SetDays = (days: { readonly from: string | undefined; readonly to: undefined }) => void;

/** Where no order fits the filters. */
export function NoneFound({
  isTimed,
  set,
  clear,
}: {
  /** Whether days are among the filters. */
  readonly isTimed: boolean;
  readonly set: SetDays;
  clear(): void;
}) {
  return (
    <>
      <strong>{texts.noneFound}</strong>
      <p>{texts.noneFoundHint}</p>
      <div className={classes['buttons']}>
        {isTimed ? (
          <Button variant="default" onClick={() => set({ from: undefined, to: undefined })}>
            {texts.allTime}
          </Button>
        ) : null}
        <Button variant="default" onClick={clear}>
          {texts.clear}
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
    set({ from: dayBefore(clock.now(), days, timeZone), to: undefined });
  const named = errorText(error).replace(
    /`(\w+)`/g,
    (_, name: string) => `“${fields[name] ?? name}”`,
  );
  return (
    <Empty>
      <strong>{texts.tooSlow}</strong>
      <p role="alert">{named}</p>
      <div className={classes['buttons']}>
        <Button variant="default" onClick={() => since(6)}>
          {texts.lastDays}
        </Button>
        <Button variant="default" onClick={() => since(0)}>
          {texts.today}
        </Button>
      </div>
    </Empty>
  );
}
