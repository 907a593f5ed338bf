import { type Change, OWN_CHANGE_KINDS } from '@munshi/api';
import type { Notice } from '@munshi/core';
import { type ChannelOptions, createChannel } from '../platform/database/connection/channel.ts';
import type {
  ChangeListener,
  NoticeBoard,
  NoticeListener,
  OwnListener,
} from '../platform/http/deps.ts';
import { gatherChanges, gatherOwnChanges, type OwnChanges } from './changes.ts';

/** Notices that one NOTIFY may carry: its payload is limited to 8,000 bytes. */
const PER_MESSAGE = 60;

/**
 * Carries what was committed to the open screens of members, customers, operators and merchants'
 * people, in this process at once and in others through LISTEN/NOTIFY. It is a hint to look again,
 * never the truth: a lost notice is made up for by the next request.
 */
export interface Notices extends NoticeBoard {
  publish(notices: readonly Notice[]): void;
  /** Whether this process is listening to others; undefined while nobody needs it. */
  readonly listening: boolean | undefined;
  close(): Promise<void>;
}

/** Of one of: notices, changes, those of merchants, and whose session has ended. */
interface Message {
  readonly origin: string;
  readonly notices?: readonly Notice[];
  readonly changes?: readonly Change[];
  /** Null: something of every merchant. */
  readonly own?: OwnChanges;
  readonly ended?: string;
}

export function createNotices({
  database,
  log,
}: Pick<ChannelOptions, 'database' | 'log'>): Notices {
  const ofMembers = createListeners<NoticeListener>();
  const ofOperators = createListeners<ChangeListener>();
  const ofMerchants = createListeners<OwnListener['changed']>();
  const ofPortalUsers = createListeners<OwnListener>();
  const ofOrders = createListeners<() => void>();
  const origin = crypto.randomUUID();
  let unsent: Notice[] = [];

  const deliver = (notice: Notice) => {
    for (const listener of ofMembers.of(notice.memberId)) listener.notice(notice);
    for (const changed of ofOrders.of(notice.orderId)) changed();
  };
  const publish = (changes: readonly Change[]) => {
    for (const listener of ofOperators.all()) changes.forEach(listener.changed);
  };
  const publishOwn = (changes: OwnChanges) => {
    for (const [merchantId, kinds] of changes ?? [])
      for (const changed of ofMerchants.of(merchantId)) kinds.forEach(changed);
    if (changes === null)
      for (const changed of ofMerchants.all()) OWN_CHANGE_KINDS.forEach(changed);
  };
  const everybody = () => [...ofMembers.all(), ...ofOperators.all(), ...ofPortalUsers.all()];
  const checkSessionsOf = (id: string) => {
    const theirs = [...ofMembers.of(id), ...ofOperators.of(id), ...ofPortalUsers.of(id)];
    for (const { checkSession } of theirs) checkSession();
  };
  const channel = createChannel({
    database,
    log,
    name: 'notices',
    onMessage(payload) {
      const message = JSON.parse(payload) as Message;
      if (message.origin === origin) return;
      message.notices?.forEach(deliver);
      if (message.changes !== undefined) publish(message.changes);
      if (message.own !== undefined) publishOwn(message.own);
      if (message.ended !== undefined) checkSessionsOf(message.ended);
    },
    onMissed() {
      for (const { missed } of everybody()) missed();
      for (const changed of ofOrders.all()) changed();
    },
    // A session may have ended after its stream began and before this.
    onListening() {
      for (const { checkSession } of everybody()) checkSession();
    },
  });
  const send = (message: Omit<Message, 'origin'>) =>
    channel.send(JSON.stringify({ origin, ...message }));

  function flush() {
    const batch = unsent;
    unsent = [];
    for (let at = 0; at < batch.length; at += PER_MESSAGE)
      send({ notices: batch.slice(at, at + PER_MESSAGE) });
  }

  const listen = <Listener>(listeners: Listeners<Listener>, id: string, listener: Listener) => {
    channel.listen();
    return listeners.add(id, listener);
  };
  return {
    subscribe: (memberId, listener) => listen(ofMembers, memberId, listener),
    subscribeToChanges: (operatorId, listener) => listen(ofOperators, operatorId, listener),
    subscribeToMerchant({ merchantId, portalUserId }, listener) {
      const ends = [
        listen(ofMerchants, merchantId, listener.changed),
        listen(ofPortalUsers, portalUserId, listener),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
    subscribeToDeliveries: (merchantId, changed) =>
      listen(ofMerchants, merchantId, (kind) => kind === 'delivery' && changed()),
    subscribeToOrder: (orderId, changed) => listen(ofOrders, orderId, changed),
    publish(notices) {
      notices.forEach(deliver);
      if (unsent.length === 0) setTimeout(flush, 100).unref();
      unsent.push(...notices);
    },
    changed: gatherChanges((changes) => {
      publish(changes);
      send({ changes });
    }),
    ownChanged: gatherOwnChanges((own) => {
      publishOwn(own);
      send({ own });
    }),
    sessionsEnded(id) {
      checkSessionsOf(id);
      send({ ended: id });
    },
    get listening() {
      return channel.listening;
    },
    close: channel.close,
  };
}

type Listeners<Listener> = ReturnType<typeof createListeners<Listener>>;

/** The listeners, by what they follow. A listener may leave during a notification. */
function createListeners<Listener>() {
  const sets = new Map<string, Set<Listener>>();
  return {
    of: (id: string): readonly Listener[] => [...(sets.get(id) ?? [])],
    all: (): readonly Listener[] => [...sets.values()].flatMap((set) => [...set]),
    /** Until the answered function is called. */
    add(id: string, listener: Listener): () => void {
      const set = sets.get(id) ?? new Set();
      sets.set(id, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && sets.get(id) === set) sets.delete(id);
      };
    },
  };
}
