import type pg from 'pg';
import { runPipeline } from '../../platform/database/pipeline.ts';
import type { Row } from '../../platform/database/rows.ts';
import { BEGIN, GUARD } from '../../platform/database/statement.ts';
import { ADJUSTMENT } from '../rows/adjustments.ts';
import { APPROVAL } from '../rows/approvals.ts';
import { readOrder } from '../rows/order-row.ts';
import { HOLD_TERMS, TERMS_VERSION, type Terms, type TermsCache } from '../rows/terms.ts';
import { WALLET } from '../rows/wallets.ts';
import { askApprovals, askSums, makesRows, readSum } from './approvals.ts';
import type { LoadedRows, LoadRequest } from './batch.ts';
import { askExisting, readExisting } from './creations.ts';
import { askDepositsInHand, askMembers, readDepositInHand, readMembers } from './members.ts';
import { askApplied, askOrders, readNote } from './orders.ts';
import { type Asked, type Part, withoutLock } from './statements.ts';
import { askAdjustments, askWallets } from './wallets.ts';

/**
 * Opens a transaction and loads what the batch names. The cell is held in its place (decision 19)
 * and the terms as they are (decision 1); rows are locked order by order, then wallets, then
 * members, each in id order.
 */
export function loadRows(
  lane: pg.Client,
  request: LoadRequest,
  terms: TermsCache,
): Promise<LoadedRows> {
  return load(lane, [BEGIN, GUARD, HOLD_TERMS, ...statementsFor(request)], request, terms);
}

/**
 * The same rows, in a transaction that is open, without a lock: it may be read only. Nothing is
 * made, so that an operator who has moved nothing yet gets a sum of 0 that is in no row.
 */
export async function lookAtRows(
  client: pg.Client,
  request: LoadRequest,
  terms: TermsCache,
): Promise<LoadedRows> {
  const asked = statementsFor(request)
    .filter((asked) => !makesRows(asked))
    .map(withoutLock);
  const rows = await load(client, asked, request, terms);
  const known = new Set(rows.sums.map(({ operatorId }) => operatorId));
  const none = request.summedOperatorIds
    .filter((operatorId) => !known.has(operatorId))
    .map((operatorId) => ({ operatorId, day: 0, amount: 0n }));
  return { ...rows, sums: [...rows.sums, ...none] };
}

async function load(
  lane: pg.Client,
  asked: readonly Asked[],
  request: LoadRequest,
  terms: TermsCache,
): Promise<LoadedRows> {
  const answers = await runPipeline(lane, asked);
  const rows = (part: Part): readonly Row[] =>
    answers[asked.findIndex(({ as }) => as === part)] ?? [];
  const version = rows('termsVersion')[0]?.['version'] as string;
  return readRows(
    rows,
    await terms.read(lane, version, {
      now: request.now,
      apiKeyHashes: request.apiKeyHashes,
      merchantIds: request.termsMerchantIds,
    }),
  );
}

/** In the order in which the rows are locked. */
const statementsFor = (request: LoadRequest): readonly Asked[] => [
  { as: 'termsVersion', ...TERMS_VERSION },
  ...askOrders(request),
  ...askWallets(request),
  ...askMembers(request),
  ...askDepositsInHand(request),
  ...askAdjustments(request),
  ...askApprovals(request),
  ...askSums(request),
  // After the wallets' locks: whoever finds money reserved by another creation of the same key
  // finds its order too.
  ...askExisting(request),
  ...askApplied(request),
];

const readRows = (rows: (part: Part) => readonly Row[], terms: Terms): LoadedRows => ({
  terms,
  ...readExisting(rows('existing'), rows('liveOfOrders')),
  orders: rows('orders').map(readOrder),
  notes: rows('notes').map(readNote),
  wallets: rows('wallets').map(WALLET.read),
  members: readMembers(rows('members'), rows('accounts')),
  adjustments: rows('adjustments').map(ADJUSTMENT.read),
  approvals: rows('approvals').map(APPROVAL.read),
  sums: rows('sums').map(readSum),
  depositsInHand: rows('inHand').map(readDepositInHand),
  applied: new Set(rows('applied').map((row) => row['command_id'] as string)),
});
