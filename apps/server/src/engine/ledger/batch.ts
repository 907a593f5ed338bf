import type {
  AddedLists,
  Instant,
  Keys,
  Lists,
  MemberAccount,
  Money,
  Names,
  Order,
  Replay,
  WalletType,
} from '@munshi/core';
import type { Terms } from '../rows/terms.ts';

/**
 * What the engine reads and writes of a batch, each in one pipeline: `load.ts` opens a transaction
 * and reads all that the batch names, locked; `write.ts` writes what was decided and commits.
 * Nothing else writes orders, wallets, floats or postings.
 */

/** What a batch needs, gathered from the keys of its commands. */
export interface LoadRequest extends Names {
  readonly creations: readonly NonNullable<Keys['creation']>[];
  /** Those of the orders whose merchant's wallet is locked as well. */
  readonly settledOrderIds: readonly string[];
  /** Those of the orders whose holder is locked as well. */
  readonly heldOrderIds: readonly string[];
  /** By which transaction an order is to be completed. */
  readonly transactions: readonly { readonly orderId: string; readonly transaction: string }[];
  /** Members who act: their accounts are of no interest. */
  readonly actingMemberIds: readonly string[];
  /** Members who may be assigned an order, and the account methods by which they serve one. */
  readonly candidateIds: readonly string[];
  readonly candidateMethods: readonly WalletType[];
  /** API keys and merchants whose terms are needed. */
  readonly apiKeyHashes: readonly string[];
  readonly termsMerchantIds: readonly string[];
  /**
   * Payable amounts and methods of the deposits that may be assigned: equal ones in hand are looked
   * up (states.md#who-gets-an-order).
   */
  readonly depositAmounts: readonly Money[];
  readonly depositMethods: readonly WalletType[];
  /** Commands whose commit may have happened: which of them have left a trace. */
  readonly doubtful: readonly string[];
}

export interface LoadedRows extends Lists {
  /** By this process's clock, read once the terms and the rows were locked. */
  readonly now: Instant;
  readonly terms: Terms;
  readonly bound: readonly Order[];
  readonly replays: readonly Replay[];
  readonly live: readonly ReferenceHolder[];
  /** Beside the live order of the reference, or without one (decision 6). */
  readonly confirmedLate: readonly ReferenceHolder[];
  readonly depositsInHand: readonly { readonly accountId: string; readonly payable: Money }[];
  /** Orders that these transactions have completed, of the same accounts. */
  readonly completed: readonly CompletedBy[];
  readonly applied: ReadonlySet<string>;
}

export interface CompletedBy {
  readonly accountId: string;
  readonly transaction: string;
  readonly orderReference: string;
}

/** The order that has a merchant's reference. */
export interface ReferenceHolder {
  readonly merchantId: string;
  readonly reference: string;
  readonly orderReference: string;
}

/** Everything that a batch changed: the last state of changed rows, and new ones. */
export interface Writes extends Lists, AddedLists {
  readonly created: readonly Order[];
  readonly replays: readonly Replay[];
  /** Of the members: those that changed. */
  readonly accounts: readonly MemberAccount[];
}
