/** Rows by their key, and which of them a batch has changed. */
export interface Table<Row> {
  get(key: string): Row | undefined;
  values(): Iterable<Row>;
  /** The row as this batch has put it. */
  changedRow(key: string): Row | undefined;
  /** The row is this one from now on, and is to be written. */
  put(row: Row): void;
  /** The last state of each row that was put. */
  changed(): readonly Row[];
}

export function createTable<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Table<Row> {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const changed = new Set<string>();
  return {
    get: (key) => byKey.get(key),
    values: () => byKey.values(),
    changedRow: (key) => (changed.has(key) ? byKey.get(key) : undefined),
    put(row) {
      byKey.set(keyOf(row), row);
      changed.add(keyOf(row));
    },
    changed: () => [...changed].map((key) => byKey.get(key) as Row),
  };
}

/** A key of two parts. */
export const pair = (a: string, b: string): string => `${a} ${b}`;
