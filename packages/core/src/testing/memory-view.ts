import {
  type Adjustment,
  type ApiKey,
  type AuditEntry,
  byTurn,
  type Changes,
  type Command,
  type Context,
  type Currency,
  chooseMember,
  type Decision,
  type Delivery,
  dayOf,
  decide,
  type Factor,
  type FeeRule,
  hasSucceeded,
  type Instant,
  isFinal,
  type Keys,
  keysOf,
  type Member,
  type Merchant,
  type Move,
  type MovedAlone,
  type Notice,
  type Order,
  type OrderNote,
  type Posting,
  type Replay,
  type ResultOf,
  reservedBy,
  type Settings,
  transactionKey,
  usesCapacity,
  type View,
  type Wallet,
} from '../index.ts';
import { FACTOR_ONE } from '../money.ts';
import { payableAmount } from '../payable.ts';
import { merchant, NOW, SETTINGS } from './literals.ts';

/** A fee rule with the time it was in force. */
export type TimedFeeRule = FeeRule & {
  readonly validFrom?: Instant;
  readonly validUntil?: Instant;
};

interface Seed {
  readonly now?: Instant;
  readonly settings?: Partial<Settings>;
  readonly merchants?: readonly Merchant[];
  readonly keys?: readonly (ApiKey & { readonly hash: string })[];
  /** Reserved is worked out from the orders. */
  readonly wallets?: readonly Partial<Wallet>[];
  /** Open orders, held float and usage are worked out from the orders and added. */
  readonly members?: readonly Member[];
  readonly orders?: readonly Order[];
  readonly feeRules?: readonly TimedFeeRule[];
  readonly rates?: Partial<Record<Currency, Factor>>;
}

/**
 * The service's rows in memory, for tests: commands are decided over them and their changes
 * applied.
 */
export interface World {
  now: Instant;
  readonly settings: Settings;
  readonly merchants: Map<string, Merchant>;
  readonly keys: Map<string, ApiKey>;
  readonly wallets: Map<string, Wallet>;
  readonly members: Map<string, Member>;
  readonly orders: Map<string, Order>;
  readonly replays: Map<string, Replay>;
  readonly adjustments: Map<string, Adjustment>;
  readonly moved: Map<string, MovedAlone>;
  readonly feeRules: TimedFeeRule[];
  readonly rates: Map<Currency, Factor>;
  readonly moves: Move[];
  readonly postings: Posting[];
  readonly deliveries: Delivery[];
  readonly notes: OrderNote[];
  readonly audit: AuditEntry[];
  readonly notices: Notice[];
  /** The rows as they were seeded. */
  readonly opening: {
    readonly wallets: ReadonlyMap<string, Wallet>;
    readonly members: ReadonlyMap<string, Member>;
    readonly orders: ReadonlyMap<string, Order>;
  };
  /**
   * Decides over the rows that the command's keys name, as the engine does, and applies what it
   * changes.
   */
  run<C extends Command>(command: C): Decision<ResultOf<C['kind']>>;
}

const indexBy = <T>(rows: readonly T[], key: (row: T) => string) =>
  new Map(rows.map((row) => [key(row), row]));
const holds = (order: Order) => order.accountId !== null && usesCapacity(order.status);
/** It counts towards its account's day, open or not. */
const counts = (order: Order) => order.accountId !== null && !isFinal(order.status);

export function createWorld(seed: Seed = {}): World {
  const { now = NOW, orders = [], merchants = [merchant()] } = seed;
  const wallets = (seed.wallets ?? [{}]).map((given): Wallet => {
    const merchantId = given.merchantId ?? 'mer1';
    const reserved = orders
      .filter((order) => order.merchantId === merchantId)
      .reduce((sum, order) => sum + reservedBy(order), 0n);
    return { merchantId, balance: 10_000_000n, reserved, frozen: 0n, overdrawn: false, ...given };
  });
  const members = (seed.members ?? []).map((member) =>
    orders
      .filter((order) => counts(order) && order.memberId === member.memberId)
      .reduce(carrying, member),
  );
  const world: World = {
    now,
    settings: { ...SETTINGS, ...seed.settings },
    merchants: indexBy(merchants, ({ merchantId }) => merchantId),
    keys: indexBy(
      seed.keys ?? [{ hash: 'hash of key1', keyId: 'key1', merchantId: 'mer1', revoked: false }],
      ({ hash }) => hash,
    ),
    wallets: indexBy(wallets, ({ merchantId }) => merchantId),
    members: indexBy(members, ({ memberId }) => memberId),
    orders: indexBy(orders, ({ orderId }) => orderId),
    replays: new Map(),
    adjustments: new Map(),
    moved: new Map(),
    feeRules: [...(seed.feeRules ?? [])],
    rates: new Map(Object.entries({ PKR: FACTOR_ONE, ...seed.rates }) as [Currency, Factor][]),
    moves: [],
    postings: [],
    deliveries: [],
    notes: [],
    audit: [],
    notices: [],
    opening: {
      wallets: indexBy(wallets, ({ merchantId }) => merchantId),
      members: indexBy(members, ({ memberId }) => memberId),
      orders: indexBy(orders, ({ orderId }) => orderId),
    },
    run(command) {
      const context: Context = {
        now: world.now,
        newId: () => nextId('id'),
        newReference: () => nextId('ORD-20260115120000'),
        keyedDigest: (digest) => `keyed ${digest}`,
      };
      const decision = decide(command, viewOf(world, keysOf(command)), context);
      apply(world, decision.changes);
      return decision as Decision<ResultOf<(typeof command)['kind']>>;
    },
  };
  let ids = 0;
  const nextId = (prefix: string) => {
    ids += 1;
    return `${prefix}-${String(ids).padStart(6, '0')}`;
  };
  return world;
}

/** The member with an order of the seed. */
function carrying(member: Member, order: Order): Member {
  const day = dayOf(order.holderSince as Instant);
  return {
    ...member,
    openOrders: member.openOrders + (holds(order) ? 1 : 0),
    floatHeld:
      member.floatHeld + (holds(order) && order.orderType === 'Deposit' ? order.floatAmount : 0n),
    accounts: member.accounts.map((own) =>
      own.accountId === order.accountId
        ? { ...own, day, dayAmount: (own.day === day ? own.dayAmount : 0n) + order.floatAmount }
        : own,
    ),
  };
}

const replayKey = (keyId: string, digest: string) => `${keyId} ${digest}`;

function apply(world: World, changes: Changes): void {
  for (const order of [changes.created, changes.order])
    if (order) world.orders.set(order.orderId, order);
  for (const member of changes.members ?? []) world.members.set(member.memberId, member);
  if (changes.wallet) world.wallets.set(changes.wallet.merchantId, changes.wallet);
  if (changes.replay)
    world.replays.set(replayKey(changes.replay.keyId, changes.replay.digest), changes.replay);
  if (changes.adjustment)
    world.adjustments.set(changes.adjustment.adjustmentId, changes.adjustment);
  for (const sum of changes.moved ?? []) world.moved.set(sum.operatorId, sum);
  world.moves.push(...(changes.moves ?? []));
  world.notices.push(...(changes.notices ?? []));
  if (changes.posting) world.postings.push(changes.posting);
  if (changes.delivery) world.deliveries.push(changes.delivery);
  if (changes.note) world.notes.push(changes.note);
  if (changes.audit) world.audit.push(changes.audit);
}

/** The rows that the keys name, and no others: asking for one more throws, as in the engine. */
function viewOf(world: World, keys: Keys): View {
  const { creation, need } = keys;
  const order = keys.orderId === undefined ? undefined : world.orders.get(keys.orderId);
  const settled = keys.settles ? order : undefined;
  const held = keys.settles || keys.releases ? order : undefined;
  const ask = <T>(what: string, named: boolean, row: T): T => {
    if (!named) throw new Error(`the command's keys do not name ${what}`);
    return row;
  };
  const must = <T>(what: string, named: boolean, row: T | undefined): T => {
    if (ask(what, named, row) === undefined) throw new Error(`there is no ${what}`);
    return row as T;
  };
  const all = () => [...world.orders.values()];
  const termsOf = (merchantId: string) =>
    merchantId === creation?.merchantId || merchantId === keys.termsOf;
  return {
    settings: world.settings,
    apiKey: (hash) => ask('the API key', hash === creation?.apiKeyHash, world.keys.get(hash)),
    replay: (keyId, digest) =>
      ask(
        'the replay',
        keyId === creation?.keyId && digest === creation.digest,
        world.replays.get(replayKey(keyId, digest)),
      ),
    boundOrder: (keyId, idempotencyKey) =>
      ask(
        'the bound order',
        keyId === creation?.keyId && idempotencyKey === creation.idempotencyKey,
        all().find((each) => each.apiKeyId === keyId && each.idempotencyKey === idempotencyKey),
      ),
    liveOrder: (merchantId, reference) =>
      ask(
        'the live order',
        (merchantId === creation?.merchantId && reference === creation.merchantOrderRef) ||
          (merchantId === settled?.merchantId && reference === settled.merchantOrderRef),
        (
          all().find(
            (each) => each.merchantId === merchantId && each.liveReference === reference,
          ) ??
          all().find(
            (each) =>
              each.merchantId === merchantId &&
              each.merchantOrderRef === reference &&
              each.completedAt !== null,
          )
        )?.orderReference,
      ),
    completedBy: ({ orderId, accountId }, transaction) =>
      ask(
        'the transaction',
        transaction === keys.transaction,
        all().find(
          (each) =>
            each.orderId !== orderId &&
            each.accountId === accountId &&
            hasSucceeded(each.status) &&
            each.memberTransactionReference !== null &&
            transactionKey(each.memberTransactionReference) === transaction,
        )?.orderReference,
      ),
    order: (orderId) =>
      ask(`order ${orderId}`, orderId === keys.orderId, world.orders.get(orderId)),
    notes: (orderId) =>
      ask(
        `the notes of ${orderId}`,
        orderId === keys.orderId && keys.notes === true,
        world.notes.filter((note) => note.orderId === orderId),
      ),
    merchant: (merchantId) =>
      must(`merchant ${merchantId}`, termsOf(merchantId), world.merchants.get(merchantId)),
    wallet: (merchantId) =>
      must(
        `wallet ${merchantId}`,
        merchantId === keys.walletOf || merchantId === settled?.merchantId,
        world.wallets.get(merchantId),
      ),
    member: (memberId) =>
      ask(
        `member ${memberId}`,
        memberId === held?.memberId ||
          memberId === keys.actingMemberId ||
          keys.memberIds?.includes(memberId) === true,
        world.members.get(memberId),
      ),
    adjustment: (adjustmentId) =>
      ask(
        `adjustment ${adjustmentId}`,
        adjustmentId === keys.adjustmentId,
        world.adjustments.get(adjustmentId),
      ),
    movedAlone: (operatorId) =>
      ask(
        `the sum of ${operatorId}`,
        keys.sumsOf?.includes(operatorId) ?? false,
        world.moved.get(operatorId) ?? { operatorId, day: 0, amount: 0n },
      ),
    feeRules: (merchantId, at) =>
      ask(
        'the fee rules',
        termsOf(merchantId),
        world.feeRules.filter(
          ({ validFrom = Number.NEGATIVE_INFINITY, validUntil = Number.POSITIVE_INFINITY }) =>
            validFrom <= at && validUntil > at,
        ),
      ),
    rate: (currency) =>
      ask(
        'the rates',
        creation !== undefined || keys.termsOf !== undefined,
        world.rates.get(currency),
      ),
    findMember(asked, at, instead) {
      ask(
        'a need',
        need?.orderType === asked.orderType && need.walletType === asked.walletType,
        undefined,
      );
      const candidates = [...world.members.values()]
        .map((each) => (each.memberId === instead?.memberId ? instead : each))
        .toSorted(byTurn);
      return chooseMember(candidates, asked, at, (accountId, amount) =>
        all().some(
          (each) =>
            each.orderType === 'Deposit' &&
            holds(each) &&
            each.accountId === accountId &&
            payableAmount(each) === amount,
        ),
      );
    },
  };
}
