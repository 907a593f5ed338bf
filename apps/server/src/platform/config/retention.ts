import {
  RETENTION_DAYS_MAX,
  RETENTION_DAYS_MIN,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionPolicy,
} from '@munshi/core';
import { type DatabaseTarget, readDatabaseUrl } from './database-url.ts';
import { ConfigError, type Environment, integer, type Setting, settingOf } from './setting.ts';

const SETTINGS: Readonly<Record<RetentionKind, Setting>> = {
  history: 'RETENTION_HISTORY_DAYS',
  attempts: 'RETENTION_ATTEMPTS_DAYS',
  bodies: 'RETENTION_BODIES_DAYS',
  'late-claims': 'RETENTION_LATE_CLAIMS_DAYS',
  'personal-data': 'RETENTION_PERSONAL_DATA_DAYS',
  sessions: 'RETENTION_SESSIONS_DAYS',
};

/** Days by kind; a kind whose setting is missing is kept for ever. Throws ConfigError. */
export function readRetention(env: Environment): RetentionPolicy {
  const set = RETENTION_KINDS.flatMap((kind) => {
    const name = SETTINGS[kind];
    const value = settingOf(env, name);
    const days = integer(value, name, 0, RETENTION_DAYS_MIN, RETENTION_DAYS_MAX);
    return value === undefined ? [] : [[kind, days] as const];
  });
  return Object.fromEntries(set);
}

/** The role that removes: another one than the service's. Throws ConfigError. */
export function readRetentionDatabase(
  env: Environment,
  policy: RetentionPolicy,
  {
    database,
    isWorker,
  }: { readonly database: DatabaseTarget | undefined; readonly isWorker: boolean },
): DatabaseTarget | undefined {
  const url = settingOf(env, 'RETENTION_DATABASE_URL');
  if (url === undefined) {
    const [kind] = RETENTION_KINDS.filter((each) => policy[each] !== undefined);
    if (kind !== undefined && database !== undefined && isWorker)
      throw new ConfigError(
        `${SETTINGS[kind]} needs RETENTION_DATABASE_URL: the role that removes is another one than the service's, which may delete nothing (docs/operate/retention.md, "The role of retention")`,
      );
    return undefined;
  }
  if (database === undefined)
    throw new ConfigError(
      'RETENTION_DATABASE_URL is set without DATABASE_URL: the embedded Postgres has that role by itself',
    );
  const target = readDatabaseUrl('RETENTION_DATABASE_URL', url, env);
  if (target.user === database.user)
    throw new ConfigError(
      `RETENTION_DATABASE_URL names the role ${target.user} of DATABASE_URL: give it a role of its own (docs/operate/retention.md, "The role of retention")`,
    );
  return target;
}
