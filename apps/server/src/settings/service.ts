import { CHANGE_SETTINGS, type ChangeSettings, type Given } from '@munshi/api';
import { type DisplayNames, METHODS, WALLET_TYPES } from '@munshi/core';
import {
  type ApproverDeps,
  MAKE_APPROVERS,
  readMissingApprovers,
} from '../people/approvers.service.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { fieldError, Refused } from '../platform/refusals.ts';
import {
  lockPlatformSettings,
  type PlatformSettings,
  updatePlatformSettings,
} from '../writes/platform-settings.store.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import { changesOf, namesOf, type Written } from '../writes/write.ts';

/**
 * Settings of the platform. The engine reads them again for every batch; deadlines already set
 * stay.
 */

type SettingsChange = Given<ChangeSettings>;

/** Whether a change waits while a second operator is required. The settings are locked. */
export const settingsWait = async (db: Queryable, change: SettingsChange): Promise<boolean> =>
  CHANGE_SETTINGS.decides.needsTwo(await lockPlatformSettings(db), change);

/** What a change changes. Throws FieldErrors for names of unknown methods and providers. */
export async function explainSettings(db: Queryable, change: SettingsChange): Promise<Explained> {
  const before = await lockPlatformSettings(db);
  return { target: 'settings', shown: changesOf(before, changed(before, change), change) };
}

/**
 * Changes settings. Throws as above, and `wrong-state` where a second operator would be required
 * and fewer than two approvers can sign in.
 */
export async function changeSettings(
  db: Queryable,
  change: SettingsChange,
  deps: ApproverDeps,
): Promise<Written<PlatformSettings>> {
  const before = await lockPlatformSettings(db);
  const result = changed(before, change);
  const turnsOn = result.requireSecondOperator && !before.requireSecondOperator;
  if (turnsOn && (await readMissingApprovers(db, deps)) > 0)
    throw new Refused('wrong-state', MAKE_APPROVERS);
  await updatePlatformSettings(db, result);
  const detail = { fields: namesOf(change), ...changesOf(before, result, change) };
  return { result, action: 'settings.update', target: 'settings', detail };
}

function changed(
  before: PlatformSettings,
  { displayNames = {}, ...change }: SettingsChange,
): PlatformSettings {
  checkNames(displayNames);
  return { ...before, ...change, displayNames: { ...before.displayNames, ...displayNames } };
}

const PROVIDERS = [...new Set(Object.values(METHODS).map(({ provider }) => provider))];

function checkNames(
  { currencies = {}, methods = {}, providers = {} }: DisplayNames,
  at = 'displayNames',
): void {
  const check = (kind: string, names: object, known: readonly string[]) => {
    const unknown = Object.keys(names).find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw fieldError(`${at}.${kind}.${unknown}`, `must name one of ${known.join(', ')}.`);
  };
  check('methods', methods, WALLET_TYPES);
  check('providers', providers, PROVIDERS);
  for (const [currency, names] of Object.entries(currencies))
    checkNames(names, `${at}.currencies.${currency}`);
}
