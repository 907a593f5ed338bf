import { assign, deadline, withdraw } from './model/clock.ts';
import type { Act } from './model/index.ts';
import type { Follow, Hand, Model, Verdict } from './model/state.ts';
import { elapse, leaveWithdrawn } from './model/time.ts';
import { Divergence, orderPicture } from './picture.ts';
import { type Answered, type Cast, compare, verdictOf } from './server.ts';
import type { Rows } from './server-rows.ts';

/** One thing that happened in a round: a request with its answer, or a piece of the service's background work. */
export type Happened =
  | { readonly act: Act; readonly answered: Answered }
  | { readonly job: 'deadline' | 'assign' | 'withdraw'; readonly order: number }
  | { readonly clock: number };

/** A state that the model may be in after some of what happened, with the ids that the service gave to its numbers. */
export interface Branch {
  readonly model: Model;
  readonly orderIds: readonly string[];
  readonly pages: readonly string[];
  readonly adjustmentIds: readonly string[];
}

export interface Explained {
  /** Undefined: in no order does the model allow what was seen. */
  readonly branch: Branch | undefined;
  /** Acts that were tried in some order. */
  readonly tries: number;
}

const TRIES_MAX = 60_000;

/**
 * Finds an order in which the model, doing one thing after the other, gives every answer and ends in the rows that were read.
 * Complete: it gives up only when every order contradicts an answer, an assignment or a row, and throws when there are
 * too many orders to look at. `happened` comes in the order that is tried first.
 */
export function explain(start: Branch, happened: readonly Happened[], settledAt: number, cast: Cast, rows: Rows): Explained {
  let tries = 0;
  const search = (branch: Branch, left: readonly Happened[]): Branch | undefined => {
    if (left.length === 0) return settled(branch, settledAt, { cast, rows, choice: 0 });
    for (const [at, next] of left.entries()) {
      const rest = left.toSpliced(at, 1);
      for (let choice = 0, choices = 1; choice < choices; choice += 1) {
        tries += 1;
        if (tries > TRIES_MAX) throw new Error(`more than ${TRIES_MAX} tries`);
        const taken = take(branch, next, { cast, rows, choice });
        choices = taken?.choices ?? 1;
        const found = taken?.branch && search(taken.branch, rest);
        if (found) return found;
      }
    }
    return undefined;
  };
  return { branch: search(start, happened), tries };
}

interface Taking {
  readonly cast: Cast;
  readonly rows: Rows;
  /** Which of the hands that the rows leave open. */
  readonly choice: number;
}

/** The branch after one more thing; without `branch` where the model does not allow it. */
function take(from: Branch, next: Happened, { cast, rows, choice }: Taking): { readonly branch?: Branch; readonly choices: number } | undefined {
  const model = structuredClone(from.model);
  if ('clock' in next) {
    model.now = next.clock;
    return { branch: { ...from, model }, choices: 1 };
  }
  const created = 'act' in next && next.act.act === 'create' ? next.answered.data : undefined;
  const orderIds = [...from.orderIds];
  if (created !== undefined && !orderIds.includes(created.orderId)) orderIds.push(created.orderId);
  let choices = 1;
  const follow: Follow = (order, allowed) => {
    const open = allowed.filter((hand) => mayHave(rows, cast, orderIds[order.number] ?? '', hand));
    choices = open.length;
    return open[choice] ?? refuse();
  };
  try {
    if ('job' in next) {
      const before = JSON.stringify(orderPicture(model.orders[next.order] as Model['orders'][number]));
      ({ deadline, assign, withdraw })[next.job](model, model.orders[next.order] as Model['orders'][number], follow);
      const after = JSON.stringify(orderPicture(model.orders[next.order] as Model['orders'][number]));
      // Work that was seen to be done does something; deadlines are asked for again and again.
      return before === after && next.job !== 'deadline' ? { choices } : { branch: { ...from, model }, choices };
    }
    const verdict = verdictOf(model, next.act, follow);
    if (!isAnswer(verdict, next.answered, orderIds)) return { choices };
    const pages = [...from.pages];
    if (created !== undefined && verdict.order !== undefined) pages[verdict.order.number] ??= created.paymentPageUrl;
    const adjusted = next.act.act === 'adjust' && next.answered.data !== undefined ? [next.answered.data.adjustmentId] : [];
    return { branch: { model, orderIds: orderIds.slice(0, model.orders.length), pages, adjustmentIds: [...from.adjustmentIds, ...adjusted] }, choices };
  } catch (error) {
    if (error === NOT_ALLOWED) return { choices };
    throw error;
  }
}

const NOT_ALLOWED = new Error('the service chose otherwise');
function refuse(): never {
  throw NOT_ALLOWED;
}

/** Whether the order was in that hand at some time, as the rows tell. */
function mayHave(rows: Rows, cast: Cast, orderId: string, { member, account }: Hand): boolean {
  const row = rows.orders.get(orderId);
  if (row === undefined) return false;
  const id = cast.members[member]?.memberId;
  if (row.memberId === id)
    return (
      row.accountId === null ||
      row.accountId === cast.accountIds[account] ||
      rows.moves.filter((move) => move.orderId === orderId && move.memberId === id).length > 1
    );
  return rows.moves.some((move) => move.orderId === orderId && move.memberId === id);
}

/** Whether the model answers the same, the created order's state included. */
function isAnswer({ answers, order, message }: Verdict, { answer, text, data }: Answered, orderIds: readonly string[]): boolean {
  if (!answers.includes(answer)) return false;
  if (message !== undefined && text !== undefined && message !== text) return false;
  if (order === undefined || data?.paymentPageUrl === undefined) return true;
  const { status, stage } = orderPicture(order);
  return orderIds[order.number] === data.orderId && status === data.status && stage === data.stage;
}

/** The branch once the background work has nothing left to do, if that is what was read. */
function settled(branch: Branch, at: number, { cast, rows }: Taking): Branch | undefined {
  const model = structuredClone(branch.model);
  const orderIds = [...branch.orderIds];
  const follow: Follow = (order, allowed) => allowed.find((hand) => mayHave(rows, cast, orderIds[order.number] ?? '', hand)) ?? refuse();
  try {
    leaveWithdrawn(model, follow);
    elapse(model, at, follow);
    compare({ orderIds }, model, rows);
    return { ...branch, model };
  } catch (error) {
    if (error === NOT_ALLOWED || error instanceof Divergence) return undefined;
    throw error;
  }
}
