import type pg from 'pg';
import type { Database } from '../db.ts';

/** Has each background job run in one process at a time. */
export interface JobLocks {
  /**
   * Runs `work` while this process holds the job; returns at once if another does. `work` asks
   * `stillHeld` before each step: a process that stood still may have lost the job.
   */
  whileHeld(job: string, work: (stillHeld: () => Promise<boolean>) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** The server ends a session that is silent for so long, and with it its locks. */
const SILENCE_SECONDS = 5;
const BEAT_MS = 1_000;
const TIMEOUT_MS = 4_000;

interface Session {
  readonly lane: pg.Client;
  /** How many jobs it holds. */
  holding: number;
}

/**
 * Jobs are advisory locks of one session, which sends something every second while it holds any.
 * They end with a process that stands still as with one that dies, by the database's clock
 * (operate/run.md#health).
 */
export function createJobLocks(database: Database): JobLocks {
  let session: Session | undefined;
  let opening: Promise<Session> | undefined;
  const beat = setInterval(() => {
    if (session !== undefined && session.holding > 0) answers(session);
  }, BEAT_MS);
  beat.unref();

  async function open(): Promise<Session> {
    const lane = await database.openLane('jobs', { timeoutMs: TIMEOUT_MS });
    try {
      await lane.query(`set idle_session_timeout = '${SILENCE_SECONDS}s'`);
    } catch (error) {
      lane.connection.stream.destroy();
      throw error;
    }
    session = { lane, holding: 0 };
    return session;
  }

  async function current(): Promise<Session> {
    if (session !== undefined && !session.lane.connection.stream.destroyed) return session;
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  /** Whether the session is there; if that is not known, it is closed with all it holds. */
  async function answers({ lane }: Session): Promise<boolean> {
    try {
      await lane.query('select 1');
      return true;
    } catch {
      lane.connection.stream.destroy();
      return false;
    }
  }

  return {
    async whileHeld(job, work) {
      const on = await current();
      const lock = [`munshi job ${job}`];
      on.holding += 1;
      try {
        const { rows } = await on.lane.query<{ locked: boolean }>(
          'select pg_try_advisory_lock(hashtext($1), hashtext(current_schema())) as locked',
          lock,
        );
        if (rows[0]?.locked !== true) return;
        try {
          await work(() => answers(on));
        } finally {
          await on.lane.query(
            'select pg_advisory_unlock(hashtext($1), hashtext(current_schema()))',
            lock,
          );
        }
      } catch (error) {
        // A lock that could not be released ends with its session. Others may have a newer one.
        if (!(await answers(on)) && session === on) session = undefined;
        throw error;
      } finally {
        on.holding -= 1;
      }
    },
    async close() {
      clearInterval(beat);
      await opening?.catch(() => {});
      await session?.lane.end().catch(() => {});
    },
  };
}
