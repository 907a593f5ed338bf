import type { Notice } from '@munshi/core';
import type { NoticeBoard, NoticeListener } from './http/deps.ts';
import { type ChannelOptions, createChannel } from './storage/channel.ts';

/** Notices that one NOTIFY may carry: its payload is limited to 8,000 bytes. */
const PER_MESSAGE = 60;

/**
 * Carries what was committed to the open screens of members and customers, in this process at once and in others
 * through LISTEN/NOTIFY. It is a hint to look again, never the truth: a lost notice is made up for
 * by the next request.
 */
export interface Notices extends NoticeBoard {
  publish(notices: readonly Notice[]): void;
  close(): Promise<void>;
}

export function createNotices({
  database,
  log,
}: Pick<ChannelOptions, 'database' | 'log'>): Notices {
  const listeners = new Map<string, Set<NoticeListener>>();
  const ofOrders = new Map<string, Set<() => void>>();
  const origin = crypto.randomUUID();
  let unsent: Notice[] = [];

  const deliver = (notice: Notice) => {
    for (const listener of listeners.get(notice.memberId) ?? []) listener.notice(notice);
    for (const changed of ofOrders.get(notice.orderId) ?? []) changed();
  };
  const checkSessionsOf = (memberId: string) => {
    for (const listener of listeners.get(memberId) ?? []) listener.checkSession();
  };
  const channel = createChannel({
    database,
    log,
    name: 'notices',
    onMessage(payload) {
      const message = JSON.parse(payload) as { origin: string; notices?: Notice[]; ended?: string };
      if (message.origin === origin) return;
      message.notices?.forEach(deliver);
      if (message.ended !== undefined) checkSessionsOf(message.ended);
    },
    onMissed() {
      for (const listener of [...listeners.values()].flatMap((set) => [...set])) listener.missed();
      for (const changed of [...ofOrders.values()].flatMap((set) => [...set])) changed();
    },
    // A session may have ended after its stream began and before this.
    onListening() {
      [...listeners.keys()].forEach(checkSessionsOf);
    },
  });

  function flush() {
    const batch = unsent;
    unsent = [];
    for (let at = 0; at < batch.length; at += PER_MESSAGE)
      channel.send(JSON.stringify({ origin, notices: batch.slice(at, at + PER_MESSAGE) }));
  }

  return {
    subscribe(memberId, listener) {
      const set = listeners.get(memberId) ?? new Set();
      listeners.set(memberId, set.add(listener));
      channel.listen();
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(memberId);
      };
    },
    subscribeToOrder(orderId, changed) {
      const set = ofOrders.get(orderId) ?? new Set();
      ofOrders.set(orderId, set.add(changed));
      channel.listen();
      return () => {
        set.delete(changed);
        if (set.size === 0) ofOrders.delete(orderId);
      };
    },
    publish(notices) {
      notices.forEach(deliver);
      if (unsent.length === 0) setTimeout(flush, 100).unref();
      unsent.push(...notices);
    },
    sessionsEnded(memberId) {
      checkSessionsOf(memberId);
      channel.send(JSON.stringify({ origin, ended: memberId }));
    },
    close: channel.close,
  };
}
