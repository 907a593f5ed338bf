import type { ChangeSettings } from '@munshi/api';
import type { DisplayNames } from '@munshi/core';
import {
  assignments,
  columns,
  type Kind,
  made,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { readsRow, writes } from '../platform/database/statement.ts';

/** The column `display_names`. */
export const DISPLAY_NAMES: Kind<Required<DisplayNames>> = {
  ...made(t.json<DisplayNames>(), ({ methods = {}, providers = {}, currencies = {} }) => ({
    methods,
    providers,
    currencies,
  })),
  write: JSON.stringify,
};

/** Every setting of the platform. */
const SETTINGS = {
  paymentPageTtlSeconds: t.integer,
  awaitingWithdrawalTimeoutSeconds: t.integer,
  payoutWindowSeconds: t.integer,
  memberConfirmationWindowSeconds: t.integer,
  evidenceDays: t.integer,
  sendingGraceSeconds: t.integer,
  /** After as many missed alerts in a row a member goes offline; null: never. */
  missedAlertsMax: orNull(t.integer),
  /** Of what members confirm, as it is shown to them; null: it is not shown. */
  memberShareBasisPoints: orNull(t.integer),
  adjustmentApprovalLimit: orNull(t.amount),
  requireSecondOperator: t.boolean,
  requireOneTimeCode: t.boolean,
  /** A breach that the nightly check finds disables its merchant's withdrawal methods. */
  stopWithdrawalsOnBreach: t.boolean,
  displayNames: DISPLAY_NAMES,
} satisfies Record<keyof ChangeSettings, unknown>;
const PLATFORM = columns('', SETTINGS);

/** The settings row as operators see it. */
export type PlatformSettings = RecordOf<typeof PLATFORM>;

export const readPlatformSettings = readsRow(
  'read-settings',
  `select ${PLATFORM.list}
   from settings`,
  PLATFORM,
);

/** The settings, locked until the transaction ends. */
export const lockPlatformSettings = readsRow(
  'lock-settings',
  `select ${PLATFORM.list}
   from settings
   for no key update`,
  PLATFORM,
);

const CHANGES = assignments(SETTINGS);

export const updatePlatformSettings = writes(
  'update-settings',
  `update settings set ${CHANGES.set}`,
  CHANGES.valuesOf,
);
