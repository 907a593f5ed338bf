import { movesTo } from '../lifecycle.ts';
import { METHODS } from '../method.ts';
import type { Instant, Order } from '../order.ts';

/** Bounds the history, because every switch is a step of it and locks two members. */
export const METHOD_SWITCHES_MAX = 20;

export const EXPIRED_LINK = 'This payment link has expired.';

export const CUSTOMER_ACTIONS = [
  'open',
  'method',
  'payer',
  'confirm',
  'account',
  'cancel',
] as const;
export type CustomerAction = (typeof CUSTOMER_ACTIONS)[number];

type Asked = Pick<
  Order,
  | 'orderType'
  | 'status'
  | 'walletType'
  | 'payerAccount'
  | 'customerAccountNumber'
  | 'methodSwitches'
>;

/** Whether the order still waits for its customer to pay or to say where to pay. */
export const awaitsCustomer = (order: Asked): boolean =>
  movesTo(order.orderType, order.status, 'customer-cancelled').length > 0 &&
  (order.orderType === 'Deposit' || order.customerAccountNumber === null);

export const canOpen = ({ orderType, status }: Asked): boolean =>
  movesTo(orderType, status, 'customer-opened-page').length > 0;

export const canSwitchMethod = ({ orderType, status }: Asked): boolean =>
  movesTo(orderType, status, 'customer-switched-method').length > 0;

export const awaitsPayment = ({ orderType, status }: Asked): boolean =>
  movesTo(orderType, status, 'customer-confirmed').length > 0;

export const FORMER_ACCOUNT =
  'The account to pay to has changed. This was not taken: read the page again.';

/**
 * Whether a form comes from a page with the account of a method that was left: each change of
 * method gives another account. `seen` is how many the page knew of; undefined: it does not say.
 */
export const showsFormerAccount = (order: Asked, seen: number | undefined): boolean =>
  awaitsPayment(order) && seen !== undefined && seen !== order.methodSwitches;

/** QR methods ask who pays before they show the code. */
export const asksPayer = ({ walletType }: Pick<Order, 'walletType'>): boolean =>
  METHODS[walletType].submission !== 'transactionDigits';

export const lacksPayer = (order: Asked) => asksPayer(order) && order.payerAccount === null;

const MAY: Readonly<Record<CustomerAction, (order: Asked) => boolean>> = {
  open: (order) => canOpen(order) && METHODS[order.walletType].onPage,
  method: (order) => canSwitchMethod(order) && order.methodSwitches < METHOD_SWITCHES_MAX,
  payer: (order) => awaitsPayment(order) && asksPayer(order),
  confirm: (order) => awaitsPayment(order) && !lacksPayer(order),
  account: (order) => order.orderType === 'Withdrawal' && awaitsCustomer(order),
  cancel: awaitsCustomer,
};

/** What the customer may do on the page now. */
export const customerActions = (
  order: Asked & Pick<Order, 'expiresAt'>,
  now: Instant,
): readonly CustomerAction[] =>
  now < order.expiresAt ? CUSTOMER_ACTIONS.filter((action) => MAY[action](order)) : [];
