import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from './page.tsx';
import classes from './split.module.css';
import { texts } from './texts.ts';

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
        {texts.close}
      </Button>
    }
  >
    {children}
  </Card>
);
