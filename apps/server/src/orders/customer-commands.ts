import { randomUUID } from 'node:crypto';
import type { PageField } from '@munshi/api';
import {
  type CommandOf,
  type CustomerAction,
  METHODS,
  needOf,
  type Order,
  type Refusal,
  readTypedAmount,
  WALLET_TYPES,
  type WalletType,
} from '@munshi/core';
import { switchesSeen } from './page-version.ts';

/** What customers ask of the engine: on the hosted page, and where they are played. */

/** What was entered, as text by the name of its field. */
export type Fields = Readonly<Partial<Record<PageField, string>>>;

/**
 * A command for the engine, `nothing` where the order is past what is asked, or what is wrong with
 * the input.
 */
type Asked = CustomerCommand | 'nothing' | Refusal;
export type CustomerCommand = CommandOf<
  | 'open-page'
  | 'switch-method'
  | 'submit-payer'
  | 'confirm-payment'
  | 'submit-account'
  | 'cancel-by-customer'
  | 'customer-note'
>;

/** What it is asked by, of an order as it was read. */
type Read = Pick<
  Order,
  | 'orderId'
  | 'merchantId'
  | 'orderType'
  | 'walletType'
  | 'currency'
  | 'status'
  | 'memberId'
  | 'amount'
  | 'floatAmount'
>;
type Identity = Pick<CustomerCommand, 'commandId' | 'orderId'>;
type Asking = (order: Read, fields: Fields, identity: Identity) => Asked;

/** What forms of the page send to the engine. */
export type PageAction = CustomerAction | 'add';

const COMMANDS: Readonly<Record<PageAction, Asking>> = {
  open(order, _fields, identity) {
    if (
      order.orderType === 'Withdrawal' ||
      (order.status !== 'Awaiting' && order.status !== 'Queued') ||
      !METHODS[order.walletType].onPage
    )
      return 'nothing';
    const need = order.memberId === null ? needOf(order) : undefined;
    return { kind: 'open-page', ...identity, need };
  },
  method(order, { walletType }, identity) {
    if (!isWalletType(walletType))
      return { code: 'invalid', message: 'Choose one of the payment methods.' };
    const { merchantId } = order;
    const need = needOf({ ...order, walletType });
    return { kind: 'switch-method', ...identity, merchantId, walletType, need };
  },
  payer: (_order, { accountNumber = null, ibanLast4 = null, version }, identity) => ({
    kind: 'submit-payer',
    ...identity,
    accountNumber,
    ibanLast4,
    methodSwitches: switchesSeen(version),
  }),
  confirm: (_order, { transactionDigits = null, version }, identity) => ({
    kind: 'confirm-payment',
    ...identity,
    transactionDigits,
    methodSwitches: switchesSeen(version),
  }),
  account: (order, { accountNumber = '', accountName = '' }, identity) => ({
    kind: 'submit-account',
    ...identity,
    accountNumber,
    accountName,
    need: needOf(order),
  }),
  cancel: (_order, _fields, identity) => ({ kind: 'cancel-by-customer', ...identity }),
  add(_order, fields, identity) {
    const { correctedDigits, amountSent, paidBy } = fields;
    const about = (said: CommandOf<'customer-note'>['about']) =>
      ({ kind: 'customer-note', ...identity, about: said }) as const;
    if (Object.keys(fields).length !== 1)
      return { code: 'invalid', message: 'Send one of correctedDigits, amountSent and paidBy.' };
    if (correctedDigits !== undefined)
      return about({ kind: 'correctedDigits', transactionDigits: correctedDigits });
    if (paidBy !== undefined) return about({ kind: 'paidBy', paidBy });
    const amount = readTypedAmount(amountSent ?? '');
    return amount === undefined
      ? { code: 'invalid', message: 'Enter the amount that was sent.' }
      : about({ kind: 'amountSent', amount });
  },
};

const isWalletType = (text: string | undefined): text is WalletType =>
  (WALLET_TYPES as readonly (string | undefined)[]).includes(text);

/**
 * What an action asks of the engine, by the order as it was read: the engine looks again under its
 * lock.
 */
export const commandFor = (
  action: PageAction,
  order: Read,
  fields: Fields,
  commandId: string = randomUUID(),
): Asked => COMMANDS[action](order, fields, { commandId, orderId: order.orderId });
