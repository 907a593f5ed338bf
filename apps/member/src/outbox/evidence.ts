import { payableAmount } from '@munshi/web';
import { signal } from '@preact/signals';
import { database } from '../kept.ts';
import { memberId, session, write } from '../session.ts';
import type { Order } from '../work/orders.ts';
import { sendPicture } from './decisions.ts';
import { pictureStore as picturesOnDisk } from './indexed-db.ts';
import {
  createPictureQueue,
  type KeptPicture,
  type Picture,
  type PictureQueue,
} from './pictures.ts';
import { picturesWithMemory } from './with-memory.ts';

/** Pictures that a member hands in about orders: kept on the phone, sent when there is a network. */

/** Every picture that is not sent yet, or was refused, but for those that an action still carries. */
export const pictures = signal<readonly KeptPicture[]>([]);
export const picturesOf = (orderId: string): readonly KeptPicture[] =>
  pictures.value.filter((picture) => picture.orderId === orderId);

export const pictureStore = picturesWithMemory(picturesOnDisk(database, memberId), memberId);

function openQueue(): PictureQueue {
  const look = async () => {
    pictures.value = await pictureStore.all();
  };
  const news = new BroadcastChannel('munshi-member pictures');
  news.onmessage = look;
  session.subscribe(() => void look()); // another member's are others
  return createPictureQueue(pictureStore, {
    send: (picture) => sendPicture({ write }, picture),
    alone: (work) => navigator.locks.request('munshi-member pictures', work),
    later: (ms, work) => void setTimeout(() => void work(), ms),
    changed() {
      void look();
      news.postMessage(null);
    },
  });
}
const queue = openQueue();

/** A picture as it is carried by an action, or handed in by itself. */
export const pictureOf = (
  { orderId, currency, ...order }: Pick<Order, 'orderId' | 'orderType' | 'amount' | 'currency'>,
  kind: Picture['kind'],
  content: string,
): Picture => {
  const id = crypto.randomUUID();
  const amount = payableAmount(order);
  return { id, memberId: memberId(), orderId, kind, content, amount, currency };
};

export const handIn = async (picture: Picture): Promise<void> => queue.add(picture);
export const dropPicture = async ({ id }: Picture): Promise<void> => queue.drop(id);
/** What an action has carried may have come since the last look. */
export async function flushPictures(): Promise<void> {
  pictures.value = await pictureStore.all();
  await queue.flush();
}
