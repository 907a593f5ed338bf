import { MEMBER_CONFIRM, MEMBER_REJECT, MEMBER_RELEASE, MEMBER_REPORT } from '@munshi/api';
import type { RequestOf } from '@munshi/web';
import { signal } from '@preact/signals';
import { database } from '../kept.ts';
import { api, clock, isTimeTold, timeIsUntold } from '../service.ts';
import { ensureToken, lookAtSession } from '../session.ts';
import { learnOrder, readOrder } from '../work/known.ts';
import type { Order } from '../work/orders.ts';
import { answerOf } from './answer.ts';
import { flushPictures, pictureOf } from './evidence.ts';
import { indexedDbStore } from './indexed-db.ts';
import { createOutbox, type Entry, type Outbox, type Sent } from './outbox.ts';
import type { Picture } from './pictures.ts';

/** What a member does with orders, through the outbox: with or without a network. */

const ENDPOINTS = {
  confirm: MEMBER_CONFIRM,
  reject: MEMBER_REJECT,
  report: MEMBER_REPORT,
  release: MEMBER_RELEASE,
} as const;
type Kind = keyof typeof ENDPOINTS;
/** Where each leads, if nothing comes in between. */
const OUTCOMES: Readonly<Record<Kind, Order['status']>> = {
  confirm: 'Completed',
  reject: 'Rejected',
  report: 'ManualReview',
  release: 'Cancelled',
};

type BodyOf<K extends Kind> = RequestOf<(typeof ENDPOINTS)[K]>['body'];
/** What is done, with what it is done. */
export type Deed = {
  readonly [K in Kind]: { readonly kind: K; readonly body: BodyOf<K> };
}[Kind];
export interface Kept {
  readonly deed: Deed;
  /** The order's, so that an entry can be shown without it. */
  readonly amount: string;
  readonly currency: string;
  /** Handed in once it is sent, and not where it is undone. Absent: none. */
  readonly pictures?: readonly Picture[];
}
export type Waiting = Entry<Kept>;

/** Everything that is not sent yet, or was refused. */
export const waiting = signal<readonly Waiting[]>([]);
export const waitingFor = (orderId: string): Waiting | undefined =>
  waiting.value.find(({ subject }) => subject === orderId);

const ours = new Set<string>();
/** Whether the order left by a deed of this phone: nobody has to be told. */
export const wasOurs = (orderId: string): boolean => ours.has(orderId);

async function send({ id, subject: orderId, action }: Waiting): Promise<Sent> {
  if (!(await ensureToken())) return { is: 'unreachable' };
  const { kind, body } = action.deed;
  const request = { params: { orderId }, body, idempotencyKey: id } as never;
  ours.add(orderId);
  const outcome = await api.call(ENDPOINTS[kind], request).catch(() => undefined);
  if (outcome?.ok) learnOrder(outcome.answer.data);
  if (outcome === undefined) timeIsUntold();
  const sent = answerOf(outcome);
  if (sent.is === 'refused') ours.delete(orderId);
  return sent;
}

/** While the service was out of reach, nobody knows how time went on there. */
async function learnTime(): Promise<boolean> {
  if (!isTimeTold()) await lookAtSession();
  return isTimeTold();
}

async function isDone({ subject, action }: Waiting): Promise<boolean | undefined> {
  const order = await readOrder(subject);
  if (order === undefined) return undefined;
  const { kind } = action.deed;
  const theirs = order !== null && (kind === 'report' || !order.handedOver);
  return theirs && order.status === OUTCOMES[kind];
}

/** Held while this window is open: others see by it whether somebody can still undo. */
const owner = crypto.randomUUID();
const lockOf = (opening: string) => `munshi-member ${opening}`;
void navigator.locks.request(lockOf(owner), () => new Promise(() => {}));

const outbox: Promise<Outbox<Kept>> = database.then((opened) => {
  const store = indexedDbStore<Kept>(opened, ({ pictures = [] }) => pictures);
  const changed = async () => {
    waiting.value = await store.all();
    news.postMessage(null);
    void flushPictures();
  };
  const news = new BroadcastChannel('munshi-member outbox');
  news.onmessage = async () => {
    waiting.value = await store.all();
  };
  void store.all().then((all) => {
    waiting.value = all;
  });
  return createOutbox<Kept>(store, {
    owner,
    newId: () => crypto.randomUUID(),
    now: clock.now,
    learnTime,
    send,
    isDone,
    isOpen: async (opening) =>
      ((await navigator.locks.query()).held ?? []).some(({ name }) => name === lockOf(opening)),
    alone: (work) => navigator.locks.request('munshi-member outbox', work),
    later: (ms, work) => void setTimeout(() => void work(), ms),
    changed: () => void changed(),
  });
});

/**
 * Keeps the deed, to be sent when it can no longer be undone, and its pictures after it. False: the
 * order has one already.
 */
export async function doTo(
  order: Order,
  deed: Deed,
  contents: readonly string[] = [],
): Promise<boolean> {
  const { orderId: subject, amount, currency, dueAt } = order;
  const { kind } = deed;
  const pictures =
    kind === 'release' ? [] : contents.map((content) => pictureOf(order, kind, content));
  const entry = {
    subject,
    action: { deed, amount, currency, pictures },
    dueAt: dueAt === null ? null : Date.parse(dueAt),
  };
  return (await (await outbox).put(entry)) !== undefined;
}

export const undo = async ({ id }: Waiting): Promise<boolean> => (await outbox).undo(id);
export const sendNow = async ({ id }: Waiting): Promise<boolean> => (await outbox).sendNow(id);
export const discard = async ({ id }: Waiting): Promise<boolean> => (await outbox).discard(id);
/** Sends what waits; pictures go by themselves. */
export async function flushOutbox(): Promise<void> {
  await (await outbox).flush();
  void flushPictures();
}
