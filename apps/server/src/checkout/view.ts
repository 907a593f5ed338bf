import type { Given, PageStateView } from '@munshi/api';
import {
  cleaned,
  customerActions,
  EVIDENCE_PER_CUSTOMER,
  hasFailed,
  hasSucceeded,
  type Instant,
  isFinal,
  isLookedFor,
  METHODS,
  maskAccount,
  type Order,
  openNotes,
  PAGE_METHODS,
  payableAmount,
  reachable,
  type Status,
  stageOf,
  type WalletType,
} from '@munshi/core';
import type { LateClaim } from '../late-claims/store.ts';
import { type Added, factsOf } from '../orders/added.store.ts';
import type { PageOrder } from '../orders/page.store.ts';
import { pageVersion } from '../orders/page-version.ts';
import {
  besideName,
  methodKind,
  namedMethod,
  type OfferedMethod,
  offeredMethod,
  ownName,
  providerName,
} from './method-names.ts';
import type { MethodKind } from './texts/en.ts';
import type { Language } from './texts/languages.ts';

export type View = PageStateView['view'];

type Viewed = Pick<
  Order,
  'orderType' | 'status' | 'walletType' | 'payerAccount' | 'customerAccountNumber'
>;

const DEPOSIT_VIEWS: Readonly<Record<Status, (order: Viewed) => View>> = {
  Awaiting: unopened,
  Queued: unopened,
  AwaitingCustomerPayment: (order) =>
    METHODS[order.walletType].submission !== 'transactionDigits' && order.payerAccount === null
      ? 'payer'
      : 'pay',
  AwaitingMemberConfirmation: () => 'verifying',
  AwaitingMemberPayout: () => 'review',
  ManualReview: () => 'review',
  Completed: () => 'completed',
  Rejected: () => 'rejected',
  Expired: () => 'expired',
  CancelledTimeout: () => 'expired',
  Cancelled: () => 'cancelled',
  CancelledAuto: () => 'cancelled',
  Assigned: () => 'review',
  Frozen: () => 'review',
  Confirmed: () => 'completed',
};

/** A BankAccount deposit opens on the list of the other methods (page.md#the-link). */
function unopened({ walletType }: Viewed): View {
  return METHODS[walletType].onPage ? 'waiting' : 'methods';
}

export function viewOf(order: Viewed): View {
  if (order.orderType === 'Deposit') return DEPOSIT_VIEWS[order.status](order);
  if (isFinal(order.status)) return hasSucceeded(order.status) ? 'paid' : 'failed';
  if (order.status === 'ManualReview') return 'review';
  if (order.status === 'Awaiting')
    return order.customerAccountNumber === null ? 'account' : 'waiting';
  return 'on-its-way';
}

export type ShownClaim = Pick<LateClaim, 'transactionDigits' | 'claimedAt' | 'status' | 'takenAt'>;

/** What the customer of an order that ended without their money has to do with claims. */
export interface LateClaims {
  readonly claims: readonly ShownClaim[];
  /** They may leave one now: readLateClaims. */
  readonly isOpen: boolean;
  /** Of a QR method whose payer is missing: another, which was left, has shown where to pay. */
  readonly wasShown?: boolean;
}

export const NOTHING_CLAIMED: LateClaims = { claims: [], isOpen: false };

/**
 * Everything that the page shows of an order, and nothing else: what scripts read of it, and what
 * the HTML page alone needs.
 */
export interface PageState extends Omit<Given<PageStateView>, 'lateClaims' | 'methods'> {
  /** The hash of the merchant's picture. */
  readonly logo: string | null;
  readonly methodKind: MethodKind;
  /** The operator's own name for the method; null: it is called by its provider. */
  readonly ownMethodName: string | null;
  /** What the other provider of wallets is called there; null: the method is no wallet's. */
  readonly besideName: string | null;
  /** Methods to pick or to switch to. */
  readonly methods: readonly OfferedMethod[];
  /**
   * On an order that has ended, of a customer who was shown where to pay: what they have claimed to
   * have paid, and what they may claim still; null: there is nothing to claim.
   */
  readonly lateClaims: readonly ShownClaim[] | null;
  /** The customer may have paid by a method that they left. */
  readonly wasShown: boolean;
  /** Digits that the customer gave before it ended. */
  readonly digitsGiven: string | null;
  /** How many digits of a transaction ID it asks for. */
  readonly digitsCount: number;
  /** By which account the customer pays, once they said so: a claim needs no digits. */
  readonly payerAccount: string | null;
  /** Where a sandbox can move it; null: it is real. */
  readonly moves: readonly Status[] | null;
}

/** What the service knows beside the order. */
interface Known {
  /** Until a payment by this method is confirmed; null: not known. */
  readonly usualSeconds: (method: WalletType) => number | null;
  /** Whether somebody may take the order by this method now. */
  readonly isServed: (method: WalletType) => boolean;
  readonly sandbox: boolean;
}

export function pageState(
  order: PageOrder,
  now: Instant,
  language: Language,
  {
    late: { claims, isOpen, wasShown = false },
    added,
  }: { readonly late: LateClaims; readonly added: Added },
  { usualSeconds, isServed, sandbox }: Known,
): PageState {
  const view = viewOf(order);
  const { status, currency, expiresAt, walletType } = order;
  const named = (method: WalletType) => namedMethod(method, order, language);
  const { submission } = METHODS[walletType];
  const allowedActions = customerActions(order, now);
  const acting = allowedActions.includes('cancel');
  const offered = allowedActions.includes('method')
    ? PAGE_METHODS.filter(
        (method) => order.depositMethods.includes(method) && method !== walletType,
      )
    : [];
  return {
    ...asStored(order),
    stage: stageOf(order),
    view,
    version: pageVersion(order, view),
    payBefore: acting ? expiresAt : null,
    method: named(walletType),
    providerName: providerName(walletType, order, language),
    methodKind: methodKind(walletType, currency),
    ownMethodName: ownName(walletType, order),
    besideName: besideName(walletType, order, language),
    account:
      view === 'pay' && order.account !== null
        ? { ...named(walletType), ...receiving(order.account, walletType) }
        : null,
    transactionDigits:
      view === 'pay' && submission === 'transactionDigits' ? order.txnRefDigitsRequired : null,
    payer:
      view === 'payer' ? (submission === 'payerAccount' ? 'accountNumber' : 'ibanLast4') : null,
    customerAccount:
      order.customerAccountNumber === null ? null : hidden(order.customerAccountNumber),
    methods: offered.map((method) => offeredMethod(method, order, language, isServed(method))),
    usualSeconds: view === 'verifying' ? usualSeconds(walletType) : null,
    canCancel: acting,
    remainingMs: acting ? expiresAt - now : null,
    lateClaims: isOpen ? claims : null,
    wasShown,
    digitsGiven: order.transactionDigits,
    digitsCount: order.txnRefDigitsRequired,
    payerAccount: order.payerAccount,
    moves: sandbox ? reachable(order) : null,
    payment: paymentOf(order, added),
    endedAt: isFinal(status) ? (order.completedAt ?? order.failedAt) : null,
    redirectUrl: isFinal(status) ? returnUrl(order, status) : null,
    expiredRedirectUrl: acting ? returnUrl(order, statusOnExpiry(order)) : null,
    allowedActions,
  };
}

/** What the page shows of an order as it is, texts without what nobody sees. */
function asStored(order: PageOrder) {
  const { orderId, orderReference, orderType, status, reasonCode } = order;
  const { brandColour, logo, support, amount, currency, expiresAt } = order;
  return {
    orderId,
    orderReference,
    merchantOrderRef: order.merchantOrderRef === null ? null : cleaned(order.merchantOrderRef),
    orderType,
    status,
    reasonCode,
    merchantName: cleaned(order.merchantName),
    brandColour,
    logo,
    support,
    amount,
    payableAmount: payableAmount(order),
    currency,
    expiresAt,
  };
}

function paymentOf(order: PageOrder, added: Added) {
  const { orderType, status, sentAt, account, transactionDigits, dueAt } = order;
  if (orderType !== 'Deposit' || sentAt === null || account === null) return null;
  const { accountNumber } = account;
  const accountTitle = cleaned(account.accountTitle);
  const notes = openNotes(order, added.notes);
  const takesPicture = isLookedFor(order) && added.pictures < EVIDENCE_PER_CUSTOMER;
  return {
    accountTitle,
    account: hidden(accountNumber),
    transactionDigits,
    sentAt,
    ...factsOf(added),
    confirmBy: status === 'AwaitingMemberConfirmation' ? dueAt : null,
    mayAdd: takesPicture ? [...notes, 'picture' as const] : notes,
  };
}

function receiving(account: NonNullable<PageOrder['account']>, walletType: WalletType) {
  const [accountTitle, accountNumber] = [account.accountTitle, account.accountNumber].map(
    cleaned,
  ) as [string, string];
  const till = walletType === 'ProviderATillID' || walletType === 'TillID';
  const qrPayload =
    METHODS[walletType].submission === 'transactionDigits' ? null : account.qrPayload;
  return {
    accountTitle,
    accountNumber: till ? null : accountNumber,
    tillId: till ? accountNumber : null,
    qrPayload,
    upiLink: account.upiLink,
  };
}

const hidden = (account: string): string => maskAccount(cleaned(account), '••••');

/** The status of an unchanged order after its expiry (states.md#cancelledtimeout). */
const statusOnExpiry = ({ status }: PageOrder): Status =>
  status === 'Awaiting' ? 'CancelledTimeout' : 'Expired';

/**
 * The merchant's own URL with the outcome merged into its query; its other parameters and its
 * fragment stay (merchant-api.md#request).
 */
export function returnUrl(
  order: Pick<PageOrder, 'orderId' | 'orderReference' | 'successUrl' | 'failureUrl'>,
  status: Status,
): string | null {
  const target = hasFailed(status) ? order.failureUrl : order.successUrl;
  if (target === null) return null;
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(#.*)?$/s.exec(target) ?? [];
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !/^svc_(order_id|order_reference|status)(=|$)/.test(part));
  const outcome = [
    `svc_order_id=${order.orderId}`,
    `svc_order_reference=${encodeURIComponent(order.orderReference)}`,
    `svc_status=${status}`,
  ];
  return new URL(`${base}?${[...kept, ...outcome].join('&')}${fragment}`).href;
}

/** `check` reads back what was entered; the views are the order's own. */
export type Screen = View | 'check';

/** Pages that show nothing of an order but whose it is, where that is known. */
export type PlainView = 'link-invalid' | 'link-expired' | 'unreadable' | 'unavailable';
