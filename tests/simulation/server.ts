import { randomUUID } from 'node:crypto';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';
import { ask, isPageAct } from './ask.ts';
import { type Cast, castFor, type Site, siteOf } from './cast.ts';
import { compare, compareFaces, expectWebhooks } from './compare.ts';
import { isShown } from './model/customer.ts';
import { type Act, perform } from './model/index.ts';
import { type Follow, type Model, no, type Verdict } from './model/state.ts';
import { elapse, leaveWithdrawn } from './model/time.ts';
import {
  Divergence,
  expectAnswer,
  expectOrder,
  expectSame,
  followed,
  orderPicture,
} from './picture.ts';
import type { Subject } from './run.ts';
import { type Rows, readRows } from './server-rows.ts';
import { modelOf, type Setup } from './setup.ts';

/**
 * The service over HTTP on a database of its own: one server, or two that take turns. The process's
 * `Date` stands still, so that the sandbox clock moves by advances alone.
 */
export async function serverSubject(setup: Setup): Promise<Subject> {
  const service = await startService();
  const other =
    setup.servers === 2 ? await startService({ PUBLIC_URL: service.url }, service) : undefined;
  const receiver = await startReceiver();
  const cast = await castFor(service, receiver, setup);
  const model = modelOf(setup);
  const sites = other === undefined ? [cast.site] : [cast.site, siteOf(service, other.url, cast)];
  const pair: Pair = { cast, sites, model, revokedAt: new Map(), written: [], asked: 0 };
  return {
    model,
    async elapse(until) {
      // The clock advances by whole seconds, and has advanced by one since the last act.
      const seconds = Math.floor((until - model.now) / 1_000);
      if (seconds <= 0) return;
      await advanceAll(sites, seconds);
      const rows = await readRows(cast);
      elapse(model, model.now + seconds * 1_000, following(cast, model, rows));
      compare(cast, model, rows);
    },
    perform: (act) => step(pair, act),
    async finish() {
      await compareFaces(cast, model);
      expectWebhooks(cast, model, pair.revokedAt, await readRows(cast));
      await expectSound(service);
    },
    async close() {
      await other?.close();
      await service.close();
      await receiver.close();
    },
  };
}

interface Pair {
  readonly cast: Cast;
  /** The server processes: acts go to one after the other. */
  readonly sites: readonly Site[];
  readonly model: Model;
  readonly revokedAt: Map<string, number>;
  /** Keys and answers of the model's writes. */
  readonly written: { readonly key: string; readonly whole: string | undefined }[];
  asked: number;
}

/**
 * After each act the background work runs, and time moves on, so that no two orders are of one
 * moment.
 */
const ACT_SECONDS = 1;

/** Acts of the clock are left to the service's own jobs. */
const isClockAct = ({ act }: Act) => act === 'deadline' || act === 'assign' || act === 'withdraw';

async function step(pair: Pair, act: Act): Promise<Verdict> {
  const { cast, sites, model, revokedAt } = pair;
  if (isClockAct(act)) return no('ok');
  const key = act.act === 'again' ? pair.written[act.write]?.key : randomUUID();
  if (key === undefined) return no('ok');
  const { answer, text, data, whole } = await ask(
    cast,
    model,
    act,
    sites[pair.asked % sites.length] as Site,
    key,
  );
  pair.asked += 1;
  await advanceAll(sites, ACT_SECONDS);
  const rows = await readRows(cast);
  if (act.act === 'create' && answer === 'ok' && !cast.orderIds.includes(data.orderId))
    cast.orderIds[model.orders.length] = data.orderId;
  const follow = following(cast, model, rows);
  const verdict = verdictOf(model, act, follow);
  expectAnswer(verdict, answer, act.act === 'create' ? text : undefined);
  if (model.requests.length > cast.requestIds.length) cast.requestIds.push(data.approvalId);
  if (model.writes.length > pair.written.length) pair.written.push({ key, whole });
  if (
    act.act === 'again' &&
    !act.changed &&
    answer !== 'inactive' &&
    whole !== pair.written[act.write]?.whole
  ) {
    throw new Divergence(`answered ${whole}, and at first ${pair.written[act.write]?.whole}`);
  }
  if (act.act === 'revoke-key') revokedAt.set(act.key, revokedAt.get(act.key) ?? model.now);
  if (act.act === 'create' && verdict.order !== undefined) {
    expectOrder(cast.orderIds, verdict.order, data.orderId);
    cast.pages[verdict.order.number] ??= data.paymentPageUrl;
    const { status, stage, expiresAt, reference } = orderPicture(verdict.order);
    const answered = {
      status: data.status,
      stage: data.stage,
      expiresAt: Date.parse(data.expiresAt),
      reference: data.merchantOrderRef,
      page: data.paymentPageUrl,
    };
    expectSame(`the answer about order ${verdict.order.number}`, answered, {
      status,
      stage,
      expiresAt,
      reference,
      page: cast.pages[verdict.order.number] ?? null,
    });
  }
  if (act.act === 'member-status' || act.act === 'member-account') leaveWithdrawn(model, follow);
  elapse(model, model.now + ACT_SECONDS * 1_000, follow);
  compare(cast, model, rows);
  return verdict;
}

/** The verdict over HTTP: a closed page refuses before the rules are applied. */
export function verdictOf(model: Model, act: Act, follow: Follow): Verdict {
  if (
    'order' in act &&
    isPageAct(act) &&
    !isShown(model, model.orders[act.order] as Model['orders'][number])
  )
    return no('expired');
  return perform(model, act, follow);
}

const advance = async ({ operators }: Site, seconds: number): Promise<void> => {
  const { status, text } = await operators[0].post('/clock/advance', { seconds });
  if (status !== 200) throw new Error(`advancing answered ${status}: ${text}`);
};

/** Advances the one clock that all have; each has it when this is over. */
export async function advanceAll(sites: readonly Site[], seconds: number): Promise<void> {
  for (const [at, site] of sites.entries()) await advance(site, at === 0 ? seconds : 0);
}

/** Follows the service's own record of who got what when. */
function following(cast: Cast, model: Model, rows: Rows): Follow {
  return (order, allowed) => {
    const orderId = cast.orderIds[order.number] ?? '';
    const row = rows.orders.get(orderId);
    if (row?.holderSince === model.now)
      return followed(order, allowed, {
        memberId: rows.nameOf(row.memberId),
        accountId: rows.nameOf(row.accountId),
      });
    // It has changed holders since: the history says whose they were, any account of theirs may have
    // had it.
    const move = rows.moves.findLast(
      (each) => each.orderId === orderId && each.at === model.now && each.memberId !== null,
    );
    const member = rows.nameOf(move?.memberId ?? null);
    const account = allowed
      .filter((holder) => holder.member === member)
      .map((holder) => holder.account)[0];
    return followed(order, allowed, { memberId: member, accountId: account ?? null });
  };
}
