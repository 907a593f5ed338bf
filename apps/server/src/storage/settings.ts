import { formatMoney, type Money, money, type Provider, type WalletType } from '@munshi/core';
import type { Queryable } from './db.ts';
import type { Row } from './rows.ts';
import { execute, query, statement } from './statement.ts';

/** Names that operators have set for methods (by walletType) and providers. */
export interface DisplayNames {
  readonly methods: Readonly<Partial<Record<WalletType, string>>>;
  readonly providers: Readonly<Partial<Record<Provider, string>>>;
}

/** From a row with `display_names`. */
export const readDisplayNames = (row: Row): DisplayNames => displayNamesOf(row['display_names']);
const displayNamesOf = (stored: Partial<DisplayNames>): DisplayNames => ({
  methods: {},
  providers: {},
  ...stored,
});

/** How a setting is stored in its column. */
interface Stored<Value> {
  read(stored: Row[string]): Value;
  write(value: Value): unknown;
}
const asItIs = <Value>(): Stored<Value> => ({ read: (stored) => stored, write: (value) => value });
const limit: Stored<Money | null> = {
  read: (stored) => (stored === null ? null : money(stored)),
  write: (value) => (value === null ? null : formatMoney(value)),
};

/** Every setting of the platform. Its column has the same name in snake case. */
const SETTINGS = {
  paymentPageTtlSeconds: asItIs<number>(),
  awaitingWithdrawalTimeoutSeconds: asItIs<number>(),
  payoutWindowSeconds: asItIs<number>(),
  memberConfirmationWindowSeconds: asItIs<number>(),
  evidenceDays: asItIs<number>(),
  sendingGraceSeconds: asItIs<number>(),
  /** After as many missed alerts in a row a member goes offline; null: never. */
  missedAlertsMax: asItIs<number | null>(),
  adjustmentApprovalLimit: limit,
  requireSecondOperator: asItIs<boolean>(),
  requireOneTimeCode: asItIs<boolean>(),
  /** A breach that the nightly check finds disables its merchant's withdrawal methods. */
  stopWithdrawalsOnBreach: asItIs<boolean>(),
  displayNames: { read: displayNamesOf, write: JSON.stringify } as Stored<DisplayNames>,
} as const;
type Name = keyof typeof SETTINGS;

/** The settings row as operators see it. */
export type PlatformSettings = {
  readonly [One in Name]: ReturnType<(typeof SETTINGS)[One]['read']>;
};

const NAMES = Object.keys(SETTINGS) as readonly Name[];
const columnOf = (name: Name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const COLUMNS = NAMES.map(columnOf).join(', ');
const storedAs = (name: Name) => SETTINGS[name] as Stored<unknown>;

const readPlatform = (row: Row) =>
  Object.fromEntries(
    NAMES.map((name) => [name, storedAs(name).read(row[columnOf(name)])]),
  ) as unknown as PlatformSettings;

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
   set ${NAMES.map((name, at) => `${columnOf(name)} = $${at + 1}`).join(', ')}`,
);

export async function updatePlatformSettings(
  db: Queryable,
  settings: PlatformSettings,
): Promise<void> {
  await execute(
    db,
    UPDATE,
    NAMES.map((name) => storedAs(name).write(settings[name])),
  );
}
