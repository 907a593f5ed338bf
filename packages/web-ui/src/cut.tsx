import type { PointerEvent } from 'react';
import classes from './cut.module.css';

/** As long as a name or an address usually is: shorter texts are never cut. */
const WHOLE = 20;

/** A text on one line. A long one is cut where there is no room; the pointer then reads it whole. */
export const Cut = ({ children }: { readonly children: string }) => (
  <span className={children.length > WHOLE ? classes['cut'] : classes['whole']}>
    <bdi onPointerEnter={tellWhole}>{children}</bdi>
  </span>
);

function tellWhole({ currentTarget }: PointerEvent<HTMLElement>) {
  const isCut = currentTarget.scrollWidth > currentTarget.clientWidth;
  currentTarget.title = isCut ? (currentTarget.textContent ?? '') : '';
}
