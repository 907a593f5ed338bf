import pg from 'pg';
import type { Host } from '../../config/database-url.ts';
import {
  isHostTrouble,
  isStaleStatement,
  typed,
  UnavailableError,
  UnknownCommitError,
} from '../errors.ts';

/** How long the server may take to say goodbye: the network may be cut. */
const GOODBYE_MS = 1_000;

/**
 * By this routine Postgres warns that a commit no longer waits for its standby: it holds here, and
 * perhaps nowhere else.
 */
const CANCELLED_WAIT = 'SyncRepWaitForLSN';

/** Citus warns so that another node may not have committed what it answers as committed. */
const UNKNOWN_ELSEWHERE = /^failed to commit transaction on /;

interface Notice {
  readonly routine?: string;
  readonly message?: string;
}

const isOfUnknownCommit = ({ routine, message = '' }: Notice) =>
  routine === CANCELLED_WAIT || UNKNOWN_ELSEWHERE.test(message);

/** A connection that knows its host, and closes itself when it is of no use any more. */
export class Client extends pg.Client {
  /** What Postgres lists it as. */
  readonly name: string;
  /** The primary's, while the connection can be used. */
  at: Host | undefined;
  /** Called when the host may be in trouble. */
  onTrouble: ((error: Error) => void) | undefined;

  constructor(config: pg.ClientConfig) {
    super(config);
    this.name = config.application_name ?? '';
    const query = this.query.bind(this) as Call;
    Object.assign(this, { query: (...args: unknown[]) => withTypedErrors(query, args) });
    // Without a listener, a connection that breaks would end the process. Its user learns of it by
    // the next statement; an error between two statements says that the server ends the session.
    this.on('error', (error: Error) => this.drop(error));
    // Before the driver passes it on, so that the listener finds the connection closed.
    this.connection.on('errorMessage', (error: pg.DatabaseError) => {
      if (this.at === undefined) return;
      if (isHostTrouble(error)) this.drop(error);
      else if (isStaleStatement(error)) this.drop();
    });
    this.connection.on('notice', (notice: Notice) => {
      if (!isOfUnknownCommit(notice)) return;
      this.drop();
      // To the driver it looks like a success: what waits on this connection fails instead.
      this.connection.emit('error', new UnknownCommitError(notice.message ?? ''));
    });
  }

  /** `trouble`: what has happened to it, where the host may be why. */
  drop(trouble?: Error) {
    if (trouble !== undefined && this.at !== undefined) this.onTrouble?.(trouble);
    this.at = undefined;
    this.connection.stream.destroy();
  }

  override end(): Promise<void>;
  override end(done: (error: Error) => void): void;
  override end(done?: (error: Error) => void): Promise<void> | undefined {
    const timer = setTimeout(() => this.drop(), GOODBYE_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return done === undefined ? super.end() : (super.end(done) as undefined);
  }
}

export type Call = (...args: unknown[]) => unknown;

/** Calls the driver, which answers by a promise or a callback. A pipeline has a callback inside. */
export function withTypedErrors(call: Call, args: readonly unknown[]): unknown {
  const done = args.at(-1);
  if (typeof done === 'function')
    return call(...args.slice(0, -1), (error: Error | undefined, ...rest: unknown[]) =>
      done(error && typed(error), ...rest),
    );
  const answer = call(...args);
  return answer instanceof Promise ? answer.catch(throwTyped) : answer;
}

export function throwTyped(error: Error): never {
  throw typed(error);
}

/** Drops the client when the time is over, regardless of what it waits for; the work fails too. */
export async function within<T>(ms: number, client: Client, work: () => Promise<T>): Promise<T> {
  const late = new UnavailableError('the database host did not answer in time', {
    code: 'ETIMEDOUT',
  });
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    client.drop();
    reject(late);
  }, ms);
  try {
    return await Promise.race([work(), expired]);
  } finally {
    clearTimeout(timer);
  }
}
