import type { BalanceView, Page, WalletMovementView } from '@munshi/api';
import { formatMoney, WALLET_CURRENCY, type Wallet } from '@munshi/core';
import type { FastifyReply } from 'fastify';
import {
  allMovements,
  pageOfMovements,
  placeBehind,
  type StatedMovement,
  type StatementPlace,
} from '../services/wallet-movements.ts';
import type { MovementsOf } from '../storage/wallet-movements.ts';
import { type CsvColumns, sendCsv } from './csv.ts';
import type { Deps } from './deps.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { isUuid, jsonMoney, jsonTime, readTime } from './values.ts';

/** A merchant's wallet, as operators and its own people read it. */

export const showBalance = ({ balance, reserved, frozen, overdrawn }: Wallet): BalanceView => ({
  availableBalance: jsonMoney(balance - reserved),
  reservedBalance: jsonMoney(reserved),
  frozenBalance: jsonMoney(frozen),
  walletBalance: jsonMoney(balance),
  overdrawn,
  currency: WALLET_CURRENCY,
});

interface Times {
  readonly from?: string;
  readonly to?: string;
}

/** A page of what moved the wallet, with the balances after it. */
export async function answerMovements(deps: Deps, merchantId: string, query: Times & Page) {
  const page = pageOf(query, isPlace);
  const after = page.after === null ? null : readPlace(page.after);
  const asked = askedOf(merchantId, query);
  const rows = await pageOfMovements(deps, asked, { after, limit: page.limit + 1 });
  return pageAnswer(page, rows, keyOf, showMovement);
}

/** All of it as a file, the oldest first. */
export async function sendMovements(
  reply: FastifyReply,
  deps: Deps,
  merchantId: string,
  query: Times,
): Promise<FastifyReply> {
  const pages = await allMovements(deps, askedOf(merchantId, query));
  return sendCsv(reply, { name: 'wallet', columns: COLUMNS, pages });
}

const askedOf = (merchantId: string, { from, to }: Times): MovementsOf => ({
  merchantId,
  from: readTime('from', from) ?? null,
  to: readTime('to', to) ?? null,
});

/** The next page goes on from these sums, so that it does not add up all that came before. */
function keyOf(movement: StatedMovement): string {
  const { at, id, wallet, frozen } = placeBehind(movement);
  return [at, id, wallet, frozen].join(' ');
}

const PLACE = /^(\d{1,14}) (\S{36}) (-?\d{1,30}) (-?\d{1,30})$/;
const isPlace = (text: string) => isUuid(PLACE.exec(text)?.[2] ?? '');

function readPlace(text: string): StatementPlace {
  const [, at = '', id = '', wallet = '', frozen = ''] = PLACE.exec(text) ?? [];
  return { at: Number(at), id, wallet: BigInt(wallet), frozen: BigInt(frozen) };
}

const showMovement = (movement: StatedMovement): WalletMovementView => ({
  movementId: movement.movementId,
  kind: movement.kind,
  at: jsonTime(movement.at),
  amount: jsonMoney(movement.wallet + movement.fee),
  fee: jsonMoney(movement.fee),
  walletChange: jsonMoney(movement.wallet),
  frozenChange: jsonMoney(movement.frozen),
  walletBalance: jsonMoney(movement.after.wallet),
  frozenBalance: jsonMoney(movement.after.frozen),
  orderId: movement.orderId,
  orderReference: movement.orderReference,
  orderType: movement.orderType,
  note: movement.note,
});

const COLUMNS: CsvColumns<StatedMovement> = {
  at: ({ at }) => jsonTime(at),
  kind: ({ kind }) => kind,
  orderType: ({ orderType }) => orderType,
  orderReference: ({ orderReference }) => orderReference,
  amount: ({ wallet, fee }) => formatMoney(wallet + fee),
  fee: ({ fee }) => formatMoney(fee),
  walletChange: ({ wallet }) => formatMoney(wallet),
  frozenChange: ({ frozen }) => formatMoney(frozen),
  walletBalance: ({ after }) => formatMoney(after.wallet),
  frozenBalance: ({ after }) => formatMoney(after.frozen),
  note: ({ note }) => note,
  orderId: ({ orderId }) => orderId,
  movementId: ({ movementId }) => movementId,
};
