import type { EffectWarning, Given, WritePreview } from '@munshi/api';
import {
  type Command,
  type CommandOf,
  type Delivery,
  hasSucceeded,
  isAttested,
  isSent,
  isSharedSum,
  limitAlone,
  type Member,
  type MoneyCommandKind,
  type MoneyKind,
  movedOn,
  newApproval,
  type Order,
  type Posting,
  type Wallet,
} from '@munshi/core';
import { readApproversOf } from '../door/rules.service.ts';
import type { Changed } from '../engine/preview.ts';
import { findMember } from '../members/store.ts';
import { findMerchant } from '../merchants/store.ts';
import { findSimilarOrders, likenessOf } from '../orders/similar.store.ts';
import { findTakerOfReference, isSaidPaid, saidOfPayout } from '../orders/store.ts';
import type { ApproverDeps } from '../people/approvers.service.ts';
import { accepted } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';

/** What an operator's write would do, before it is done (decision 25). */
export interface Effect {
  /** The rest happens when another operator agrees; null: at once. */
  readonly wait: Given<WritePreview>['wait'];
  readonly limit: Given<WritePreview>['limit'];
  readonly order: Change<Order> | null;
  readonly postings: readonly Posting[];
  readonly wallets: readonly (Change<Wallet> & { readonly merchantName: string })[];
  readonly floats: readonly (Change<Member> & { readonly memberName: string })[];
  readonly webhook: PreviewedWebhook | null;
  readonly warnings: readonly Warning[];
  /** The names of the members in `order`. */
  readonly memberNames: ReadonlyMap<string, string>;
}

interface Change<Row> {
  readonly before: Row;
  readonly after: Row;
}

export type PreviewedWebhook = Pick<Delivery, 'eventType' | 'body'> & {
  readonly url: string;
  /** Of the delivery that is sent again; null: a new one. */
  readonly deliveryId: string | null;
};

export interface Warning {
  readonly code: EffectWarning;
  readonly orders: readonly Pick<Order, 'orderId' | 'orderReference'>[];
}

/** Nothing of money or of an order. */
export const NO_EFFECT: Effect = {
  wait: null,
  limit: null,
  order: null,
  postings: [],
  wallets: [],
  floats: [],
  webhook: null,
  warnings: [],
  memberNames: new Map(),
};

type Deps = Pick<ServiceDeps, 'engine' | 'database' | 'clock'>;

/** The operator who would agree: anyone but the one who asks. */
const ANOTHER_OPERATOR = {
  kind: 'operator',
  id: 'somebody else',
  name: 'Another operator',
  address: '',
} as const;

/** The effect of a command. Throws its refusal. */
export async function previewEffect(
  deps: Deps,
  command: Command,
  wait: Effect['wait'] = null,
): Promise<Effect> {
  const preview = await deps.engine.preview(command);
  accepted(preview.decision);
  return effectOf(deps, preview, wait);
}

/** The same of one about money: where it waits for a second operator, of their agreement to it. */
export async function previewMoney(
  deps: Deps & ApproverDeps,
  kind: MoneyKind,
  command: CommandOf<MoneyCommandKind>,
): Promise<Effect> {
  const { pool } = deps.database;
  const alone = await deps.engine.preview<MoneyCommandKind>(command);
  const result = accepted(alone.decision);
  const limit = await readLimit(deps, kind, command, alone);
  if (result.status !== 'needsTwo') return { ...(await effectOf(deps, alone)), limit };
  const by = { actor: command.actor, asked: null };
  const target = 'orderId' in command ? command.orderId : command.commandId;
  const about = 'memberId' in command ? { memberId: command.memberId } : {};
  const asked = newApproval(kind, command.commandId, target, about, by, deps.clock.now());
  const approvers = await readApproversOf(pool, deps, asked);
  const agreed = { ...command, actor: ANOTHER_OPERATOR, sumOf: null, asked };
  const wait = { why: result.why, rule: null, approvers };
  return { ...(await previewEffect(deps, agreed, wait)), limit };
}

/** What the asker decides alone, and what of it is left today. */
async function readLimit(
  { database, clock }: Deps,
  kind: MoneyKind,
  { sumOf }: Pick<CommandOf<MoneyCommandKind>, 'sumOf'>,
  { before }: Pick<Changed, 'before'>,
): Promise<Effect['limit']> {
  const sum = before.sums.find(({ operatorId }) => operatorId === sumOf);
  const today = sum === undefined ? 0n : movedOn(sum, clock.now());
  const limit = limitAlone(await readPlatformSettings(database.pool), { kind, today });
  return limit && { ...limit, shared: limit.left !== null && isSharedSum(sumOf) };
}

/** What a command changes, as its previews show it. */
export async function effectOf(
  deps: Pick<Deps, 'database'>,
  { before, writes }: Changed,
  wait: Effect['wait'] = null,
): Promise<Effect> {
  const { pool } = deps.database;
  const order = changes(before.orders, writes.orders, ({ orderId }) => orderId)[0] ?? null;
  const wallets = changes(before.wallets, writes.wallets, ({ merchantId }) => merchantId);
  const floats = changes(before.members, writes.members, ({ memberId }) => memberId);
  const nameOf = async (memberId: string) => (await findMember(pool, memberId))?.name ?? '';
  const named = new Set(
    [order?.before.memberId, order?.after.memberId].filter((id) => typeof id === 'string'),
  );
  const [delivery = null] = writes.deliveries.filter(isSent);
  const effect = {
    wait,
    limit: null,
    order,
    postings: writes.postings,
    wallets: await Promise.all(
      wallets.map(async (change) => {
        const merchant = await findMerchant(pool, change.after.merchantId);
        return { ...change, merchantName: merchant?.name ?? '' };
      }),
    ),
    floats: await Promise.all(
      floats.map(async (change) => ({
        ...change,
        memberName: await nameOf(change.after.memberId),
      })),
    ),
    webhook: delivery && { ...delivery, deliveryId: null },
    memberNames: new Map(
      await Promise.all([...named].map(async (id) => [id, await nameOf(id)] as const)),
    ),
  };
  return { ...effect, warnings: await warningsOf(deps, effect) };
}

/** The rows that change, as they were and as they will be. */
const changes = <Row>(
  before: readonly Row[],
  after: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Change<Row>[] =>
  after.flatMap((row) => {
    const known = before.find((one) => keyOf(one) === keyOf(row));
    return known === undefined ? [] : [{ before: known, after: row }];
  });

async function warningsOf(
  { database }: Pick<Deps, 'database'>,
  { wait, order, wallets, floats, postings, webhook }: Omit<Effect, 'warnings'>,
): Promise<readonly Warning[]> {
  const about = (code: EffectWarning, orders: Warning['orders'] = []) => ({ code, orders });
  const completes = order !== null && hasSucceeded(order.after.status);
  const ends = order !== null && order.after.completedAt !== order.before.completedAt;
  const failed = order !== null && order.after.failedAt !== order.before.failedAt;
  const taken =
    completes && order.after.liveReference === null && order.after.merchantOrderRef !== null
      ? await findTakerOfReference(database.pool, order.after)
      : null;
  const alike = completes
    ? await findSimilarOrders(database.pool, likenessOf(order.before, []))
    : [];
  const said = alike.filter(({ likenesses }) =>
    likenesses.some((one) => one === 'digits' || one === 'payer'),
  );
  const saidByNobody =
    completes && !isAttested(order.before) && !(await isSaidPaid(database.pool, order.before));
  const mayHavePaid = failed && (await saidOfPayout(database.pool, order.before));
  return [
    ...(wait !== null ? [about('second-operator')] : []),
    ...(wallets.some(({ after }) => after.balance < after.reserved)
      ? [about('balance-below-zero')]
      : []),
    ...(floats.some(({ after }) => after.floatBalance < after.floatHeld)
      ? [about('float-below-held')]
      : []),
    ...(taken === null ? [] : [about('reference-taken', [taken])]),
    ...(said.length === 0 ? [] : [about('digits-elsewhere', said)]),
    ...(saidByNobody ? [about('nobody-said-paid')] : []),
    ...(mayHavePaid ? [about('member-may-have-paid')] : []),
    ...(postings.some(({ kind, memberId }) => kind === 'settlement' && memberId === null)
      ? [about('no-member')]
      : []),
    ...((ends || failed) && webhook === null ? [about('no-webhook')] : []),
  ];
}
