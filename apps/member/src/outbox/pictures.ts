import { oneAtATime } from './one-at-a-time.ts';
import type { Sent } from './outbox.ts';

/**
 * Pictures about orders, which are kept on the phone and sent beside the outbox: no action waits for
 * one. A picture of an action that is not sent yet is carried by its entry, goes with it when it is
 * undone, and comes here in the moment in which it was sent.
 */

export interface Picture {
  /** The Idempotency-Key: the service takes it once, however often it is sent. */
  readonly id: string;
  /** Who hands it in: in their name, or not at all. Absent: a build before has kept it. */
  readonly memberId?: string | undefined;
  readonly orderId: string;
  /** What it is handed in with. */
  readonly kind: 'confirm' | 'reject' | 'report';
  /** A `data:` URL, as it is sent. Text, because some phones lose blobs that they have kept. */
  readonly content: string;
  /** What is paid of the order, so that it can be named without it. */
  readonly amount: string;
  readonly currency: string;
}

export interface KeptPicture extends Picture {
  readonly state: 'ready' | 'refused';
  /** The code of the answer; null but for refused ones. */
  readonly refusal: string | null;
  /** Grows from picture to picture. */
  readonly number: number;
}

/** Every call is one transaction, for all windows of the app on this phone. */
export interface PictureStore {
  /** Those of the member signed in, in the order in which they came. */
  all(): Promise<readonly KeptPicture[]>;
  add(picture: Picture): Promise<void>;
  /** Null removes it. Without such a picture it changes nothing. */
  put(id: string, change: (picture: KeptPicture) => KeptPicture | null): Promise<void>;
}

export interface PicturePort {
  send(picture: KeptPicture): Promise<Sent>;
  /** Runs `work` while no other window of this phone does. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Calls `work` after that time, unless the app is closed. */
  later(ms: number, work: () => Promise<void>): void;
  /** Something has changed. */
  changed(): void;
}

export interface PictureQueue {
  /** Keeps a picture; when this resolves, it is on the disk. */
  add(picture: Picture): Promise<void>;
  /** Drops one, sent or not. */
  drop(id: string): Promise<void>;
  /** Sends what is kept. Call it when the network is back, and when the app opens. */
  flush(): Promise<void>;
}

const RETRY_MS = 15_000;

export function createPictureQueue(store: PictureStore, port: PicturePort): PictureQueue {
  let retrying = false;
  const flush = oneAtATime(() => port.alone(sendAll));

  const put = async (id: string, change: (picture: KeptPicture) => KeptPicture | null) => {
    await store.put(id, change);
    port.changed();
  };

  /** One that the service fails on keeps no other back. */
  async function sendAll(): Promise<void> {
    for (const picture of await store.all()) {
      if (picture.state === 'refused') continue;
      const sent = await port.send(picture);
      if (sent.is === 'unreachable') flushLater();
      else if (sent.is === 'done') await put(picture.id, () => null);
      else await put(picture.id, (kept) => ({ ...kept, state: 'refused', refusal: sent.refusal }));
    }
  }

  function flushLater(): void {
    if (retrying) return;
    retrying = true;
    port.later(RETRY_MS, () => {
      retrying = false;
      return flush();
    });
  }

  return {
    async add(picture) {
      await store.add(picture);
      port.changed();
      void flush();
    },
    drop: (id) => put(id, () => null),
    flush,
  };
}
