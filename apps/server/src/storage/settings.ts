import type { Provider, WalletType } from '@munshi/core';
import {
  amount,
  assignments,
  boolean,
  columns,
  integer,
  json,
  type Kind,
  made,
  orNull,
  type RecordOf,
} from './columns.ts';
import type { Queryable } from './db.ts';
import { execute, queryOne, statement } from './statement.ts';

/** Names that operators have set for methods (by walletType) and providers. */
export interface DisplayNames {
  readonly methods: Readonly<Partial<Record<WalletType, string>>>;
  readonly providers: Readonly<Partial<Record<Provider, string>>>;
}

/** The column `display_names`. */
export const DISPLAY_NAMES: Kind<DisplayNames> = {
  ...made(json<Partial<DisplayNames>>(), (stored) => ({ methods: {}, providers: {}, ...stored })),
  write: JSON.stringify,
};

/** Every setting of the platform. */
const SETTINGS = {
  paymentPageTtlSeconds: integer,
  awaitingWithdrawalTimeoutSeconds: integer,
  payoutWindowSeconds: integer,
  memberConfirmationWindowSeconds: integer,
  evidenceDays: integer,
  sendingGraceSeconds: integer,
  /** After as many missed alerts in a row a member goes offline; null: never. */
  missedAlertsMax: orNull(integer),
  adjustmentApprovalLimit: orNull(amount),
  requireSecondOperator: boolean,
  requireOneTimeCode: boolean,
  /** A breach that the nightly check finds disables its merchant's withdrawal methods. */
  stopWithdrawalsOnBreach: boolean,
  displayNames: DISPLAY_NAMES,
};
const PLATFORM = columns('', SETTINGS);

/** The settings row as operators see it. */
export type PlatformSettings = RecordOf<typeof PLATFORM>;

const READ = statement(
  'read-settings',
  `select ${PLATFORM.list}
   from settings`,
  PLATFORM,
);

export async function readPlatformSettings(db: Queryable): Promise<PlatformSettings> {
  return (await queryOne(db, READ)) as PlatformSettings;
}

const LOCK = statement(
  'lock-settings',
  `select ${PLATFORM.list}
   from settings
   for no key update`,
  PLATFORM,
);

/** The settings, locked until the transaction ends. */
export async function lockPlatformSettings(db: Queryable): Promise<PlatformSettings> {
  return (await queryOne(db, LOCK)) as PlatformSettings;
}

const CHANGES = assignments(SETTINGS);
const UPDATE = statement('update-settings', `update settings set ${CHANGES.set}`);

export async function updatePlatformSettings(
  db: Queryable,
  settings: PlatformSettings,
): Promise<void> {
  await execute(db, UPDATE, CHANGES.valuesOf(settings));
}
