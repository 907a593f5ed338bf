import { MEMBER_LIST_ORDERS } from '@munshi/api';
import { signal } from '@preact/signals';
import { api } from '../service.ts';
import { keepOwn, readOwn, session } from '../session.ts';
import { isFound } from '../work/found.ts';
import { learnOrder } from '../work/known.ts';
import type { Order } from '../work/orders.ts';
import { type Days, dayOf, readDays } from './days.ts';

/** What M10 shows, for as long as the app is open, so that it is there when one comes back. */

/** So many are on the phone for when there is no network. */
export const KEPT_MAX = 200;
const PAGE = 50;

export interface Choice {
  readonly accountId: string;
  /** As it was typed. */
  readonly search: string;
}
const EVERYTHING: Choice = { accountId: '', search: '' };
export const choice = signal<Choice>(EVERYTHING);

export interface Shown {
  readonly choice: Choice;
  readonly orders: readonly Order[];
  readonly cursor: string | null;
  /** What the phone has kept, because the service cannot be reached, or has not answered yet. */
  readonly kept: boolean;
}
export const shown = signal<Shown | null>(null);
export const days = signal<Days | null>(null);
/** How the last look went. */
export const looking = signal<'now' | 'done' | 'unreachable' | 'too slow'>('done');

/** Of the last look: answers to those before are too late. */
let turn = 0;

/** Whose it is. */
let memberId: string | undefined;
session.subscribe((value) => {
  const who = value.is === 'signed in' ? value.member.memberId : undefined;
  if (who === memberId) return;
  memberId = who;
  turn += 1; // what is still on its way was another member's
  choice.value = EVERYTHING;
  shown.value = null;
  days.value = null;
});

const isEverything = ({ accountId, search }: Choice) => accountId === '' && search.trim() === '';

/** Reads what is chosen from its beginning. */
export async function look(): Promise<void> {
  const wanted = choice.value;
  turn += 1;
  const mine = turn;
  looking.value = 'now';
  if (shown.value?.choice !== wanted) await showKept(wanted, mine);
  const page = await readPage(wanted, null);
  if (mine !== turn) return;
  const before = shown.value;
  if (typeof page === 'string') {
    await showKept(wanted, mine);
    looking.value = page;
    return;
  }
  // What was read on from stays below it.
  const more =
    before?.choice === wanted && !before.kept ? withTail(page.data, before.orders) : undefined;
  const cursor = more === undefined || before === null ? page.nextCursor : before.cursor;
  show({ choice: wanted, orders: more ?? page.data, cursor, kept: false });
  if (wanted.search.trim() === '') await lookAtDays(null, mine);
  if (isEverything(wanted)) await keepLast(page.data, page.nextCursor, mine);
}

/** Reads on behind what is shown. */
export async function lookFurther(): Promise<void> {
  const before = shown.value;
  if (before === null || before.cursor === null) return;
  const mine = turn;
  looking.value = 'now';
  const page = await readPage(before.choice, before.cursor);
  if (mine !== turn) return;
  if (typeof page === 'string') {
    looking.value = page;
    return;
  }
  show({ ...before, orders: [...before.orders, ...page.data], cursor: page.nextCursor });
  if (before.choice.search.trim() === '') await lookAtDays(days.value, mine);
}

async function readPage({ accountId, search }: Choice, cursor: string | null, limit = PAGE) {
  const query = {
    ...{ state: 'closed' as const, limit },
    ...(accountId !== '' && { accountId }),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(cursor !== null && { cursor }),
  };
  const outcome = await api.call(MEMBER_LIST_ORDERS, { query }).catch(() => undefined);
  if (outcome?.ok) return outcome.answer;
  return outcome?.refusal.code === 'too-slow' ? 'too slow' : 'unreachable';
}

function show(next: Shown): void {
  shown.value = next;
  looking.value = 'done';
  for (const order of next.orders) learnOrder(order);
}

/** Sums as far back as orders are shown; `known`: those of later days, which are not read again. */
async function lookAtDays(known: Days | null, mine: number): Promise<void> {
  const oldest = shown.value?.orders.at(-1);
  const read = await readDays(known, oldest && dayOf(oldest.createdAt));
  if (read === undefined || mine !== turn) return;
  days.value = read;
  await keepOwn('days', read);
}

/** The last 200, with those that were kept before behind the new ones. */
async function keepLast(
  page: readonly Order[],
  cursor: string | null,
  mine: number,
): Promise<void> {
  const kept = (await readOwn<readonly Order[]>('closed')) ?? [];
  let last = withTail(page, kept) ?? page;
  if (last.length === page.length && cursor !== null) {
    const rest = await readPage(EVERYTHING, cursor, KEPT_MAX - page.length);
    if (typeof rest !== 'string') last = [...page, ...rest.data];
  }
  if (mine === turn) await keepOwn('closed', last.slice(0, KEPT_MAX));
}

/** A page with those behind its last one of an earlier reading; undefined: that has not got it. */
function withTail(page: readonly Order[], before: readonly Order[]): readonly Order[] | undefined {
  const at = before.findIndex(({ orderId }) => orderId === page.at(-1)?.orderId);
  return at === -1 ? undefined : [...page, ...before.slice(at + 1)];
}

/** What the phone has kept of what is chosen. */
async function showKept(wanted: Choice, mine: number): Promise<void> {
  const kept = await readOwn<readonly Order[]>('closed');
  days.value ??= await readOwn<Days>('days');
  if (mine !== turn || kept === null) return;
  const { accountId, search } = wanted;
  const found = kept.filter(
    (order) =>
      (accountId === '' || order.account?.accountId === accountId) &&
      (search.trim() === '' || isFound(order, search)),
  );
  const state = looking.value;
  show({ choice: wanted, orders: found, cursor: null, kept: true });
  looking.value = state;
}
