import { useRef, useState } from 'react';

/**
 * Rows that came by themselves, after the list was first shown, wait until `show`. What a person
 * asked for by "Show more", which comes after the last row, is shown at once, and what they have made
 * themselves: `madeId`.
 */
export function useHeldBack<Row>(
  rows: readonly Row[] | undefined,
  rowId: (row: Row) => string,
  key: string,
  madeId?: string,
): { readonly rows: readonly Row[]; readonly fresh: number; show(): void } {
  const known = useRef<{ key: string; ids: Set<string> }>({ key: '', ids: new Set() });
  const [, redraw] = useState(0);
  if (rows === undefined) return { rows: [], fresh: 0, show: () => {} };
  if (known.current.key !== key) known.current = { key, ids: new Set() };
  const { ids } = known.current;
  const first = ids.size === 0;
  const lastKnown = rows.findLastIndex((row) => ids.has(rowId(row)));
  const shown = rows.filter(
    (row, at) => first || ids.has(rowId(row)) || at > lastKnown || rowId(row) === madeId,
  );
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
