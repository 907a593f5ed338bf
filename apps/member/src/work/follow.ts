import { FACES, MEMBER_LIST_ORDERS, MEMBER_READ_ME } from '@munshi/api';
import { askForStream, follow } from '@munshi/web';
import { alarms, raise } from '../alarm/alarms.ts';
import { followNotices } from '../alerts/follow-notices.ts';
import { now } from '../now.ts';
import { flushOutbox, wasOurs } from '../outbox/actions.ts';
import { api, clock, forgetTime, PREFIX } from '../service.ts';
import { keepOwn, lookAtSession, readOwn, session } from '../session.ts';
import { answered, failed, gone, type Known, known, live, online, readOrder } from './known.ts';
import { isCalling, isOver, isUrgent, type Me, type Order } from './orders.ts';

/** Reads again whenever there may be something new, and says what came and went. */

let reading: Promise<void> | undefined;
let again = false;

/** Reads everything again; who asks while it is read gets a reading of afterwards. */
export function refresh(): Promise<void> {
  again = true;
  reading ??= (async () => {
    while (again) {
      again = false;
      await readAll();
    }
  })().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function readAll(): Promise<void> {
  const [mine, list] = await Promise.all([
    api.call(MEMBER_READ_ME, {}).catch(() => undefined),
    api.call(MEMBER_LIST_ORDERS, { query: { limit: 200 } }).catch(() => undefined),
  ]);
  failed.value = !mine?.ok || !list?.ok;
  if (!mine?.ok || !list?.ok || !isTheirs(mine.answer.data)) return;
  const before = known.value;
  const orders = list.answer.data;
  const next: Known = { me: mine.answer.data, orders, at: clock.now() };
  known.value = next;
  now.value = clock.now();
  const listed = new Set(orders.map(({ orderId }) => orderId));
  // A payout that went to another member may come back.
  if (gone.value.some(({ orderId }) => listed.has(orderId)))
    showGone(gone.value.filter(({ orderId }) => !listed.has(orderId)));
  answered.value = new Map([...answered.value].filter(([orderId]) => !listed.has(orderId)));
  // What was seen on another phone, or has gone, calls no more.
  const calling = new Set(orders.filter(isCalling).map(({ orderId }) => orderId));
  alarms.value = alarms.value.filter(({ orderId }) => calling.has(orderId));
  if (before !== null) await compare(before.orders, orders);
  await keepOwn('known', next);
}

/** An answer is shown only while the member whom it is for is signed in. */
const isTheirs = ({ memberId }: Me): boolean =>
  session.value.is === 'signed in' && session.value.member.memberId === memberId;

/** An order that went to another member and came back in between is another one to its member. */
const assignment = ({ orderId, assignedAt }: Order): string => `${orderId} ${assignedAt}`;

/** What came and what went between two looks, regardless of why we looked. */
async function compare(before: readonly Order[], after: readonly Order[]): Promise<void> {
  const urgentBefore = new Set(before.filter(isUrgent).map(assignment));
  for (const order of after)
    if (isCalling(order) && !urgentBefore.has(assignment(order))) raise(order);
  const left = before.filter(({ orderId }) => !after.some((order) => order.orderId === orderId));
  for (const { orderId } of left) {
    const ours = await wasOurs(orderId);
    // What this phone did has been answered, as a rule, with what the order became.
    const answer = ours ? answered.value.get(orderId) : undefined;
    const order = answer !== undefined && isOver(answer) ? answer : await readOrder(orderId);
    // An order may have gone to another member while our action was on its way.
    if (order && (order.handedOver || !ours))
      showGone([...gone.value.filter((each) => each.orderId !== orderId), order]);
  }
}

export const hideGone = (orderId: string): void =>
  showGone(gone.value.filter((order) => order.orderId !== orderId));

function showGone(next: readonly Order[]): void {
  gone.value = next;
  void keepOwn('gone', next);
}

/** What this phone has kept, for the first moment and for when there is no network. */
async function readKeptOnes(): Promise<void> {
  known.value ??= await readOwn<Known>('known');
  gone.value = (await readOwn<readonly Order[]>('gone')) ?? [];
}

/** Looks again, and sends what waits. */
export async function lookAround(): Promise<void> {
  const { value } = session;
  if (value.is === 'unreachable') await lookAtSession();
  if (value.is !== 'signed in' || value.ended) return;
  await refresh();
  await flushOutbox();
}

/** Follows the member's orders until the answered function is called. */
export function startWork(): () => void {
  const kept = readKeptOnes();
  const stopFollowing = follow({
    ask: () => askForStream(`${PREFIX}${FACES.member}/events`),
    onEvent: () => void refresh(),
    onState: (state) => {
      live.value = { ...state, tried: true };
    },
    onPoll: () => void kept.then(lookAround),
  });
  const networkChanged = () => {
    online.value = navigator.onLine;
    if (navigator.onLine) void lookAround();
    else forgetTime();
  };
  const shown = () => {
    if (!document.hidden) void lookAround();
  };
  const stopNotices = followNotices(() => void refresh());
  addEventListener('online', networkChanged);
  addEventListener('offline', networkChanged);
  document.addEventListener('visibilitychange', shown);
  return () => {
    stopFollowing();
    stopNotices();
    removeEventListener('online', networkChanged);
    removeEventListener('offline', networkChanged);
    document.removeEventListener('visibilitychange', shown);
    known.value = null;
    gone.value = [];
    answered.value = new Map();
    alarms.value = [];
  };
}
