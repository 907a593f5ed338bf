import type pg from 'pg';
import type { Database } from './db.ts';

/** A LISTEN/NOTIFY channel between the processes of one database. A message may be lost: it is a hint, and never the truth. */
export interface Channel {
  /** Hears what is sent from now on, again after the connection was lost, until the channel is closed. */
  listen(): void;
  /** At most 8,000 bytes. */
  send(payload: string): void;
  close(): Promise<void>;
}

export interface ChannelOptions {
  readonly database: Database;
  readonly name: string;
  readonly log: { warn(detail: object, message: string): void };
  readonly onMessage: (payload: string) => void;
}

const AGAIN_MS = 1_000;

export function createChannel({ database, name, log, onMessage }: ChannelOptions): Channel {
  let lane: pg.Client | undefined;
  let opening: Promise<void> | undefined;
  let listening = false;
  let closed = false;

  async function openLane() {
    try {
      const client = await database.openLane(name);
      client.on('notification', ({ payload }) => onMessage(payload ?? ''));
      client.once('end', () => {
        lane = undefined;
        open();
      });
      await client.query(`listen munshi_${name}`);
      lane = client;
    } catch (error) {
      log.warn({ err: error, channel: name }, 'messages of other processes are heard again when the database is back');
      if (!closed) setTimeout(open, AGAIN_MS).unref();
    } finally {
      opening = undefined;
    }
  }

  function open() {
    if (!closed && listening && lane === undefined) opening ??= openLane();
  }

  return {
    listen() {
      listening = true;
      open();
    },
    send(payload) {
      database.pool.query('select pg_notify($1, $2)', [`munshi_${name}`, payload]).catch(() => {});
    },
    async close() {
      closed = true;
      await opening;
      await lane?.end().catch(() => {});
    },
  };
}
