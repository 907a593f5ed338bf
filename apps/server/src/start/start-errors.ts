import { DataDirInUseError } from '@munshi/embedded-postgres';
import { ConfigError } from '../platform/config.ts';
import {
  NO_TLS,
  OldServerError,
  SessionNotKeptError,
  UnknownCommitError,
} from '../platform/database/errors.ts';
import { MigrationError } from '../platform/database/migrate.ts';
import { WrongKindError } from '../sandbox/kind.store.ts';

type Failure = Error & { readonly code?: string; readonly syscall?: string };

const DISK_FULL = /No space left on device|ENOSPC/;

/**
 * Why a start or a command failed, for people: one line that names the setting where one is at
 * fault; the stack only of what nobody expected.
 */
export function describeFailure(error: Failure): string {
  if (
    error instanceof ConfigError ||
    error instanceof DataDirInUseError ||
    error instanceof MigrationError ||
    error instanceof WrongKindError
  )
    return error.message;
  if (error instanceof UnknownCommitError)
    return `Nobody can say whether the change holds: its commit was not confirmed (${error.message}). Look before you run this again.`;
  if (error.code === '53100' || DISK_FULL.test(error.message))
    return 'The disk of the database is full: free some space, or move DATA_DIR to another disk.';
  return error.stack ?? error.message;
}

/** Why the server cannot listen, by its settings. Anything else is thrown as it came. */
export function explainListening(
  error: Failure,
  { host, port }: { readonly host: string; readonly port: number },
): never {
  const reason = {
    EADDRINUSE: `PORT ${port} is taken: ${error.message}. Stop what listens there, or set PORT to another port.`,
    EACCES: `PORT ${port} may not be listened on by this user: set PORT to 1024 or more, or give Node the right (CAP_NET_BIND_SERVICE).`,
    EADDRNOTAVAIL: `HOST "${host}" is no address of this machine: set HOST to one of its addresses, 127.0.0.1 for itself or 0.0.0.0 for all.`,
    ENOTFOUND: `HOST "${host}" is no address and no name that is known here: set HOST to 127.0.0.1 for this machine or 0.0.0.0 for all.`,
  }[error.code === 'EAI_AGAIN' || error.code === 'EINVAL' ? 'ENOTFOUND' : (error.code ?? '')];
  throw reason === undefined ? error : new ConfigError(reason);
}

/**
 * Why the embedded Postgres does not start. Its own errors say what to do; those of the file system
 * are said by the setting.
 */
export function explainDataDir(error: Failure, dataDir: string): never {
  if (error instanceof DataDirInUseError || error instanceof ConfigError) throw error;
  if (DISK_FULL.test(error.message))
    throw new ConfigError(
      `DATA_DIR (${dataDir}) is on a full disk: free some space, or set DATA_DIR to a folder on another disk.`,
    );
  if (error.syscall !== undefined) {
    throw new ConfigError(
      `DATA_DIR (${dataDir}) cannot be written to: ${error.message}. Set DATA_DIR to a folder that this user may write to.`,
    );
  }
  throw new ConfigError(error.message, { cause: error });
}

/** Why a database of the user's own is not reached, without anything of its password. */
export function explainDatabase(error: Failure): never {
  const { message } = error;
  if (error instanceof SessionNotKeptError || error instanceof OldServerError)
    throw new ConfigError(`The database that DATABASE_URL names cannot be used: ${message}.`);
  const advice =
    message === NO_TLS
      ? '. Turn TLS on there (ssl = on), or write sslmode=disable if you trust the network in between'
      : '';
  throw new ConfigError(
    `The database that DATABASE_URL names cannot be reached: ${message}${advice}.`,
  );
}
