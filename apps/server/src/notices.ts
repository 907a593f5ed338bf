import type { Notice } from '@munshi/core';
import type { NoticeBoard } from './http/deps.ts';
import { type ChannelOptions, createChannel } from './storage/channel.ts';

/** Notices that one NOTIFY may carry: its payload is limited to 8,000 bytes. */
const PER_MESSAGE = 60;

interface Listener {
  readonly listen: (notice: Notice) => void;
  readonly onMissed: () => void;
}

/**
 * Carries what was committed to the open screens of members, in this process at once and in others through LISTEN/NOTIFY.
 * It is a hint to look again, never the truth: a lost notice is made up for by the next request.
 */
export interface Notices extends NoticeBoard {
  publish(notices: readonly Notice[]): void;
  close(): Promise<void>;
}

export function createNotices({ database, log }: Pick<ChannelOptions, 'database' | 'log'>): Notices {
  const listeners = new Map<string, Set<Listener>>();
  const origin = crypto.randomUUID();
  let unsent: Notice[] = [];

  const deliver = (notice: Notice) => {
    for (const { listen } of listeners.get(notice.memberId) ?? []) listen(notice);
  };
  const channel = createChannel({
    database,
    log,
    name: 'notices',
    onMessage(payload) {
      const message = JSON.parse(payload) as { origin: string; notices: Notice[] };
      if (message.origin !== origin) message.notices.forEach(deliver);
    },
    onMissed() {
      for (const { onMissed } of [...listeners.values()].flatMap((set) => [...set])) onMissed();
    },
  });

  function flush() {
    const batch = unsent;
    unsent = [];
    for (let at = 0; at < batch.length; at += PER_MESSAGE) channel.send(JSON.stringify({ origin, notices: batch.slice(at, at + PER_MESSAGE) }));
  }

  return {
    subscribe(memberId, listen, onMissed) {
      const listener = { listen, onMissed };
      const set = listeners.get(memberId) ?? new Set();
      listeners.set(memberId, set.add(listener));
      channel.listen();
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
    close: channel.close,
  };
}
