import { payableAmount } from '@munshi/web';
import { signal } from '@preact/signals';
import { database } from '../kept.ts';
import { clock, forgetTime, isTimeKnown } from '../service.ts';
import { lookAtSession, memberId, read, session, write } from '../session.ts';
import { learnOrder } from '../work/known.ts';
import type { Order } from '../work/orders.ts';
import { askForSync } from './background.ts';
import {
  createSender,
  type Decision,
  forgetOurs,
  isOurs,
  type Kept,
  type Kind,
  lockOf,
  outboxStore,
  type Waiting,
} from './decisions.ts';
import { flushPictures, pictureOf, pictureStore } from './evidence.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { outboxWithMemory } from './with-memory.ts';

/** What a member does with orders, through the outbox: with or without a network. */

/** Everything that is not sent yet, or was refused. */
export const waiting = signal<readonly Waiting[]>([]);
export const waitingFor = (orderId: string): Waiting | undefined =>
  waiting.value.find(({ subject }) => subject === orderId);

/** What was taken back or read as refused since the app was opened. */
const takenBack = new Map<string, Decision>();
/** Another member who signs in on this phone begins with nothing. */
const keyOf = (orderId: string): string => `${memberId()} ${orderId}`;
/**
 * What the member decided of an order last, if it was of this kind and changed nothing: they can
 * correct it.
 */
export function correctable<K extends Kind>(orderId: string, kind: K) {
  const entry = waitingFor(orderId);
  const decision = entry?.state === 'refused' ? entry.action.deed : takenBack.get(keyOf(orderId));
  return decision?.kind === kind ? (decision as Extract<Decision, { kind: K }>) : undefined;
}

/** Whether the order left by an action of this phone: no notice is needed. */
export const wasOurs = async (orderId: string): Promise<boolean> =>
  waitingFor(orderId)?.state !== 'refused' && (await isOurs(database, orderId));

/** This opening of the app, once others can see that it is there. */
const opening = new Promise<string>((resolve) => {
  const owner = crypto.randomUUID();
  void navigator.locks.request(lockOf(owner), () => {
    resolve(owner);
    return new Promise(() => {});
  });
});

const outbox: Promise<Outbox<Kept>> = opening.then((owner) => {
  const carry = async ({ pictures = [] }: Kept) => {
    for (const picture of pictures) await pictureStore.add(picture);
  };
  const store = outboxWithMemory(outboxStore({ database, memberId }), {
    owner,
    whose: memberId,
    carry,
  });
  const look = async () => {
    waiting.value = await store.all();
  };
  const news = new BroadcastChannel('munshi-member outbox');
  news.onmessage = () => void look();
  session.subscribe(() => void look()); // another member's are others
  const sender = createSender({
    database,
    memberId,
    read,
    write,
    now: clock.now,
    // While the service was out of reach, nobody knows how time went on there.
    async learnTime() {
      if (!isTimeKnown()) await lookAtSession();
      return isTimeKnown();
    },
    forgetTime,
    learnOrder,
  });
  return createOutbox<Kept>(store, {
    ...sender,
    owner,
    later: (ms, work) => void setTimeout(() => void work(), ms),
    async changed() {
      await look();
      news.postMessage(null);
      void flushPictures();
      if (waiting.value.some(({ state }) => state === 'ready')) askForSync();
    },
  });
});

/**
 * Keeps the action, to be sent when it can no longer be undone, and its pictures after it. It takes
 * the place of one that asks whether it is still right. False: the order has another one already.
 */
export async function doTo(
  order: Order,
  decision: Decision,
  contents: readonly string[] = [],
): Promise<boolean> {
  const { orderId: subject, currency, dueAt } = order;
  const amount = payableAmount(order);
  const { kind } = decision;
  const pictures =
    kind === 'release' ? [] : contents.map((content) => pictureOf(order, kind, content));
  const before = waitingFor(subject);
  if (before?.state === 'asking') await discard(before);
  const entry = {
    subject,
    action: { deed: decision, amount, currency, pictures },
    dueAt: dueAt === null ? null : Date.parse(dueAt),
  };
  return (await (await outbox).put(entry)) !== undefined;
}

export async function undo({ id, subject, action }: Waiting): Promise<boolean> {
  takenBack.set(keyOf(subject), action.deed);
  return (await outbox).undo(id);
}
export const sendNow = async ({ id }: Waiting): Promise<boolean> => (await outbox).sendNow(id);
export async function discard({ id, subject, action }: Waiting): Promise<boolean> {
  takenBack.set(keyOf(subject), action.deed);
  await forgetOurs(database, subject);
  return (await outbox).discard(id);
}
/** Sends what waits; pictures go by themselves. */
export async function flushOutbox(): Promise<void> {
  await (await outbox).flush();
  void flushPictures();
}
