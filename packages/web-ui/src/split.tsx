import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Card } from './page.tsx';
import classes from './split.module.css';

/**
 * A list, and beside it what is open of it, in sight however far the list is scrolled. Where there is
 * no room it stands above the list, and comes into sight.
 */
export function Split({
  list,
  openId,
  children,
}: {
  readonly list: ReactNode;
  /** Undefined while nothing is open. */
  readonly openId: string | undefined;
  readonly children: ReactNode;
}) {
  const open = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (openId !== undefined && matchMedia(STACKED).matches) open.current?.scrollIntoView();
  }, [openId]);
  return (
    <div className={classes['split']} data-open={openId !== undefined}>
      {list}
      {openId === undefined ? null : (
        <div ref={open} className={classes['open']}>
          {children}
        </div>
      )}
    </div>
  );
}

/** As in the style beside. */
const STACKED = `(max-width: ${999 / 16}em)`;

/** What is open, with the button that closes it. */
export const OpenCard = ({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  onClose(): void;
  readonly children: ReactNode;
}) => (
  <Card
    title={title}
    actions={
      <Button variant="subtle" size="compact-sm" onClick={onClose}>
        Close
      </Button>
    }
  >
    {children}
  </Card>
);
