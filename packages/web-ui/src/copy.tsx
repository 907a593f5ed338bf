import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import Check from 'lucide-react/icons/check';
import CopyIcon from 'lucide-react/icons/copy';
import type { ReactNode } from 'react';
import classes from './copy.module.css';

export interface CopyProps {
  /** What is copied, plain. */
  readonly value: string;
  /** What it is, for the button's name: `the order id`. */
  readonly what: string;
  /** What is shown; the value where nothing is given. */
  readonly children?: ReactNode;
  /** In a font in which every character has one width. */
  readonly mono?: boolean;
}

/** A value that one press copies. */
export function Copy({ value, what, children, mono = false }: CopyProps) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 });
  const label = error
    ? 'The browser did not allow copying. Select the text instead.'
    : copied
      ? 'Copied'
      : `Copy ${what}`;
  return (
    <span className={classes['copy']}>
      <bdi dir="ltr" translate="no" className={mono ? classes['mono'] : 'number'}>
        {children ?? value}
      </bdi>
      <Tooltip label={label}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label={label}
          onClick={() => copy(value)}
        >
          {copied ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <span className={classes['said']} role="status">
        {copied ? 'Copied' : ''}
      </span>
    </span>
  );
}
