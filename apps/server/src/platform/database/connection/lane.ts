import type pg from 'pg';
import type { Database } from '../db.ts';

/**
 * One pipelined connection for a part of the service that sends many statements. It is opened when
 * it is first needed, again after it was lost, and again once a minute: a prepared statement keeps
 * the plan that was made for it, perhaps while its tables were empty.
 */
export interface Lane {
  /**
   * The connection to work on, until `release`. Throws why it cannot be opened. One that has been
   * replaced meanwhile stays open for those who have it.
   */
  acquire(): Promise<pg.Client>;
  release(client: pg.Client): void;
  /** Does one piece of work on the connection. */
  run<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result>;
  /** Drops every open connection: what runs on them fails. */
  drop(): void;
  /** The server process behind the newest connection; null before the first. */
  readonly processId: number | null;
  /** Resolves when the connection is closed; what runs on it may end. */
  close(): Promise<void>;
}

/** Why a connection was opened: none was there, the one before was lost, or it was a minute old. */
export type Opening = 'first' | 'again' | 'renewed';

interface LaneOptions {
  readonly name: string;
  /** A statement that takes longer fails, and the connection with it. */
  readonly timeoutMs: number;
  readonly lifetimeMs?: number;
  /** Runs before a new connection is first used. */
  readonly prepare?: (client: pg.Client, opening: Opening) => Promise<void> | void;
}

const LIFETIME_MS = 60_000;

export const dropClient = (client: pg.Client): void => {
  client.connection.stream.destroy();
};

export const isLost = ({ connection: { stream } }: pg.Client): boolean =>
  stream.destroyed || !stream.writable;

export function createLane(
  database: Database,
  { name, timeoutMs, lifetimeMs = LIFETIME_MS, prepare }: LaneOptions,
): Lane {
  let current: pg.Client | undefined;
  let opening: Promise<pg.Client> | undefined;
  let renewAt = 0;
  /** By how many a connection is used; those that nobody uses are absent. */
  const users = new Map<pg.Client, number>();

  async function open(): Promise<pg.Client> {
    const client = await database.openLane(name, { timeoutMs });
    const before = current;
    try {
      await prepare?.(
        client,
        before === undefined ? 'first' : isLost(before) ? 'again' : 'renewed',
      );
    } catch (error) {
      dropClient(client);
      throw error;
    }
    current = client;
    renewAt = performance.now() + lifetimeMs;
    if (before !== undefined && !users.has(before)) end(before);
    return client;
  }

  /** Opens one at a time, for all callers. */
  function openOnce(): Promise<pg.Client> {
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function acquire(): Promise<pg.Client> {
    if (current !== undefined && !isLost(current) && performance.now() >= renewAt) {
      renewAt = performance.now() + lifetimeMs; // where it fails, the next try is a minute later
      openOnce().catch(() => {});
    }
    const client = current === undefined || isLost(current) ? await openOnce() : current;
    users.set(client, (users.get(client) ?? 0) + 1);
    return client;
  }

  function release(client: pg.Client): void {
    const left = (users.get(client) ?? 0) - 1;
    if (left > 0) users.set(client, left);
    else users.delete(client);
    if (left <= 0 && client !== current) end(client);
  }

  return {
    acquire,
    release,
    async run(work) {
      const client = await acquire();
      try {
        return await work(client);
      } finally {
        release(client);
      }
    },
    drop() {
      for (const client of users.keys()) dropClient(client);
      if (current !== undefined) dropClient(current);
    },
    get processId() {
      return (current as { readonly processID?: number } | undefined)?.processID ?? null;
    },
    async close() {
      await opening?.catch(() => {});
      if (current !== undefined) await end(current);
    },
  };
}

const end = (client: pg.Client) => client.end().catch(() => {});
