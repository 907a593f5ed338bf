/** A setting that is wrong or missing; the message names it and says what it takes. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting, by the name that it has in the environment and in a file of settings. */
export const SETTINGS = [
  'ALLOW_PRIVATE_CALLBACKS',
  'CELLS_DATABASE_URL',
  'CLOCK',
  'DATABASE_CA',
  'DATABASE_OWNER_URL',
  'DATABASE_POOL_SIZE',
  'DATABASE_URL',
  'DATA_DIR',
  'HOST',
  'LINK_KEYS',
  'LOG_LEVEL',
  'MAIL_FROM',
  'MASTER_KEY',
  'METRICS_TOKEN',
  'NODE_ENV',
  'OPERATOR_TOKEN',
  'OPERATOR_TOKEN_2',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'PGPASSWORD',
  'PGUSER',
  'PORT',
  'PUBLIC_URL',
  'RETENTION_ATTEMPTS_DAYS',
  'RETENTION_BODIES_DAYS',
  'RETENTION_DATABASE_URL',
  'RETENTION_HISTORY_DAYS',
  'RETENTION_LATE_CLAIMS_DAYS',
  'RETENTION_PERSONAL_DATA_DAYS',
  'RETENTION_SESSIONS_DAYS',
  'ROLES',
  'SANDBOX',
  'SMTP_URL',
  'SUPPORT_EMAIL',
  'TRUSTED_PROXIES',
  'VERIFY_AT',
  'VERIFY_DATABASE_URL',
] as const;

export type Setting = (typeof SETTINGS)[number];

/** The value of a setting; an empty one is as good as none. */
export const settingOf = (env: Environment, name: Setting): string | undefined =>
  env[name] || undefined;

export function integer(
  value: string | undefined,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  if (value === undefined) return fallback;
  if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max)
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}; it is "${value}"`);
  return Number(value);
}

export function choice<Choice extends string>(
  value: string | undefined,
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  if (value !== undefined && !choices.includes(value as Choice))
    throw new ConfigError(`${name} must be one of ${choices.join(', ')}; it is "${value}"`);
  return (value ?? fallback) as Choice;
}

export function flag(value: string | undefined, name: string): boolean {
  return choice(value, name, ['0', '1'], '0') === '1';
}

/** Entries separated by commas, each without the spaces around it. */
export const listOf = (value: string): readonly string[] =>
  value.split(',').map((entry) => entry.trim());

/** Whether a host that somebody names is this machine: its loopback addresses, or `localhost`. */
export const isLocalHost = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
