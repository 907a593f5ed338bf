import { compareMoney } from '@munshi/web';
import { useState } from 'react';

/** Negative where the first row comes first. */
export type Compare<Row> = (one: Row, other: Row) => number;
type Direction = 'ascending' | 'descending';

export const byText =
  <Row>(of: (row: Row) => string): Compare<Row> =>
  (one, other) =>
    NAMES.compare(of(one), of(other));
const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** What has no number comes first. */
export const byNumber =
  <Row>(of: (row: Row) => number | null): Compare<Row> =>
  (one, other) =>
    (of(one) ?? -Infinity) - (of(other) ?? -Infinity) || 0;

export const byMoney =
  <Row>(of: (row: Row) => string): Compare<Row> =>
  (one, other) =>
    compareMoney(of(one), of(other));

/** What has no time comes first. */
export const byTime = <Row>(of: (row: Row) => string | null): Compare<Row> =>
  byNumber((row) => {
    const at = of(row);
    return at === null ? null : Date.parse(at);
  });

interface Sortable<Row> {
  readonly id: string;
  readonly align?: 'end';
  readonly compare?: Compare<Row>;
}

/** What a column's head says and does; undefined: nothing sorts by it. */
export interface Head {
  readonly direction: Direction | undefined;
  press(): void;
}

/**
 * Rows as the heads have them sorted. A list sorts by any column that compares once all of it is
 * here: a part of it, sorted, would show the greatest of some as the greatest of all. Pressed once
 * more than both directions, a head gives the order of the service back.
 */
export function useSorted<Row>(
  columns: readonly Sortable<Row>[],
  rows: readonly Row[],
  isWhole: boolean,
): { readonly rows: readonly Row[]; head(column: Sortable<Row>): Head | undefined } {
  const [chosen, choose] = useState<{ id: string; direction: Direction } | null>(null);
  const by = isWhole ? columns.find(({ id }) => id === chosen?.id)?.compare : undefined;
  const sign = chosen?.direction === 'descending' ? -1 : 1;
  return {
    rows: by === undefined ? rows : rows.toSorted((one, other) => sign * by(one, other)),
    head({ id, align, compare }) {
      if (compare === undefined || !isWhole) return undefined;
      const [first, second] = align === 'end' ? DOWN_UP : UP_DOWN;
      const direction = chosen?.id === id ? chosen.direction : undefined;
      const next = direction === undefined ? first : direction === first ? second : undefined;
      return {
        direction,
        press: () => choose(next === undefined ? null : { id, direction: next }),
      };
    },
  };
}

const UP_DOWN = ['ascending', 'descending'] as const;
const DOWN_UP = ['descending', 'ascending'] as const;
