import type { ReactNode } from 'react';
import classes from './now.module.css';

/** A column's name, and where its cells stand; the start where nothing is said. */
export type Header = readonly [text: string, align?: 'end'];
export const atEnd = (text: string): Header => [text, 'end'];

interface TableProps {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly headers: readonly Header[];
  /** On a phone its rows are cards; each cell then has its head as `data-label`. */
  readonly cards?: boolean;
  /** Its rows. */
  readonly children: ReactNode;
}

/** A small table that scrolls by itself where it is too wide. */
export function Table({ label, headers, cards = false, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
    <section className={classes['scroll']} tabIndex={0} aria-label={label}>
      <table className={`${classes['table']} ${cards ? classes['cards'] : ''}`}>
        <thead>
          <tr>
            {headers.map(([text, align]) => (
              <th key={text} scope="col" data-align={align}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
