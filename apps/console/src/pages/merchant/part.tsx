import { type ReactNode, useEffect, useRef } from 'react';
import classes from './merchant.module.css';

interface PartProps {
  /** Behind `#` in an address that opens the tab at this part. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a tab. */
export function Part({ id, title, children }: PartProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (location.hash === `#${id}`) section.current?.scrollIntoView();
  }, [id]);
  return (
    <section ref={section} id={id} aria-label={title} className={classes['part']}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
