import {
  type AskingOperator,
  type CreateOrder,
  type CreationMessage,
  type Member,
  type MemberAccount,
  type MemberId,
  type Merchant,
  OPERATORS_MAY,
  type OperatorRole,
  type Order,
  type OrderId,
  type Settings,
  termsText,
} from '../index.ts';
import { FACTOR_ONE, money } from '../money.ts';

/** Plain rows for tests: each builder gives a usable one, the test names what matters to it. */

/** A plain text as an id, of the kind that it is given for. */
export const id = <Id extends string>(text: string) => text as Id;

type Plain<Value> = Value extends MemberId | OrderId ? string : Value;
/** Some of a row, whose ids are plain texts. */
export type Given<Row> = { readonly [Name in keyof Row]?: Plain<Row[Name]> };

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Thursday noon, so that an hour either way stays on one UTC day. */
export const NOW = Date.UTC(2026, 0, 15, 12);

export const SETTINGS: Settings = {
  paymentPageTtlMs: 15 * MINUTE,
  awaitingWithdrawalTimeoutMs: 120 * MINUTE,
  payoutWindowMs: 60 * MINUTE,
  memberConfirmationWindowMs: 30 * MINUTE,
  adjustmentApprovalLimit: null,
  sendingGraceMs: 0,
  requireSecondOperator: false,
  sandbox: false,
};

export const OPERATOR = { kind: 'operator', id: 'op1', name: 'Asma', address: '10.0.0.1' } as const;
export const OTHER_OPERATOR = {
  kind: 'operator',
  id: 'op2',
  name: 'Bilal',
  address: '10.0.0.2',
} as const;
/** An operator who asks, by the role that they have. */
export const asking = (id: string, role: OperatorRole): AskingOperator => ({
  id,
  capabilities: OPERATORS_MAY.of(role),
});
/** An operator with a sum of the day of their own. */
export const standsAlone = <Who extends { readonly id: string }>(actor: Who) => ({
  actor,
  sumOf: actor.id,
  asked: null,
});
export const BY_OPERATOR = standsAlone(OPERATOR);
export const BY_OTHER_OPERATOR = standsAlone(OTHER_OPERATOR);

export function merchant(given: Partial<Merchant> = {}): Merchant {
  const methods = [
    'ProviderA',
    'ProviderATillID',
    'ProviderAQR',
    'ProviderB',
    'TillID',
    'ProviderBQR',
    'BankAccount',
  ] as const;
  return {
    merchantId: 'mer1',
    name: 'Shop',
    status: 'active',
    defaultCallbackUrl: 'https://shop.example/hook',
    depositMethods: methods,
    withdrawalMethods: ['ProviderA', 'ProviderB', 'TillID', 'BankAccount'],
    currencies: ['PKR'],
    ipWhitelist: { enabled: false, entries: [] },
    ...given,
  };
}

export function account(
  given: Partial<MemberAccount> & Pick<MemberAccount, 'accountId'>,
): MemberAccount {
  return {
    walletType: 'ProviderA',
    accountNumber: '03001234567',
    accountTitle: 'A. Member',
    qrPayload: null,
    status: 'approved',
    paused: false,
    currencies: null,
    minimumPerOrder: null,
    maximumPerOrder: null,
    maximumPerDay: null,
    day: 0,
    dayAmount: 0n,
    ...given,
  };
}

/** An online member with one approved ProviderA account (`<memberId>-a`) and a float of 1000. */
export function member(given: Given<Member> & { readonly memberId: string }): Member {
  return {
    status: 'active',
    online: true,
    maxOpenOrders: 10,
    openOrders: 0,
    floatBalance: money('1000'),
    floatHeld: 0n,
    floatOverdrawn: false,
    lastAssignedAt: null,
    recoveredAt: null,
    accounts: [account({ accountId: `${given.memberId}-a` })],
    ...given,
  } as Member;
}

const ORDER = {
  merchantId: 'mer1',
  orderId: 'ord1',
  orderReference: 'ORD-20260115115500-000001',
  apiKeyId: 'key1',
  idempotencyKey: 'idem1',
  signatureDigest: 'd1',
  termsDigest: 't1',
  orderType: 'Deposit',
  walletType: 'ProviderA',
  currency: 'PKR',
  amount: money('100'),
  fee: money('2'),
  rate: FACTOR_ONE,
  settlementAmount: money('98'),
  floatAmount: money('100'),
  merchantOrderRef: 'ref1',
  liveReference: 'ref1',
  customerReference: null,
  customerAccountNumber: null,
  customerAccountName: null,
  callbackUrl: 'https://shop.example/hook',
  successUrl: null,
  failureUrl: null,
  metadata: null,
  txnRefDigitsRequired: 4,
  maxRetryCount: 3,
  pageOrigin: 'https://pay.example',
  createdStatus: 'Queued',
  status: 'Queued',
  memberId: 'm1',
  accountId: 'm1-a',
  formerMemberIds: [],
  reassignments: 0,
  createdAt: NOW - 5 * MINUTE,
  awaitingAt: null,
  assignedAt: NOW - 5 * MINUTE,
  holderSince: NOW - 5 * MINUTE,
  sentAt: null,
  completedAt: null,
  rejectedAt: null,
  failedAt: null,
  cancelledAt: null,
  expiresAt: NOW + 10 * MINUTE,
  dueAt: NOW + 10 * MINUTE,
  payerAccount: null,
  transactionDigits: null,
  memberTransactionReference: null,
  failureReason: null,
  reasonCode: null,
  moves: 0,
  methodSwitches: 0,
} satisfies Given<Order>;

const NOBODY = {
  memberId: null,
  accountId: null,
  assignedAt: null,
  holderSince: null,
  awaitingAt: NOW - 5 * MINUTE,
} as const;

/**
 * A ProviderA deposit of 100 with a fee of 2, five minutes old, held by m1 unless it is Awaiting.
 */
export function deposit(given: Given<Order> = {}): Order {
  const { status = 'Queued' } = given;
  const sent =
    status === 'AwaitingMemberConfirmation'
      ? { sentAt: NOW - 2 * MINUTE, dueAt: NOW + 28 * MINUTE }
      : {};
  return {
    ...ORDER,
    ...(status === 'Awaiting' ? { ...NOBODY, createdStatus: 'Awaiting' } : sent),
    ...(status === 'ManualReview' && { dueAt: null }),
    ...given,
  } as Order;
}

/**
 * A ProviderA withdrawal of 100 with a fee of 2, five minutes old, held by m1 unless it is
 * Awaiting.
 */
export function withdrawal(given: Given<Order> = {}): Order {
  const { status = 'AwaitingMemberPayout' } = given;
  const deadline =
    status === 'AwaitingMemberPayout'
      ? NOW + 55 * MINUTE
      : status === 'ManualReview'
        ? null
        : NOW + 115 * MINUTE;
  return {
    ...ORDER,
    orderType: 'Withdrawal',
    settlementAmount: money('102'),
    customerAccountNumber: '03007654321',
    customerAccountName: 'C. Customer',
    createdStatus: status === 'Awaiting' ? 'Awaiting' : 'AwaitingMemberPayout',
    status,
    dueAt: deadline,
    ...(status === 'Awaiting' && NOBODY),
    ...given,
  } as Order;
}

/** A withdrawal whose customer has not said where to pay. */
export const withdrawalWithoutAccount = (given: Given<Order> = {}): Order =>
  withdrawal({
    status: 'Awaiting',
    customerAccountNumber: null,
    customerAccountName: null,
    dueAt: NOW + 10 * MINUTE,
    ...given,
  });

export const message = (given: Partial<CreationMessage> = {}): CreationMessage => ({
  orderType: 'Deposit',
  amount: money('100'),
  walletType: 'ProviderA',
  currency: 'PKR',
  merchantOrderRef: null,
  customerReference: null,
  customerAccountNumber: null,
  customerAccountName: null,
  callbackUrl: null,
  successUrl: null,
  failureUrl: null,
  metadata: null,
  txnRefDigitsRequired: 4,
  maxRetryCount: 3,
  ...given,
});

/** The request of a withdrawal with the customer's account. */
export const payout = (given: Partial<CreationMessage> = {}): CreationMessage =>
  message({
    orderType: 'Withdrawal',
    customerAccountNumber: '03007654321',
    customerAccountName: 'C. Customer',
    ...given,
  });

/**
 * A signed request with that content. The text of the terms stands for its hash; the digest is new
 * for every Idempotency-Key unless given.
 */
export function creation(content: CreationMessage, given: Partial<CreateOrder> = {}): CreateOrder {
  const { idempotencyKey = 'k1' } = given;
  return {
    kind: 'create-order',
    commandId: `create ${idempotencyKey}`,
    apiKeyHash: 'hash of key1',
    keyId: 'key1',
    merchantId: 'mer1',
    digest: `digest of ${idempotencyKey}`,
    idempotencyKey,
    callerAddress: '203.0.113.7',
    pageOrigin: 'https://pay.example',
    content: { kind: 'valid', message: content, termsDigest: termsText(content) },
    ...given,
  };
}
