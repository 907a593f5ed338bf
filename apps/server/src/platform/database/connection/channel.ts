import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Database } from '../db.ts';

/**
 * A LISTEN/NOTIFY channel between the processes of one schema of a database. A message may be lost:
 * it is a hint, and never the truth.
 */
export interface Channel {
  /**
   * Receives what is sent from now on, again after the connection was lost, until the channel is
   * closed.
   */
  listen(): void;
  /** At most 8,000 bytes. */
  send(payload: string): void;
  /** Whether it is listening; undefined if it was not started. */
  readonly listening: boolean | undefined;
  close(): Promise<void>;
}

export interface ChannelOptions {
  readonly database: Database;
  readonly name: string;
  readonly log: { warn(detail: object, message: string): void };
  readonly onMessage: (payload: string) => void;
  /**
   * Messages may have been lost, and are received again from now on: what they would have said is to
   * be looked up.
   */
  readonly onMissed?: () => void;
  /** Starts listening. */
  readonly onListening?: () => void;
}

/**
 * Postgres knows channels by database: each schema but the usual one has its own, by a hash, for
 * names of channels are as short as those of schemas.
 */
const CHANNEL = `'munshi_' || $1::text || case current_schema()
    when 'public' then ''
    else '_' || md5(current_schema())
  end`;

const AGAIN_MS = 1_000;
/** How often a listener sends itself a message. */
const BEAT_MS = 2_000;
/**
 * A connection on which its own messages have not come back for this long is abandoned: its host may
 * be gone without a word.
 */
const SILENCE_MS = 5_000;
/** A message that could not be sent is sent again, a second later each time. */
const SEND_TRIES = 10;

export function createChannel({
  database,
  name,
  log,
  onMessage,
  onMissed,
  onListening,
}: ChannelOptions): Channel {
  let lane: pg.Client | undefined;
  let opening: Promise<void> | undefined;
  let listening = false;
  let closed = false;
  let missed = false;

  async function openLane() {
    try {
      const client = await database.openLane(name, { timeoutMs: SILENCE_MS });
      const echo = `munshi_${name}_${randomBytes(8).toString('hex')}`;
      let receivedAt = performance.now();
      client.on('notification', ({ channel, payload }) => {
        receivedAt = performance.now();
        if (channel !== echo) onMessage(payload ?? '');
      });
      const beat = setInterval(() => {
        if (performance.now() - receivedAt > SILENCE_MS) client.connection.stream.destroy();
        else client.query('select pg_notify($1, $2)', [echo, '']).catch(() => {}); // silence says so
      }, BEAT_MS);
      beat.unref();
      client.once('end', () => {
        clearInterval(beat);
        missed = true;
        lane = undefined;
        open();
      });
      try {
        await client.query(`listen ${echo}`);
        const { rows } = await client.query(`select ${CHANNEL} as channel`, [name]);
        await client.query(`listen ${rows[0].channel}`);
      } catch (error) {
        client.connection.stream.destroy();
        throw error;
      }
      lane = client;
      if (missed) onMissed?.();
      onListening?.();
      missed = false;
    } catch (error) {
      missed = true;
      log.warn(
        { err: error, channel: name },
        'messages of other processes are heard again when the database is back',
      );
      if (!closed) setTimeout(open, AGAIN_MS).unref();
    } finally {
      opening = undefined;
    }
  }

  function open() {
    if (!closed && listening && lane === undefined) opening ??= openLane();
  }

  function sendOn(payload: string, tries: number) {
    database.pool.query(`select pg_notify(${CHANNEL}, $2)`, [name, payload]).catch(() => {
      if (tries > 1 && !closed) setTimeout(sendOn, AGAIN_MS, payload, tries - 1).unref();
    });
  }

  return {
    listen() {
      listening = true;
      open();
    },
    send(payload) {
      sendOn(payload, SEND_TRIES);
    },
    get listening() {
      return listening ? lane !== undefined : undefined;
    },
    async close() {
      closed = true;
      await opening;
      await lane?.end().catch(() => {});
    },
  };
}
