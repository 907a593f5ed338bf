import type { PointerEvent, ReactNode } from 'react';
import classes from './cut.module.css';

/** A text on one line, cut where there is no room; the pointer then reads it whole. */
export const Cut = ({ children }: { readonly children: ReactNode }) => (
  <span className={classes['cut']}>
    <bdi onPointerEnter={tellWhole}>{children}</bdi>
  </span>
);

function tellWhole({ currentTarget }: PointerEvent<HTMLElement>) {
  const isCut = currentTarget.scrollWidth > currentTarget.clientWidth;
  currentTarget.title = isCut ? (currentTarget.textContent ?? '') : '';
}
