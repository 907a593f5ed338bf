import { useRef, useState } from 'react';
import type { List } from './api.tsx';

interface Known {
  readonly key: string;
  readonly ids: Set<string>;
  isArriving: boolean;
  ownWrite: number;
}

/**
 * Rows that others have made come by themselves, and wait until `show`. Nothing waits of what is
 * there when somebody arrives, of what they have just done themselves, nor of what they asked for
 * by "Show more", which comes after the last row.
 */
export function useHeldBack<Row>(
  list: Pick<List<Row>, 'rows' | 'key' | 'isArriving' | 'ownWrite'>,
  rowId: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly fresh: number; show(): void } {
  const known = useRef<Known | null>(null);
  const [, redraw] = useState(0);
  const { rows, key, isArriving, ownWrite } = list;
  if (rows === undefined) return { rows: [], fresh: 0, show: () => {} };
  if (known.current?.key !== key)
    known.current = { key, ids: new Set(), isArriving: true, ownWrite };
  const { ids } = known.current;
  const isOwn = ownWrite > known.current.ownWrite;
  const all = known.current.isArriving || isOwn || ids.size === 0;
  known.current.isArriving = isArriving;
  if (isOwn) known.current.ownWrite = ownWrite;
  const lastKnown = rows.findLastIndex((row) => ids.has(rowId(row)));
  const shown = rows.filter((row, at) => all || ids.has(rowId(row)) || at > lastKnown);
  for (const row of shown) ids.add(rowId(row));
  return {
    rows: shown,
    fresh: rows.length - shown.length,
    show: () => {
      for (const row of rows) ids.add(rowId(row));
      redraw((count) => count + 1);
    },
  };
}
