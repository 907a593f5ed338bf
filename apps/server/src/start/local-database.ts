import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  attachEmbeddedPostgres,
  defaultDataDir,
  startEmbeddedPostgres,
} from '@munshi/embedded-postgres';
import type { DatabaseTarget } from '../platform/config/database-url.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { COMMAND_SESSION, reportingWaits } from '../platform/database/connection/commit-waits.ts';
import { openDatabase } from '../platform/database/db.ts';
import { migrate, OldSchemaError } from '../platform/database/migrate.ts';
import { prepareRoles, rolesOf } from '../platform/database/roles.ts';
import { explainDataDir } from './start-errors.ts';

/**
 * The database that the settings name: an outside one, or the embedded one with its master key
 * beside the data.
 */
export interface LocalDatabase {
  /** As the role that serves. */
  readonly target: DatabaseTarget;
  /**
   * As the role that owns the tables, for migrations; undefined where `target` is all that we were
   * given.
   */
  readonly owner: DatabaseTarget | undefined;
  /** As the role that removes what is kept no longer; undefined where there is none. */
  readonly retention: DatabaseTarget | undefined;
  readonly masterKey: string;
  /** Where the data lies; undefined for an outside database. */
  readonly dataDir: string | undefined;
  /** Stops an embedded server that this call has started. */
  stop(): Promise<void>;
}

interface LocalOptions {
  readonly progress?: (text: string) => void;
  /** The embedded Postgres of `dataDir` has died. */
  readonly onDeath?: (reason: string, dataDir: string) => void;
  /**
   * Use a server that another process runs on the same data, if there is one: for tools beside a
   * running service.
   */
  readonly attach?: boolean;
}

export async function openLocalDatabase(
  config: Config,
  { progress, onDeath, attach = false }: LocalOptions,
): Promise<LocalDatabase> {
  if (config.database !== undefined) {
    return {
      target: config.database,
      owner: config.databaseOwner,
      retention: config.retentionDatabase,
      masterKey: config.masterKey as string,
      dataDir: undefined,
      stop: async () => {},
    };
  }
  const dataDir = config.dataDir ?? (await defaultDataDir('munshi'));
  const running = attach ? await attachEmbeddedPostgres(dataDir) : undefined;
  const options = {
    dataDir,
    ...(progress && { progress }),
    ...(onDeath && { onDeath: (reason: string) => onDeath(reason, dataDir) }),
  };
  const started =
    running === undefined
      ? await startEmbeddedPostgres(options).catch((error) => explainDataDir(error, dataDir))
      : undefined;
  const { host, port, user, password, database } = (
    running ?? (started as NonNullable<typeof started>)
  ).config('postgres');
  const superuser = { hosts: [{ host, port }], user, password, database, ssl: false };
  const roles = rolesOf(superuser);
  const supervisor = openDatabase(superuser, { poolSize: 1 });
  await prepareRoles(supervisor.pool, roles).finally(supervisor.close);
  return {
    target: roles.runtime,
    owner: roles.owner,
    retention: roles.retention,
    masterKey: config.masterKey ?? readMasterKey(dataDir),
    dataDir,
    stop: async () => started?.stop(),
  };
}

/** As the owner of the tables where we have it. A migration may take as long as it takes. */
export async function migrateDatabase(
  {
    target,
    owner,
    retention,
    dataDir,
  }: Pick<LocalDatabase, 'target' | 'owner' | 'retention' | 'dataDir'>,
  progress: (text: string) => void,
): Promise<void> {
  const unhurried = openDatabase(owner ?? target, { name: COMMAND_SESSION, poolSize: 1 });
  const roles = { runtimeRole: owner && target.user, retentionRole: retention?.user };
  try {
    await reportingWaits(owner ?? target, progress, () =>
      migrate(unhurried.pool, { ...roles, progress }),
    );
  } catch (error) {
    throw error instanceof OldSchemaError ? startOverError(dataDir) : error;
  } finally {
    await unhurried.close();
  }
}

const startOverError = (dataDir: string | undefined) =>
  new ConfigError(
    dataDir === undefined
      ? 'The database that DATABASE_URL names was made before the first release, and cannot be brought up to date: to begin anew, name a new, empty database.'
      : `The data in ${dataDir} were made before the first release, and cannot be brought up to date: to begin anew, remove that folder and start again; all that is in it will be lost.`,
  );

/**
 * Made once and whole, also on a disk that fills up; with it the signing secrets can be opened.
 */
function readMasterKey(dataDir: string): string {
  const file = path.join(dataDir, 'master-key');
  try {
    if (!existsSync(file)) {
      writeFileSync(`${file}.new`, randomBytes(32).toString('hex'), { mode: 0o600, flush: true });
      renameSync(`${file}.new`, file);
    }
    const key = readFileSync(file, 'utf8').trim();
    if (!/^[0-9a-f]{64}$/.test(key))
      throw new ConfigError(
        `${file} must hold the 64 hex characters that were written there: restore it from your backup.`,
      );
    return key;
  } catch (error) {
    return explainDataDir(error as Error, dataDir);
  }
}
