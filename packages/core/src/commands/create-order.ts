import type { CreationMessage } from '../creation-message.ts';
import {
  accept,
  type Changes,
  type Context,
  type Decision,
  type Keys,
  type Merchant,
  type Replay,
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
import { assigned, holdFor, needOf } from '../step.ts';

/**
 * A signed creation request, verified and read. Invalid content is refused here, so that the replay
 * guard sees every signed body (D7).
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
    ...(message.orderType === 'Withdrawal' && { walletOf: merchantId }),
  };
}

/**
 * Answers the new order, or the one that the Idempotency-Key is bound to. Refuses in the order of
 * D1, D7 and D18.
 */
export function decide(command: CreateOrder, view: View, ctx: Context): Decision<Order> {
  const key = view.apiKey(command.apiKeyHash);
  if (key === undefined || key.revoked)
    return refuse('key-not-active', 'API key not found or inactive.');

  const bound = view.boundOrder(key.keyId, command.idempotencyKey);
  const known = view.replay(key.keyId, command.digest);
  const guarding = known !== undefined && ctx.now - known.acceptedAt < REPLAY_WINDOW_MS;
  if (
    guarding &&
    known.idempotencyKey !== command.idempotencyKey &&
    bound?.signatureDigest !== command.digest
  ) {
    return refuse(
      'signature-replayed',
      'This signed request was already accepted with a different Idempotency-Key. Retry with the original Idempotency-Key.',
    );
  }
  const replay: Replay | undefined = guarding
    ? undefined
    : {
        merchantId: key.merchantId,
        keyId: key.keyId,
        digest: command.digest,
        idempotencyKey: command.idempotencyKey,
        acceptedAt: ctx.now,
        replaces: known?.acceptedAt ?? null,
      };
  const seen: Changes = replay ? { replay } : {};

  const { content } = command;
  if (content.kind === 'unbound') {
    return {
      ok: false,
      refusal: {
        code: 'unbound',
        message: 'The request could not be read.',
        errors: content.errors,
      },
      changes: seen,
    };
  }
  if (content.kind === 'invalid') return refuse('invalid', content.messages.join('; '), seen);
  if (bound !== undefined) {
    if (bound.termsDigest === null || bound.termsDigest === content.termsDigest)
      return accept(bound, seen);
    return refuse(
      'terms-differ',
      'This Idempotency-Key was already used for a different order request.',
      seen,
    );
  }

  const { message } = content;
  const merchant = view.merchant(key.merchantId);
  if (merchant.status !== 'active')
    return refuse(
      'merchant-not-active',
      `Merchant account is ${merchant.status}; new orders are not accepted.`,
      seen,
    );
  const { ipWhitelist } = merchant;
  if (
    ipWhitelist.enabled &&
    !isListed(ipWhitelist.entries, command.callerAddress, message.orderType)
  ) {
    return withDetail(
      refuse('address-not-listed', 'IP not in whitelist.', seen),
      `the caller's address is ${command.callerAddress || 'not known'}`,
    );
  }
  const rate = view.rate(message.currency);
  if (!takes(merchant, message) || rate === undefined) {
    const refusal = refuse(
      'method-disabled',
      `${message.walletType} ${message.orderType.toLowerCase()}s are disabled for this merchant.`,
      seen,
    );
    return withDetail(refusal, whyDisabled(merchant, message, rate !== undefined));
  }
  const live =
    message.merchantOrderRef === null
      ? undefined
      : view.liveOrder(key.merchantId, message.merchantOrderRef);
  if (live !== undefined) {
    return refuse(
      'reference-live',
      `merchantOrderRef '${message.merchantOrderRef}' is already used by order ${live}. Reuse the same Idempotency-Key to retry a request, or use a new reference for a new payment.`,
      seen,
    );
  }
  const fee = quoteFee(
    { ...message, merchantId: key.merchantId },
    view.feeRules(key.merchantId, ctx.now),
  );
  const settlement = settlementOf({ ...message, fee, rate });
  if (settlement.floatAmount === 0n) {
    const rounded = `${formatMoney(message.amount)} ${message.currency} is less than half of 0.0001 ${WALLET_CURRENCY}`;
    return refuse(
      'amount-too-small',
      `The amount is too small to settle: at the present exchange rate ${rounded}.`,
      seen,
    );
  }
  if (message.orderType === 'Withdrawal') {
    const { balance, reserved } = view.wallet(key.merchantId);
    if (balance - reserved < settlement.settlementAmount) {
      return refuse(
        'insufficient-balance',
        insufficientBalance(balance - reserved, settlement.settlementAmount, reserved),
        seen,
      );
    }
  }
  // Nothing below can fail.
  const { order, changes } = place(
    command,
    message,
    { merchantId: key.merchantId, apiKeyId: key.keyId, fee, rate, ...settlement },
    content.termsDigest,
    view,
    ctx,
  );
  return accept(order, { ...seen, ...changes });
}

const methodsFor = (merchant: Merchant, { orderType }: CreationMessage) =>
  orderType === 'Deposit' ? merchant.depositMethods : merchant.withdrawalMethods;

function takes(merchant: Merchant, message: CreationMessage): boolean {
  return (
    methodsFor(merchant, message).includes(message.walletType) &&
    merchant.currencies.includes(message.currency)
  );
}

/** The merchant gets one message for all of these (D44); operators see which applied. */
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

/** The new order, with a member if one is eligible, otherwise waiting. */
function place(
  command: CreateOrder,
  message: CreationMessage,
  priced: Priced,
  termsDigest: string,
  view: View,
  ctx: Context,
): { order: Order; changes: Changes } {
  const { settings } = view;
  const withdrawal = message.orderType === 'Withdrawal';
  const expiresAt = ctx.now + settings.paymentPageTtlMs;
  const waiting: Order = {
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
      withdrawal && message.customerAccountNumber !== null
        ? ctx.now + settings.awaitingWithdrawalTimeoutMs
        : expiresAt,
    payerAccount: null,
    transactionDigits: null,
    memberTransactionReference: null,
    failureReason: null,
    moves: 0,
    methodSwitches: 0,
  };
  const wallet = withdrawal ? view.wallet(priced.merchantId) : undefined;
  const reservation = wallet && {
    wallet: { ...wallet, reserved: wallet.reserved + priced.settlementAmount },
  };

  // A withdrawal without an account is not matched before the customer submits one (D37).
  const found =
    withdrawal && message.customerAccountNumber === null
      ? undefined
      : view.findMember(needOf(waiting), ctx.now);
  if (found === undefined) return { order: waiting, changes: { created: waiting, ...reservation } };

  const status = withdrawal ? 'AwaitingMemberPayout' : 'Queued';
  const dueAt = withdrawal ? ctx.now + settings.payoutWindowMs : expiresAt;
  const order: Order = {
    ...assigned(waiting, status, found, ctx, dueAt),
    createdStatus: status,
    awaitingAt: null,
  };
  const notices = [
    { memberId: found.member.memberId, event: 'assigned' as const, orderId: order.orderId },
  ];
  return {
    order,
    changes: { created: order, members: [holdFor(order, found, ctx)], notices, ...reservation },
  };
}
