import type { CreationMessage } from '../creation-message.ts';
import {
  type ApiKey,
  accept,
  type Context,
  type Decision,
  type Keys,
  type Merchant,
  type Objection,
  refuse,
  type View,
  withDetail,
} from '../decision.ts';
import { quoteFee, settlementOf } from '../fee.ts';
import { isListed } from '../ip.ts';
import type { ExpectedNeed } from '../matching.ts';
import { WALLET_CURRENCY } from '../method.ts';
import { formatMoney, type Money } from '../money.ts';
import type { Order } from '../order.ts';
import { assigned, findFor, holdFor, needOf, payoutUntil } from '../step.ts';

/**
 * A signed creation request, verified and read. Invalid content is refused here, so that the replay
 * guard sees every signed body (decision 5).
 */
export interface CreateOrder {
  readonly kind: 'create-order';
  readonly commandId: string;
  readonly apiKeyHash: string;
  /** The key's merchant, which never changes. Whether the key is active is checked again. */
  readonly keyId: string;
  readonly merchantId: string;
  /** Hex of the MD5 that signed the body. */
  readonly digest: string;
  readonly idempotencyKey: string;
  readonly callerAddress: string;
  readonly pageOrigin: string;
  readonly content:
    | { readonly kind: 'unbound'; readonly errors: Readonly<Record<string, readonly string[]>> }
    | { readonly kind: 'invalid'; readonly messages: readonly string[] }
    | { readonly kind: 'valid'; readonly message: CreationMessage; readonly termsDigest: string };
}

/** A signed body belongs to one Idempotency-Key for this long (merchant-api.md#idempotency). */
export const REPLAY_WINDOW_MS = 24 * 3_600_000;

export function keys(command: CreateOrder): Keys {
  const { apiKeyHash, keyId, merchantId, digest, idempotencyKey, content } = command;
  const message = content.kind === 'valid' ? content.message : undefined;
  const creation = {
    apiKeyHash,
    keyId,
    merchantId,
    digest,
    idempotencyKey,
    merchantOrderRef: message?.merchantOrderRef ?? null,
  };
  if (message === undefined) return { creation };
  const need: ExpectedNeed = {
    ...needOf({ ...message, floatAmount: message.amount }),
    ...(message.currency !== WALLET_CURRENCY && { floatAmount: null }),
  };
  const matched = message.orderType === 'Deposit' || message.customerAccountNumber !== null;
  return {
    creation,
    ...(matched && { need }),
    ...(message.orderType === 'Withdrawal' && { wallets: [merchantId] }),
  };
}

/**
 * Answers the new order, or the one that the Idempotency-Key is bound to. Refuses in the order of
 * merchant-api.md#order-of-checks and of decision 5.
 */
export function decide(command: CreateOrder, view: View, ctx: Context): Decision<Order> {
  const { digest, idempotencyKey } = command;
  const key = view.apiKey(command.apiKeyHash);
  if (key === undefined || key.revoked)
    return refuse('key-not-active', 'API key not found or inactive.');

  const bound = view.boundOrder(key.keyId, idempotencyKey);
  const known = view.replay(key.keyId, digest);
  const guarding = known !== undefined && ctx.now - known.acceptedAt < REPLAY_WINDOW_MS;
  if (guarding && known.idempotencyKey !== idempotencyKey && bound?.signatureDigest !== digest) {
    return refuse(
      'signature-replayed',
      'This signed request was already accepted with a different Idempotency-Key. Retry with the original Idempotency-Key.',
    );
  }
  const decision = decideContent(command, key, bound, view, ctx);
  // A body whose first request was refused is held for a day from the order that it makes later.
  const creates = decision.ok && bound === undefined;
  if (guarding && !creates) return decision;
  const { keyId, merchantId } = key;
  const replaces = known?.acceptedAt ?? null;
  const replay = { merchantId, keyId, digest, idempotencyKey, acceptedAt: ctx.now, replaces };
  return { ...decision, changes: { replay, ...decision.changes } };
}

/** Decides a request that is no replay. `bound`: the order that has its Idempotency-Key. */
function decideContent(
  command: CreateOrder,
  key: ApiKey,
  bound: Order | undefined,
  view: View,
  ctx: Context,
): Decision<Order> {
  const { content } = command;
  if (content.kind === 'unbound') {
    const message = 'The request could not be read.';
    return {
      ok: false,
      refusal: { code: 'unbound', message, errors: content.errors },
      changes: {},
    };
  }
  if (content.kind === 'invalid') return refuse('invalid', content.messages.join('; '));
  const { message, termsDigest } = content;
  if (bound === undefined) return decideNew(command, message, termsDigest, key, view, ctx);
  if (hasTerms(bound, termsDigest, ctx)) return accept(bound);
  return refuse(
    'terms-differ',
    'This Idempotency-Key was already used for a different order request.',
  );
}

/**
 * Orders from before the terms check are not compared. A hash could be tried out for the account
 * number that it is of: beside a masked one stands a keyed hash (decision 20).
 */
const hasTerms = ({ termsDigest }: Order, asked: string, ctx: Context): boolean =>
  termsDigest === null || termsDigest === asked || termsDigest === ctx.keyedDigest(asked);

/** Whether new orders of a merchant are accepted at all. */
export const takesOrders = ({ status }: Pick<Merchant, 'status'>): boolean => status === 'active';

function decideNew(
  command: CreateOrder,
  message: CreationMessage,
  termsDigest: string,
  { merchantId, keyId }: ApiKey,
  view: View,
  ctx: Context,
): Decision<Order> {
  const { currency, merchantOrderRef, orderType, walletType } = message;
  const merchant = view.merchant(merchantId);
  if (!takesOrders(merchant))
    return refuse(
      'merchant-not-active',
      `Merchant account is ${merchant.status}; new orders are not accepted.`,
    );
  const { ipWhitelist } = merchant;
  if (ipWhitelist.enabled && !isListed(ipWhitelist.entries, command.callerAddress, orderType))
    return withDetail(
      refuse('address-not-listed', 'IP not in whitelist.'),
      `the caller's address is ${command.callerAddress || 'not known'}`,
    );
  const rate = view.rate(currency, ctx.now);
  if (!takes(merchant, message) || rate === undefined)
    return withDetail(
      refuse(
        'method-disabled',
        `${walletType} ${orderType.toLowerCase()}s are disabled for this merchant.`,
      ),
      whyDisabled(merchant, message, rate !== undefined),
    );
  const live = merchantOrderRef === null ? undefined : view.liveOrder(merchantId, merchantOrderRef);
  if (live !== undefined)
    return refuse(
      'reference-live',
      `merchantOrderRef '${merchantOrderRef}' is already used by order ${live}. Reuse the same Idempotency-Key to retry a request, or use a new reference for a new payment.`,
    );
  const fee = quoteFee({ ...message, merchantId }, view.feeRules(merchantId, ctx.now));
  const settlement = settlementOf({ ...message, fee, rate });
  const unfunded = refuseAmount(message, merchantId, settlement, view);
  if (unfunded !== undefined) return unfunded;
  // Nothing below can fail.
  const priced = { merchantId, apiKeyId: keyId, fee, rate, ...settlement };
  return place(waitingOrder(command, message, priced, termsDigest, view, ctx), view, ctx);
}

function refuseAmount(
  { amount, currency, orderType }: CreationMessage,
  merchantId: string,
  { floatAmount, settlementAmount }: Pick<Order, 'floatAmount' | 'settlementAmount'>,
  view: View,
): Objection {
  if (floatAmount === 0n) {
    const rounded = `${formatMoney(amount)} ${currency} is less than half of 0.0001 ${WALLET_CURRENCY}`;
    return refuse(
      'amount-too-small',
      `The amount is too small to settle: at the present exchange rate ${rounded}.`,
    );
  }
  if (orderType === 'Deposit') return undefined;
  const { balance, reserved } = view.wallets.get(merchantId);
  if (balance - reserved >= settlementAmount) return undefined;
  return refuse(
    'insufficient-balance',
    insufficientBalance(balance - reserved, settlementAmount, reserved),
  );
}

const methodsFor = (merchant: Merchant, { orderType }: CreationMessage) =>
  orderType === 'Deposit' ? merchant.depositMethods : merchant.withdrawalMethods;

function takes(merchant: Merchant, message: CreationMessage): boolean {
  return (
    methodsFor(merchant, message).includes(message.walletType) &&
    merchant.currencies.includes(message.currency)
  );
}

/**
 * The merchant gets one message for all of these (merchant-api.md#messages-of-order-creation);
 * operators see which applied.
 */
function whyDisabled(merchant: Merchant, message: CreationMessage, hasRate: boolean): string {
  const { walletType, orderType, currency } = message;
  return [
    methodsFor(merchant, message).includes(walletType)
      ? []
      : `the method ${walletType} is not enabled for ${orderType.toLowerCase()}s`,
    merchant.currencies.includes(currency) ? [] : `the currency ${currency} is not enabled`,
    hasRate ? [] : `no exchange rate is set for ${currency}`,
  ]
    .flat()
    .join('; ');
}

function insufficientBalance(available: Money, required: Money, reserved: Money): string {
  const shortfall = `Insufficient merchant balance: ${formatMoney(available)} ${WALLET_CURRENCY} available, ${formatMoney(required)} ${WALLET_CURRENCY} required for this withdrawal (amount + fee).`;
  return reserved === 0n
    ? shortfall
    : `${shortfall} ${formatMoney(reserved)} ${WALLET_CURRENCY} is reserved by withdrawals in progress.`;
}

type Priced = Pick<
  Order,
  'merchantId' | 'apiKeyId' | 'fee' | 'rate' | 'settlementAmount' | 'floatAmount'
>;

/** The new order while it waits for a member. */
function waitingOrder(
  command: CreateOrder,
  message: CreationMessage,
  priced: Priced,
  termsDigest: string,
  view: View,
  ctx: Context,
): Order {
  const expiresAt = ctx.now + view.settings.paymentPageTtlMs;
  return {
    ...message,
    ...priced,
    orderId: ctx.newId(),
    orderReference: ctx.newReference(),
    idempotencyKey: command.idempotencyKey,
    signatureDigest: command.digest,
    termsDigest,
    liveReference: message.merchantOrderRef,
    callbackUrl: message.callbackUrl ?? view.merchant(priced.merchantId).defaultCallbackUrl,
    pageOrigin: command.pageOrigin,
    createdStatus: 'Awaiting',
    status: 'Awaiting',
    memberId: null,
    accountId: null,
    formerMemberIds: [],
    reassignments: 0,
    createdAt: ctx.now,
    awaitingAt: ctx.now,
    assignedAt: null,
    holderSince: null,
    sentAt: null,
    completedAt: null,
    rejectedAt: null,
    failedAt: null,
    cancelledAt: null,
    expiresAt,
    dueAt:
      message.orderType === 'Withdrawal' && message.customerAccountNumber !== null
        ? ctx.now + view.settings.awaitingWithdrawalTimeoutMs
        : expiresAt,
    payerAccount: null,
    transactionDigits: null,
    memberTransactionReference: null,
    failureReason: null,
    reasonCode: null,
    moves: 0,
    methodSwitches: 0,
  };
}

/** Gives the new order to a member if one is eligible, and reserves a withdrawal's money. */
function place(waiting: Order, view: View, ctx: Context): Decision<Order> {
  const withdrawal = waiting.orderType === 'Withdrawal';
  const wallet = withdrawal ? view.wallets.get(waiting.merchantId) : undefined;
  const reservation = wallet && {
    wallets: [{ ...wallet, reserved: wallet.reserved + waiting.settlementAmount }],
  };

  // A withdrawal without an account is not matched before the customer submits one
  // (states.md#awaiting).
  const found =
    withdrawal && waiting.customerAccountNumber === null ? undefined : findFor(waiting, view, ctx);
  if (found === undefined) return accept(waiting, { created: waiting, ...reservation });

  const next = withdrawal
    ? payoutUntil(view, ctx)
    : ({ status: 'Queued', dueAt: waiting.expiresAt } as const);
  const patch = { ...next, createdStatus: next.status, awaitingAt: null };
  const order = assigned(waiting, found, patch, ctx);
  const notices = [
    { memberId: found.member.memberId, event: 'assigned' as const, orderId: order.orderId },
  ];
  const members = [holdFor(order, found, ctx)];
  return accept(order, { created: order, members, notices, ...reservation });
}
