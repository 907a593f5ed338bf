import type { ReactNode } from 'react';
import classes from './split.module.css';

/** A list, and beside it what is open of it; where there is no room, under it. */
export function Split({
  list,
  children,
}: {
  readonly list: ReactNode;
  /** Null while nothing is open. */
  readonly children: ReactNode;
}) {
  return (
    <div className={classes['split']} data-open={children !== null}>
      {list}
      {children}
    </div>
  );
}
