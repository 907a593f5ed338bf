import {
  type Adjustment,
  type AuditEntry,
  type Factor,
  type FeeRule,
  type Instant,
  type Member,
  type MemberAccount,
  type Merchant,
  type Money,
  money,
  parseFactor,
  type Settings,
  type Wallet,
} from '@munshi/core';

/** A row as the driver gives it: numeric as text, timestamps as milliseconds, bytea as a Buffer. */
// biome-ignore lint/suspicious/noExplicitAny: the driver's rows are untyped; each reader below gives every column its type
export type Row = Record<string, any>;

export interface TimedFeeRule extends FeeRule {
  readonly validFrom: Instant;
  readonly validUntil: Instant | null;
}

/**
 * A timestamp as a statement's parameter. A batch has few different ones, each many times: the
 * newest are remembered.
 */
export function time(at: Instant | null): string | null {
  if (at === null) return null;
  let text = times.get(at);
  if (text === undefined) {
    text = new Date(at).toISOString();
    if (times.size >= TIMES_MAX) times.clear();
    times.set(at, text);
  }
  return text;
}
const times = new Map<Instant, string>();
const TIMES_MAX = 64;

/** Money as a statement's parameter: `15005000e-4`, which numeric reads as 1500.5000. */
export const numeric = (value: Money): string => `${value}e-4`;

export const auditRow = ({
  auditId,
  actor,
  action,
  target,
  detail,
  at,
  commandId,
}: AuditEntry) => ({
  audit_id: auditId,
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_name: 'name' in actor ? actor.name : null,
  address: 'address' in actor ? actor.address : null,
  action,
  target,
  detail,
  at: time(at),
  command_id: commandId ?? null,
});

const amount = (value: string): Money => money(value);
const optionalAmount = (value: string | null): Money | null =>
  value === null ? null : money(value);

export const readSettings = (row: Row): Settings => ({
  paymentPageTtlMs: row['payment_page_ttl_seconds'] * 1000,
  awaitingWithdrawalTimeoutMs: row['awaiting_withdrawal_timeout_seconds'] * 1000,
  payoutWindowMs: row['payout_window_seconds'] * 1000,
  memberConfirmationWindowMs: row['member_confirmation_window_seconds'] * 1000,
  adjustmentApprovalLimit: optionalAmount(row['adjustment_approval_limit']),
  requireSecondOperator: row['require_second_operator'],
  sendingGraceMs: row['sending_grace_seconds'] * 1000,
});

export const readMerchant = (row: Row): Merchant => ({
  merchantId: row['merchant_id'],
  name: row['name'],
  status: row['status'],
  defaultCallbackUrl: row['default_callback_url'],
  depositMethods: row['deposit_methods'],
  withdrawalMethods: row['withdrawal_methods'],
  currencies: row['currencies'],
  ipWhitelist: row['ip_whitelist'],
});

export const readFeeRule = (row: Row): TimedFeeRule => ({
  feeRuleId: row['fee_rule_id'],
  merchantId: row['merchant_id'],
  orderType: row['order_type'],
  walletType: row['wallet_type'],
  fixed: amount(row['fixed']),
  percent: parseFactor(row['percent']) as Factor,
  minimum: optionalAmount(row['minimum']),
  maximum: optionalAmount(row['maximum']),
  fromAmount: optionalAmount(row['from_amount']),
  toAmount: optionalAmount(row['to_amount']),
  validFrom: row['valid_from'],
  validUntil: row['valid_until'],
});

export const readWallet = (row: Row): Wallet => ({
  merchantId: row['merchant_id'],
  balance: amount(row['balance']),
  reserved: amount(row['reserved']),
  frozen: amount(row['frozen']),
  overdrawn: row['overdrawn'],
});

export const readAccount = (row: Row): MemberAccount => ({
  accountId: row['account_id'],
  walletType: row['wallet_type'],
  accountNumber: row['account_number'],
  accountTitle: row['account_title'],
  qrPayload: row['qr_payload'],
  status: row['status'],
  paused: row['paused'],
  minimumPerOrder: optionalAmount(row['minimum_per_order']),
  maximumPerOrder: optionalAmount(row['maximum_per_order']),
  maximumPerDay: optionalAmount(row['maximum_per_day']),
  day: row['day'],
  dayAmount: amount(row['day_amount']),
});

export const readMember = (row: Row, accounts: readonly MemberAccount[]): Member => ({
  memberId: row['member_id'],
  status: row['status'],
  online: row['online'],
  maxOpenOrders: row['max_open_orders'],
  openOrders: row['open_orders'],
  floatBalance: amount(row['float_balance']),
  floatHeld: amount(row['float_held']),
  floatOverdrawn: row['float_overdrawn'],
  lastAssignedAt: row['last_assigned_at'],
  accounts,
});

export const readAdjustment = (row: Row): Adjustment => ({
  merchantId: row['merchant_id'],
  adjustmentId: row['adjustment_id'],
  kind: row['kind'],
  amount: amount(row['amount']),
  reason: row['reason'],
  status: row['status'],
  requestedBy: row['requested_by'],
  requestedAt: row['requested_at'],
  approvedBy: row['approved_by'],
  approvedAt: row['approved_at'],
});
