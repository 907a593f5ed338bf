import pg from 'pg';

/**
 * It could not be done in time or not for now: nothing is known to have happened; try again (D52).
 */
export class UnavailableError extends Error {}

/**
 * A commit of which nobody said for certain that it holds: it is looked up, or answered as unknown.
 */
export class UnknownCommitError extends UnavailableError {}

/** The host answers, and is not where writes go. */
export class NotPrimaryError extends UnavailableError {}

/** The session does not keep what is set in it: a pooler gives every transaction another one. */
export class SessionNotKeptError extends Error {}

const codeOf = (error: Error) => (error as { code?: string }).code ?? '';

/** Of a network, where there is no SQL state. */
const NETWORK = /^E(CONN|PIPE|HOST|NET|TIMEDOUT|NOENT|AI_AGAIN)/;
const isNetworkTrouble = (error: Error) =>
  NETWORK.test(codeOf(error)) || /terminat|not queryable|connection|timeout/i.test(error.message);

/**
 * The host may be gone or have lost its place as the primary: a standby refuses to write (25006).
 */
export function isHostTrouble(error: Error): boolean {
  if (error instanceof NotPrimaryError) return true;
  return error instanceof pg.DatabaseError
    ? /^(08|57P|25006)/.test(codeOf(error))
    : isNetworkTrouble(error);
}

/**
 * The connection's prepared statements are not what this process believes: a table has another
 * shape, or a pooler gave it another session. Nothing was run. A new connection prepares them anew.
 */
export function isStaleStatement(error: {
  readonly code?: string | undefined;
  readonly routine?: string | undefined;
}): boolean {
  return (
    error.code === '26000' ||
    error.code === '42P05' ||
    (error.code === '0A000' && error.routine === 'RevalidateCachedQuery')
  );
}

/**
 * The connection is lost, refused or silent, or the server is starting, stopping, full or out of
 * connections, or gave up waiting.
 */
export function isUnavailable(error: Error): boolean {
  if (error instanceof UnavailableError) return true;
  // What the database says of an error may hold any word; its code tells.
  if (error instanceof pg.DatabaseError || /^[0-9A-Z]{5}$/.test(codeOf(error)))
    return (
      /^(08|53|57|25006|25P0[34]|55P03)/.test(codeOf(error)) ||
      isStaleStatement(error as pg.DatabaseError)
    );
  return isNetworkTrouble(error);
}

/**
 * The server is there and refuses: a wrong user, password, database or certificate, no TLS, or a
 * pooler's mode, does not get right by waiting.
 */
export function isRefusal(error: Error): boolean {
  return (
    error instanceof SessionNotKeptError ||
    /^(28|3D)/.test(codeOf(error)) ||
    error.message === NO_TLS ||
    /CERT|^UNABLE_TO_VERIFY|^ERR_(TLS|SSL)_/.test(codeOf(error))
  );
}

/** What the driver says when the server has answered that it has no TLS. */
export const NO_TLS = 'The server does not support SSL connections';
