import type { SettingsView } from '@munshi/api';
import { type AsText, exactDurationText } from '@munshi/web';
import { Money } from '@munshi/web-ui';
import type { ReactNode } from 'react';

const DAY_SECONDS = 86_400;

export type Settings = AsText<SettingsView>;
export type SettingName = Exclude<keyof Settings, 'displayNames'>;

/** A setting's value with its unit. */
export function shownSetting(settings: Settings, name: SettingName): ReactNode {
  const value = settings[name];
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (name === 'missedAlertsMax')
    return settings.missedAlertsMax === null
      ? 'Never'
      : settings.missedAlertsMax === 1
        ? 'After 1 missed alert'
        : `After ${settings.missedAlertsMax} in a row`;
  if (name === 'memberShareBasisPoints')
    return settings.memberShareBasisPoints === null
      ? 'Not shown'
      : `${settings.memberShareBasisPoints / 100} %`;
  if (typeof value === 'number')
    return exactDurationText(name === 'evidenceDays' ? value * DAY_SECONDS : value);
  if (value === null)
    return settings.requireSecondOperator ? 'None: every amount waits' : 'None: no amount waits';
  return <Money amount={value} currency="PKR" />;
}
