import type { Notice } from '@munshi/core';
import type pg from 'pg';
import type { NoticeBoard } from './http/deps.ts';
import type { Database } from './storage/db.ts';

const CHANNEL = 'munshi_notices';
/** Notices that one NOTIFY may carry: its payload is limited to 8,000 bytes. */
const PER_MESSAGE = 60;

/**
 * Carries what was committed to the open screens of members, in this process at once and in others through LISTEN/NOTIFY.
 * It is a hint to look again, never the truth: a lost notice is made up for by the next request.
 */
export interface Notices extends NoticeBoard {
  publish(notices: readonly Notice[]): void;
  close(): Promise<void>;
}

export function createNotices(database: Database, log: { warn(detail: object, message: string): void }): Notices {
  const listeners = new Map<string, Set<(notice: Notice) => void>>();
  const origin = crypto.randomUUID();
  let lane: pg.Client | undefined;
  let opening: Promise<void> | undefined;
  let closed = false;
  let unsent: Notice[] = [];

  const deliver = (notice: Notice) => {
    for (const listen of listeners.get(notice.memberId) ?? []) listen(notice);
  };

  async function openLane() {
    try {
      const client = await database.openLane('notices');
      client.on('notification', ({ payload }) => {
        const message = JSON.parse(payload ?? '{}') as { origin: string; notices: Notice[] };
        if (message.origin !== origin) message.notices.forEach(deliver);
      });
      client.once('end', () => {
        lane = undefined;
        if (!closed && listeners.size > 0) listen();
      });
      await client.query(`listen ${CHANNEL}`);
      lane = client;
    } catch (error) {
      log.warn({ err: error }, 'members are told of changes in other processes again when the database is back');
      if (!closed) setTimeout(listen, 1_000).unref();
    } finally {
      opening = undefined;
    }
  }
  function listen() {
    if (lane === undefined) opening ??= openLane();
  }

  function flush() {
    const batch = unsent;
    unsent = [];
    for (let at = 0; at < batch.length; at += PER_MESSAGE) {
      const payload = JSON.stringify({ origin, notices: batch.slice(at, at + PER_MESSAGE) });
      database.pool.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(() => {});
    }
  }

  return {
    subscribe(memberId, listener) {
      const set = listeners.get(memberId) ?? new Set();
      listeners.set(memberId, set.add(listener));
      listen();
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(memberId);
      };
    },
    publish(notices) {
      notices.forEach(deliver);
      if (unsent.length === 0) setTimeout(flush, 100).unref();
      unsent.push(...notices);
    },
    async close() {
      closed = true;
      await opening;
      await lane?.end().catch(() => {});
    },
  };
}
