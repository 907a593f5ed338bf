import { formatMoney, type Money, type Provider, type WalletType } from '@munshi/core';
import type { Queryable } from './db.ts';
import { type Row, readSettings } from './rows.ts';
import { execute, query, statement } from './statement.ts';

/** The settings row as operators see it. */
export interface PlatformSettings {
  readonly paymentPageTtlSeconds: number;
  readonly awaitingWithdrawalTimeoutSeconds: number;
  readonly payoutWindowSeconds: number;
  readonly memberConfirmationWindowSeconds: number;
  readonly evidenceDays: number;
  readonly sendingGraceSeconds: number;
  /** After as many missed alerts in a row a member goes offline; null: never. */
  readonly missedAlertsMax: number | null;
  readonly adjustmentApprovalLimit: Money | null;
  readonly requireSecondOperator: boolean;
  readonly requireOneTimeCode: boolean;
  /** A breach that the nightly check finds disables its merchant's withdrawal methods. */
  readonly stopWithdrawalsOnBreach: boolean;
  readonly displayNames: DisplayNames;
}

/** Names that operators have set for methods (by walletType) and providers. */
export interface DisplayNames {
  readonly methods: Readonly<Partial<Record<WalletType, string>>>;
  readonly providers: Readonly<Partial<Record<Provider, string>>>;
}

/** From a row with `display_names`. */
export const readDisplayNames = (row: Row): DisplayNames => ({
  methods: {},
  providers: {},
  ...row['display_names'],
});

const readPlatform = (row: Row): PlatformSettings => ({
  paymentPageTtlSeconds: row['payment_page_ttl_seconds'],
  awaitingWithdrawalTimeoutSeconds: row['awaiting_withdrawal_timeout_seconds'],
  payoutWindowSeconds: row['payout_window_seconds'],
  memberConfirmationWindowSeconds: row['member_confirmation_window_seconds'],
  evidenceDays: row['evidence_days'],
  sendingGraceSeconds: row['sending_grace_seconds'],
  missedAlertsMax: row['missed_alerts_max'],
  adjustmentApprovalLimit: readSettings(row).adjustmentApprovalLimit,
  requireSecondOperator: row['require_second_operator'],
  requireOneTimeCode: row['require_one_time_code'],
  stopWithdrawalsOnBreach: row['stop_withdrawals_on_breach'],
  displayNames: readDisplayNames(row),
});

const COLUMNS = `payment_page_ttl_seconds, awaiting_withdrawal_timeout_seconds,
     payout_window_seconds, member_confirmation_window_seconds, adjustment_approval_limit,
     display_names, require_second_operator, require_one_time_code, evidence_days,
     sending_grace_seconds, missed_alerts_max, stop_withdrawals_on_breach`;

const READ = statement(
  'read-settings',
  `select ${COLUMNS}
   from settings`,
);

export async function readPlatformSettings(db: Queryable): Promise<PlatformSettings> {
  const [row] = await query(db, READ);
  return readPlatform(row as Row);
}

const LOCK = statement(
  'lock-settings',
  `select ${COLUMNS}
   from settings
   for no key update`,
);

/** The settings, locked until the transaction ends. */
export async function lockPlatformSettings(db: Queryable): Promise<PlatformSettings> {
  const [row] = await query(db, LOCK);
  return readPlatform(row as Row);
}

const UPDATE = statement(
  'update-settings',
  `update settings
   set payment_page_ttl_seconds = $1,
     awaiting_withdrawal_timeout_seconds = $2,
     payout_window_seconds = $3,
     member_confirmation_window_seconds = $4,
     adjustment_approval_limit = $5,
     display_names = $6,
     require_second_operator = $7,
     require_one_time_code = $8,
     evidence_days = $9,
     sending_grace_seconds = $10,
     missed_alerts_max = $11,
     stop_withdrawals_on_breach = $12`,
);

export async function updatePlatformSettings(
  db: Queryable,
  settings: PlatformSettings,
): Promise<void> {
  const { adjustmentApprovalLimit: limit } = settings;
  await execute(db, UPDATE, [
    settings.paymentPageTtlSeconds,
    settings.awaitingWithdrawalTimeoutSeconds,
    settings.payoutWindowSeconds,
    settings.memberConfirmationWindowSeconds,
    limit === null ? null : formatMoney(limit),
    JSON.stringify(settings.displayNames),
    settings.requireSecondOperator,
    settings.requireOneTimeCode,
    settings.evidenceDays,
    settings.sendingGraceSeconds,
    settings.missedAlertsMax,
    settings.stopWithdrawalsOnBreach,
  ]);
}
