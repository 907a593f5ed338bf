import type { BalanceAtView, BalanceView, Given, Page, WalletMovementView } from '@munshi/api';
import { WALLET_CURRENCY, type Wallet, type Zones, zonedTime } from '@munshi/core';
import { findWallet } from '../engine/rows/wallets.ts';
import { findMerchant } from '../merchants/store.ts';
import type { Deps } from '../people/deps.ts';
import {
  amountCell,
  type Csv,
  type CsvColumns,
  factorCell,
  valueCell,
} from '../platform/http/csv.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { isUuid, readTime } from '../platform/http/values.ts';
import { found } from '../platform/refusals.ts';
import {
  allMovements,
  pageOfMovements,
  placeBehind,
  type StatedMovement,
  type StatementPlace,
} from './movements.service.ts';
import type { MovementsOf, Sums } from './movements.store.ts';
import { balanceAt } from './statements.service.ts';

/** A merchant's wallet, as operators and its own people read it. */

export const showBalance = ({
  balance,
  reserved,
  frozen,
  overdrawn,
}: Wallet): Given<BalanceView> => ({
  availableBalance: balance - reserved,
  reservedBalance: reserved,
  frozenBalance: frozen,
  walletBalance: balance,
  overdrawn,
  currency: WALLET_CURRENCY,
});

interface Times {
  readonly from?: string;
  readonly to?: string;
}

/** The balance as it is, or as it was just before `at`. */
export async function answerBalance(
  deps: Deps,
  merchantId: string,
  { at: asked }: { readonly at?: string },
): Promise<{ data: Given<BalanceView | BalanceAtView> }> {
  const { pool } = deps.database;
  const at = readTime('at', asked, await zonesOf(deps, merchantId));
  if (at === undefined)
    return { data: showBalance(found(await findWallet(pool, merchantId), 'Merchant')) };
  const sums = await balanceAt(deps, merchantId, at);
  return { data: { at, ...showSums(sums), currency: WALLET_CURRENCY } };
}

export const showSums = ({ wallet, frozen }: Sums) => ({
  walletBalance: wallet,
  frozenBalance: frozen,
});

const zonesOf = async ({ database }: Deps, merchantId: string) =>
  found(await findMerchant(database.pool, merchantId), 'Merchant').zones;

/** A page of what moved the wallet, with the balances after it. */
export async function answerMovements(deps: Deps, merchantId: string, query: Times & Page) {
  const page = pageOf(query, readPlace);
  const asked = await askedOf(deps, merchantId, query);
  const rows = await pageOfMovements(deps, asked, page.place);
  return pageAnswer(page, rows, keyOf, showMovement);
}

/** All of it as a file, the oldest first. */
export async function movementsFile(
  deps: Deps,
  merchantId: string,
  query: Times,
): Promise<Csv<StatedMovement>> {
  const { pages } = await allMovements(deps, await askedOf(deps, merchantId, query));
  const columns = movementColumns(await zonesOf(deps, merchantId));
  return { name: 'wallet', columns, pages };
}

async function askedOf(deps: Deps, merchantId: string, { from, to }: Times): Promise<MovementsOf> {
  const zones = await zonesOf(deps, merchantId);
  return {
    merchantId,
    from: readTime('from', from, zones) ?? null,
    to: readTime('to', to, zones) ?? null,
  };
}

/** The next page goes on from these sums, so that it does not add up all that came before. */
function keyOf(movement: StatedMovement): string {
  const { at, id, wallet, frozen } = placeBehind(movement);
  return [at, id, wallet, frozen].join(' ');
}

const PLACE = /^(\d{1,14}) (\S{36}) (-?\d{1,30}) (-?\d{1,30})$/;

function readPlace(text: string): StatementPlace | undefined {
  const [, at = '', id = '', wallet = '', frozen = ''] = PLACE.exec(text) ?? [];
  if (!isUuid(id)) return undefined;
  return { at: Number(at), id, wallet: BigInt(wallet), frozen: BigInt(frozen) };
}

const showMovement = (movement: StatedMovement): Given<WalletMovementView> => ({
  ...movement,
  amount: movement.wallet + movement.fee,
  walletChange: movement.wallet,
  frozenChange: movement.frozen,
  walletBalance: movement.after.wallet,
  frozenBalance: movement.after.frozen,
});

/** What a moment of the wallet has in an export. */
export const BALANCE_COLUMNS = {
  walletBalance: ({ after }) => amountCell(after.wallet),
  frozenBalance: ({ after }) => amountCell(after.frozen),
} satisfies CsvColumns<Pick<StatedMovement, 'after'>>;

/** The columns of exports, by their header: amounts exact, times by the merchant's clocks. */
export const movementColumns = (zones: Zones) =>
  ({
    at: ({ at }) => valueCell(zonedTime(at, zones)),
    kind: ({ kind }) => kind,
    orderType: ({ orderType }) => orderType,
    orderReference: ({ orderReference }) => orderReference,
    currency: ({ currency }) => currency,
    orderAmount: ({ orderAmount }) => amountCell(orderAmount),
    orderFee: ({ orderFee }) => amountCell(orderFee),
    rate: ({ rate }) => factorCell(rate),
    amount: ({ wallet, fee }) => amountCell(wallet + fee),
    fee: ({ fee }) => amountCell(fee),
    walletChange: ({ wallet }) => amountCell(wallet),
    frozenChange: ({ frozen }) => amountCell(frozen),
    ...BALANCE_COLUMNS,
    note: ({ note }) => note,
    orderId: ({ orderId }) => orderId,
    movementId: ({ movementId }) => movementId,
  }) satisfies CsvColumns<StatedMovement>;
