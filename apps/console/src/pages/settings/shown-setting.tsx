import type { SettingsView } from '@munshi/api';
import { type AsText, exactDurationText } from '@munshi/web';
import { Money } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

const DAY_SECONDS = 86_400;

export type Settings = AsText<SettingsView>;
export type SettingName = keyof typeof texts.who;

/** A setting's value with its unit. */
export function shownSetting(settings: Settings, name: SettingName): ReactNode {
  const value = settings[name];
  if (typeof value === 'boolean') return value ? texts.on : texts.off;
  if (name === 'missedAlertsMax')
    return settings.missedAlertsMax === null ? texts.never : texts.missed(settings.missedAlertsMax);
  if (typeof value === 'number')
    return exactDurationText(name === 'evidenceDays' ? value * DAY_SECONDS : value);
  if (value === null)
    return settings.requireSecondOperator ? texts.everyAmountWaits : texts.noLimit;
  return <Money amount={value} currency="PKR" />;
}
