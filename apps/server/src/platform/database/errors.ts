import pg from 'pg';

/**
 * Kinds of database failures, distinguished here and nowhere else. Every error of the driver
 * passes `typed` on its way out of a connection: it becomes an UnavailableError or a ConflictError,
 * or stays as it came and is a bug.
 */

interface Options extends ErrorOptions {
  /** An SQLSTATE, or the system's code of a network error. */
  readonly code?: string | undefined;
}

/** It could not be done now: nothing is known to have happened; try again (decision 15). */
export class UnavailableError extends Error {
  readonly code: string | undefined;
  constructor(message: string, { code, ...options }: Options = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Nobody can say whether a commit holds: it is looked up, or answered as unknown. */
export class UnknownCommitError extends UnavailableError {}

/** The host answers, but writes do not go to it. */
export class NotPrimaryError extends UnavailableError {}

/** Another transaction came first: decide again from fresh rows. */
export class ConflictError extends Error {
  readonly code: string | undefined;
  constructor(message: string, { code, ...options }: Options = {}) {
    super(message, options);
    this.code = code;
  }
}

/**
 * A deadlock or a serialization failure: nothing of the transaction stays, and it may be run again.
 */
export const isLostRace = (error: unknown): boolean =>
  error instanceof ConflictError && error.code !== '23505';

/** The session does not keep what is set in it: a pooler gives each transaction another one. */
export class SessionNotKeptError extends Error {}

/** The pooler in between has no connection left for another one that the service needs. */
export class PoolTooSmallError extends UnavailableError {}

/** The server is of a version that lacks what statements use. */
export class OldServerError extends Error {}

/** Unique violation, serialization failure, deadlock. */
const CONFLICT = /^(23505|40001|40P01)$/;
/**
 * Connection exceptions, no resources, operator intervention, a standby's refusal to write, a
 * transaction that was silent or took too long, a lock that was not given.
 */
const UNAVAILABLE = /^(08|53|57|25006|25P0[34]|55P03)/;
/** Of the network, where there is no SQLSTATE. */
const NETWORK = /^(E(CONN|PIPE|HOST|NET|TIMEDOUT|NOENT|AI_AGAIN)|ERR_(STREAM|SOCKET)_)/;
/** The driver gives its own errors no code: these are all that concern a connection. */
const DRIVER_SAYS: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end on the pool',
  'There was an error establishing an SSL connection',
]);
/** What the driver says when the server has answered that it has no TLS. */
export const NO_TLS = 'The server does not support SSL connections';

/** Citus's message for a duplicate row in a COPY at another node; it contains the code. */
const DUPLICATE_ELSEWHERE = /^duplicate key value violates unique constraint/;

/** Its message for a node that is restarted. */
const NODE_SHUT_DOWN = /postmaster was shut down/;

const codeOf = (error: Error) => {
  const { code = '', message } = error as Error & { code?: string };
  if (code !== 'XX000') return code;
  if (NODE_SHUT_DOWN.test(message)) return '57P01';
  return DUPLICATE_ELSEWHERE.test(message) ? '23505' : code;
};
const isOfNetwork = (error: Error) => NETWORK.test(codeOf(error)) || DRIVER_SAYS.has(error.message);

/** What the driver has thrown, as one of the errors of this file where it is one. */
export function typed(error: Error): Error {
  if (error instanceof UnavailableError || error instanceof ConflictError) return error;
  const [code, options] = [codeOf(error), { code: codeOf(error) || undefined, cause: error }];
  if (!(error instanceof pg.DatabaseError))
    return isOfNetwork(error) ? new UnavailableError(error.message, options) : error;
  if (CONFLICT.test(code)) return new ConflictError(error.message, options);
  return UNAVAILABLE.test(code) || isStaleStatement(error)
    ? new UnavailableError(error.message, options)
    : error;
}

/**
 * The host may be gone or have lost its place as the primary: a standby refuses to write (25006).
 */
export const isHostTrouble = (error: Error): boolean =>
  error instanceof NotPrimaryError || /^(08|57P|25006)/.test(codeOf(error)) || isOfNetwork(error);

/**
 * The connection's prepared statements are not what this process believes: a table has another
 * shape, or a pooler gave it another session. Nothing was run. A new connection prepares them again.
 */
export function isStaleStatement(error: Error): boolean {
  const said = error instanceof UnavailableError ? (error.cause as Error | undefined) : error;
  const { code, routine } = (said ?? {}) as Partial<pg.DatabaseError>;
  return (
    code === '26000' ||
    code === '42P05' ||
    (code === '0A000' && routine === 'RevalidateCachedQuery')
  );
}

/**
 * The server is there and refuses: a wrong user, password, database or certificate, no TLS, or a
 * pooler's mode, does not get right by waiting.
 */
export const isRefusal = (error: Error): boolean =>
  error instanceof SessionNotKeptError ||
  /^(28|3D)/.test(codeOf(error)) ||
  error.message === NO_TLS ||
  /CERT|^UNABLE_TO_VERIFY|^ERR_(TLS|SSL)_/.test(codeOf(error));
