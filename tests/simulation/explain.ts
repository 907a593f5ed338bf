import type { Answered } from './ask.ts';
import type { Cast } from './cast.ts';
import { compare } from './compare.ts';
import { assign, deadline, withdraw } from './model/clock.ts';
import type { Act } from './model/index.ts';
import type { Follow, Holder, Model } from './model/state.ts';
import { elapse, leaveWithdrawn } from './model/time.ts';
import { Divergence, expectAnswer, expectOrder, expectSame, orderPicture } from './picture.ts';
import { verdictOf } from './server.ts';
import type { Rows } from './server-rows.ts';

/**
 * One thing that happened in a round: a request with its answer, or a piece of the service's
 * background work.
 */
export type Happened =
  | { readonly act: Act; readonly answered: Answered }
  | { readonly job: 'deadline' | 'assign' | 'withdraw'; readonly orderId: string }
  | { readonly clock: number };

/**
 * A state that the model may be in after some of what happened, with the ids that the service gave
 * to its numbers.
 */
export interface Branch {
  readonly model: Model;
  readonly orderIds: readonly string[];
  readonly pages: readonly string[];
  readonly requestIds: readonly string[];
}

export interface Explained {
  /** Undefined: in no order does the model allow what was seen. */
  readonly branch: Branch | undefined;
  /** Acts that were tried in some order. */
  readonly tries: number;
  /** What contradicted the orders that went furthest. */
  readonly contradictions: readonly string[];
}

const TRIES_MAX = 60_000;

/**
 * Finds an order in which the model, doing one thing after the other, gives every answer and ends
 * in the rows that were read. Complete: it finds none only when every order contradicts an answer,
 * an assignment or a row, and throws when there are too many orders to look at. `happened` comes in
 * the order that is tried first.
 */
export function explain(
  start: Branch,
  happened: readonly Happened[],
  settledAt: number,
  cast: Cast,
  rows: Rows,
): Explained {
  let tries = 0;
  let furthest = happened.length;
  let contradictions = new Set<string>();
  const contradicted = (left: number, by: unknown) => {
    if (!(by instanceof Divergence)) throw by;
    if (left < furthest) contradictions = new Set();
    furthest = Math.min(left, furthest);
    if (left === furthest) contradictions.add(by.message);
  };
  /**
   * States from which what is left leads nowhere: things that do not touch each other come to one
   * state in any order.
   */
  const dead = new Set<string>();
  const search = (branch: Branch, left: readonly Happened[]): Branch | undefined => {
    const state = `${left.map((each) => happened.indexOf(each)).join()} ${stateOf(branch)}`;
    if (dead.has(state)) return undefined;
    const found = searchOn(branch, left);
    if (found === undefined) dead.add(state);
    return found;
  };
  const searchOn = (branch: Branch, left: readonly Happened[]): Branch | undefined => {
    if (left.length === 0) return settled(branch, settledAt, { cast, rows, choice: 0 });
    for (const [at, next] of left.entries()) {
      for (let choice = 0, choices = 1; choice < choices; choice += 1) {
        tries += 1;
        if (tries > TRIES_MAX) throw new Error(`more than ${TRIES_MAX} tries`);
        const open = (holders: number) => {
          choices = holders;
        };
        const taking: Taking = { cast, rows, choice, open };
        try {
          const found = search(take(branch, next, taking), left.toSpliced(at, 1));
          if (found !== undefined) return found;
        } catch (error) {
          contradicted(left.length, error);
        }
      }
    }
    return undefined;
  };
  const branch = search(start, happened);
  return { branch, tries, contradictions: [...contradictions] };
}

const stateOf = ({ model, orderIds, requestIds }: Branch) =>
  JSON.stringify([model, orderIds, requestIds], (name, value) => {
    // No round repeats a write.
    if (name === 'writes') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });

interface Taking {
  readonly cast: Cast;
  readonly rows: Rows;
  /** Which of the holders that the rows leave open. */
  readonly choice: number;
  /** Called with how many there are. */
  readonly open?: (holders: number) => void;
}

/** The branch after one more thing. Throws a divergence where the model does not allow it. */
function take(from: Branch, next: Happened, taking: Taking): Branch {
  const model = structuredClone(from.model);
  if ('clock' in next) return { ...from, model: { ...model, now: next.clock } };
  if ('job' in next) {
    work(model, next, from.orderIds.indexOf(next.orderId), followingRows(from.orderIds, taking));
    return { ...from, model };
  }
  const { act, answered } = next;
  const created = act.act === 'create' ? answered.data : undefined;
  const orderIds = [...from.orderIds];
  if (created !== undefined && !orderIds.includes(created.orderId)) orderIds.push(created.orderId);
  const verdict = verdictOf(model, act, followingRows(orderIds, taking));
  expectAnswer(verdict, answered.answer, act.act === 'create' ? answered.text : undefined);
  const pages = [...from.pages];
  if (created !== undefined && verdict.order !== undefined) {
    expectOrder(orderIds, verdict.order, created.orderId);
    pages[verdict.order.number] ??= created.paymentPageUrl;
    const { status, stage } = orderPicture(verdict.order);
    expectSame(
      `the answer about order ${verdict.order.number}`,
      { status: created.status, stage: created.stage },
      { status, stage },
    );
  }
  const requested =
    model.requests.length > from.requestIds.length ? [answered.data.approvalId] : [];
  return {
    model,
    orderIds: orderIds.slice(0, model.orders.length),
    pages,
    requestIds: [...from.requestIds, ...requested],
  };
}

const followingRows =
  (orderIds: readonly string[], { cast, rows, choice, open }: Taking): Follow =>
  (order, allowed) => {
    const holders = allowed.filter((holder) =>
      mayHave(rows, cast, orderIds[order.number] ?? '', holder),
    );
    open?.(holders.length);
    const holder = holders[choice];
    if (holder !== undefined) return holder;
    const row = rows.orders.get(orderIds[order.number] ?? '');
    throw new Divergence(
      `order ${order.number} went to ${rows.nameOf(row?.accountId ?? null)}, the model says ${allowed.map(({ account }) => account).join(' or ')}`,
    );
  };

/**
 * Background work. What was seen to be done must do something; deadlines are asked for again and
 * again.
 */
function work(
  model: Model,
  { job }: Extract<Happened, { job: string }>,
  number: number,
  follow: Follow,
): void {
  const order = model.orders[number];
  if (order === undefined) throw new Divergence(`there is no order yet to ${job}`);
  const before = JSON.stringify(orderPicture(order));
  ({ deadline, assign, withdraw })[job](model, order, follow);
  if (job !== 'deadline' && JSON.stringify(orderPicture(order)) === before)
    throw new Divergence(`there is nothing to ${job} for order ${number}`);
}

const HANDS_ON = ['member-withdrawn', 'customer-switched-method', 'payout-timed-out'];

/** Whether the rows say that this account held the order at some time. */
function mayHave(rows: Rows, cast: Cast, orderId: string, { member, account }: Holder): boolean {
  const row = rows.orders.get(orderId);
  if (row === undefined) return false;
  const id = cast.members[member]?.memberId;
  if (row.memberId === id)
    return (
      row.accountId === null ||
      row.accountId === cast.accountIds[account] ||
      rows.moves.filter((move) => move.orderId === orderId && move.memberId === id).length > 1
    );
  // The history names who got it, not who lost it: the member it was created for may be in no row
  // any more.
  return rows.moves.some(
    (move) => move.orderId === orderId && (move.memberId === id || HANDS_ON.includes(move.trigger)),
  );
}

/**
 * The branch once the background work has nothing left to do. Throws a divergence where that is not
 * what was read.
 */
function settled(branch: Branch, at: number, taking: Taking): Branch {
  const model = structuredClone(branch.model);
  const follow = followingRows(branch.orderIds, taking);
  leaveWithdrawn(model, follow);
  elapse(model, at, follow);
  const ids = { orderIds: [...branch.orderIds], requestIds: [...branch.requestIds] };
  compare(ids, model, taking.rows);
  return { ...branch, model };
}
