import { CHANGE_SETTINGS, type ChangeSettings } from '@munshi/api';
import { type Approval, formatMoney, METHODS, type Money, money, WALLET_TYPES } from '@munshi/core';
import type { Queryable } from '../storage/db.ts';
import {
  lockPlatformSettings,
  type PlatformSettings,
  readPlatformSettings,
  updatePlatformSettings,
} from '../storage/settings.ts';
import type { ServiceDeps } from './deps.ts';
import { fieldError, Refused } from './refusals.ts';
import { changesOf, namesOf, type OperatorCaller, recordedWrite, type Written } from './write.ts';

/**
 * Settings of the platform. The engine reads them again for every batch; deadlines already set
 * stay.
 */

/** What a request changes; the limit in wallet currency, null for none. */
export type SettingsChange = Omit<ChangeSettings, 'adjustmentApprovalLimit'> & {
  readonly adjustmentApprovalLimit?: Money | null;
};

/**
 * What has to wait for a second operator of a change, as an operation; undefined where nothing has.
 * Throws FieldErrors for names of unknown methods and providers, and `wrong-state` where the change
 * sets something else too.
 */
export async function looseningOf(db: Queryable, change: SettingsChange) {
  checkNames(change.displayNames ?? {});
  const before = await readPlatformSettings(db);
  const { adjustmentApprovalLimit, requireSecondOperator, requireOneTimeCode, ...others } = change;
  if (!CHANGE_SETTINGS.decides.needsTwo(before, change)) return undefined;
  if (Object.keys(others).length > 0) throw needsRequestOfItsOwn();
  return {
    kind: 'settings',
    target: 'settings',
    request: {
      ...(adjustmentApprovalLimit !== undefined && {
        adjustmentApprovalLimit: amount(adjustmentApprovalLimit),
        adjustmentApprovalLimitBefore: amount(before.adjustmentApprovalLimit),
      }),
      ...(requireSecondOperator !== undefined && {
        requireSecondOperator,
        requireSecondOperatorBefore: before.requireSecondOperator,
      }),
      ...(requireOneTimeCode !== undefined && {
        requireOneTimeCode,
        requireOneTimeCodeBefore: before.requireOneTimeCode,
      }),
    },
    waits: true,
  } as const;
}

/** What waits is asked for by a request of its own. */
export async function requireAlone(db: Queryable): Promise<void> {
  if ((await readPlatformSettings(db)).requireSecondOperator) throw needsRequestOfItsOwn();
}

const needsRequestOfItsOwn = () =>
  new Refused(
    'wrong-state',
    'Part of this needs a second operator: send that part as a request of its own.',
  );

/** Changes settings. Throws `wrong-state` where they have changed since looseningOf was asked. */
export function changeSettings(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  caller: OperatorCaller,
  { displayNames, ...change }: SettingsChange,
  show: (settings: PlatformSettings) => unknown,
): Promise<PlatformSettings> {
  const work = async (client: Queryable) => {
    const before = await lockPlatformSettings(client);
    if (CHANGE_SETTINGS.decides.needsTwo(before, change))
      throw new Refused('wrong-state', 'The settings have just changed. Read them, and try again.');
    const result: PlatformSettings = {
      ...before,
      ...change,
      displayNames: { ...before.displayNames, ...displayNames },
    };
    await updatePlatformSettings(client, result);
    const fields = namesOf({ ...change, ...(displayNames && { displayNames }) });
    const names = Object.keys(result) as (keyof PlatformSettings)[];
    const detail = { fields, ...changesOf(before, result, names) };
    return { result, action: 'settings.update' as const, target: 'settings', detail };
  };
  return recordedWrite(deps, caller, work, show);
}

/** The limit above which money waits, and whether anything does, as a request names them. */
export async function changeLimits(
  db: Queryable,
  request: Approval['request'],
): Promise<Written<PlatformSettings>> {
  const before = await lockPlatformSettings(db);
  const {
    adjustmentApprovalLimit: limit,
    requireSecondOperator: required,
    requireOneTimeCode: codes,
  } = request;
  const result: PlatformSettings = {
    ...before,
    ...(limit !== undefined && {
      adjustmentApprovalLimit: limit === null ? null : money(String(limit)),
    }),
    ...(required !== undefined && { requireSecondOperator: required === true }),
    ...(codes !== undefined && { requireOneTimeCode: codes === true }),
  };
  await updatePlatformSettings(db, result);
  const detail = { ...request, fields: namesOf(request) };
  return { result, action: 'settings.update' as const, target: 'settings', detail };
}

const PROVIDERS = [...new Set(Object.values(METHODS).map(({ provider }) => provider))];

function checkNames({ methods = {}, providers = {} }: NonNullable<ChangeSettings['displayNames']>) {
  const check = (kind: string, names: object, known: readonly string[]) => {
    const unknown = Object.keys(names).find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw fieldError(`displayNames.${kind}.${unknown}`, `must name one of ${known.join(', ')}.`);
  };
  check('methods', methods, WALLET_TYPES);
  check('providers', providers, PROVIDERS);
}

const amount = (value: Money | null) => (value === null ? null : formatMoney(value));
