import type { AddedKind, AddedRowOf, Instant, RowKind } from '@munshi/core';
import type { Statement as BoundStatement } from '../../platform/database/pipeline.ts';
import { writeDeliveries } from '../rows/deliveries.ts';
import { members } from './members.ts';
import { insertAudit, sums } from './operators.ts';
import { copyMoves, notes, orders } from './orders.ts';
import type { Stored } from './statements.ts';
import { adjustments, copyPostings, wallets } from './wallets.ts';

/** The SQL of each kind of row that core's `ROWS` declares. */
export const LEDGER: { readonly [Kind in RowKind]: Stored<Kind> } = {
  orders,
  wallets,
  members,
  adjustments,
  sums,
  notes,
};

/** How the rows are written that core's `ADDED_ROWS` declares. */
export const ADDITIONS: {
  readonly [Kind in AddedKind]: (
    rows: readonly AddedRowOf<Kind>[],
    now: Instant,
  ) => readonly BoundStatement[];
} = {
  moves: copyMoves,
  postings: copyPostings,
  deliveries: writeDeliveries,
  audit: insertAudit,
};
