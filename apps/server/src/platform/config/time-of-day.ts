import { ConfigError } from './setting.ts';

/** Minutes after midnight of `HH:MM`, null for `off`. Throws ConfigError. */
export function timeOfDay(name: string, text: string): number | null {
  if (text === 'off') return null;
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined)
    throw new ConfigError(`${name} must be a time in UTC such as 22:00, or off; it is "${text}"`);
  return Number(hours) * 60 + Number(minutes);
}
