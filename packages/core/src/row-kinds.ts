import type { MovedAlone } from './approval.ts';
import type { Member } from './matching.ts';
import type { Order } from './order.ts';
import type { Posting } from './posting.ts';
import type { Adjustment, AuditEntry, Delivery, Move, OrderNote, Wallet } from './rows.ts';

/**
 * The kinds of rows that commands look at and change. Each is declared once: what a command names
 * (`Keys`), sees (`View`) and changes (`Changes`) follows from it, and so does what the engine
 * loads and writes. `LEDGER` of `apps/server/src/engine/ledger/kinds.ts` has the SQL of each.
 */

interface One<Row, Missing> {
  keyOf(row: Row): string;
  /** What a command sees where there is no row of this key. */
  missing(key: string): Missing;
}

interface Several<Row> {
  keyOf(row: Row): string;
  /** What commands name them by. */
  aboutOf(row: Row): string;
}

const none = () => undefined;
const one = <Row, Missing = undefined>(
  keyOf: (row: Row) => string,
  missing: (key: string) => Missing = none as never,
): One<Row, Missing> => ({ keyOf, missing });

const several = <Row>(
  keyOf: (row: Row) => string,
  aboutOf: (row: Row) => string,
): Several<Row> => ({ keyOf, aboutOf });

/** In the order in which the engine locks them, all of one kind by their keys, and writes them. */
export const ROWS = {
  orders: one(({ orderId }: Order) => orderId),
  wallets: one(
    ({ merchantId }: Wallet) => merchantId,
    (merchantId): never => {
      throw new Error(`merchant ${merchantId} has no wallet`);
    },
  ),
  members: one(({ memberId }: Member) => memberId),
  adjustments: one(({ adjustmentId }: Adjustment) => adjustmentId),
  sums: one(
    ({ operatorId }: MovedAlone) => operatorId,
    (operatorId): MovedAlone => ({ operatorId, day: 0, amount: 0n }),
  ),
  notes: several(
    ({ noteId }: OrderNote) => noteId,
    ({ orderId }) => orderId,
  ),
};

export type RowKind = keyof typeof ROWS;
export type RowOf<Kind extends RowKind> = (typeof ROWS)[Kind] extends {
  keyOf(row: infer Row): string;
}
  ? Row
  : never;

export const ROW_KINDS = Object.keys(ROWS) as RowKind[];

/** Something for each kind. */
export const forEachKind = <For extends Readonly<Record<RowKind, unknown>>>(
  make: (kind: RowKind) => For[RowKind],
): For => Object.fromEntries(ROW_KINDS.map((kind) => [kind, make(kind)])) as For;

/** What rows are named by. */
export type Names = { readonly [Kind in RowKind]: readonly string[] };
export type Lists = { readonly [Kind in RowKind]: readonly RowOf<Kind>[] };

const added = <Row>() => ({}) as { readonly row?: Row };

/** Rows that are only added: no command looks at them. The engine writes them after the others. */
export const ADDED_ROWS = {
  moves: added<Move>(),
  postings: added<Posting>(),
  deliveries: added<Delivery>(),
  audit: added<AuditEntry>(),
};

export type AddedKind = keyof typeof ADDED_ROWS;
export type AddedRowOf<Kind extends AddedKind> = NonNullable<(typeof ADDED_ROWS)[Kind]['row']>;

export const ADDED_KINDS = Object.keys(ADDED_ROWS) as AddedKind[];

export type AddedLists = { readonly [Kind in AddedKind]: readonly AddedRowOf<Kind>[] };

/** What a command sees of the rows that it has named. */
export type Looks = {
  readonly [Kind in RowKind]: (typeof ROWS)[Kind] extends One<infer Row, infer Missing>
    ? { get(key: string): Row | Missing }
    : { of(about: string): readonly RowOf<Kind>[] };
};

type Tables = {
  readonly [Kind in RowKind]: {
    get(key: string): RowOf<Kind> | undefined;
    values(): Iterable<RowOf<Kind>>;
  };
};

/** `expectNamed` throws where the keys do not name what is looked at; `row`: the one found. */
export function lookAt(
  tables: Tables,
  expectNamed: (kind: RowKind, name: string, row?: unknown) => void,
): Looks {
  return forEachKind<Readonly<Record<RowKind, unknown>>>((kind) => {
    const rows: { get(key: string): unknown; values(): Iterable<unknown> } = tables[kind];
    const declared: One<never, unknown> | Several<never> = ROWS[kind];
    if ('aboutOf' in declared)
      return {
        of(about: string) {
          expectNamed(kind, about);
          return [...rows.values()].filter((row) => declared.aboutOf(row as never) === about);
        },
      };
    return {
      get(key: string) {
        const row = rows.get(key);
        expectNamed(kind, key, row);
        return row === undefined ? declared.missing(key) : row;
      },
    };
  }) as Looks;
}

/** The error for a command that looks at what its keys do not name, which is a bug. */
export const notNamed = (kind: RowKind, name: string): Error =>
  new Error(`no key names ${name} of the ${kind}`);
