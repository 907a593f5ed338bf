import {
  ADDED_KINDS,
  type AddedKind,
  type AddedRowOf,
  type ApiKey,
  byTurn,
  type Changes,
  type Command,
  type Context,
  type Currency,
  chooseMember,
  type Decision,
  dayOf,
  decide,
  type Factor,
  type FeeRule,
  forEachKind,
  hasSucceeded,
  type Instant,
  isFinal,
  type Keys,
  keysOf,
  lookAt,
  type Member,
  type Merchant,
  type Names,
  type Notice,
  notNamed,
  type Order,
  type Replay,
  type ResultOf,
  ROW_KINDS,
  ROWS,
  type RowKind,
  type RowOf,
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

type Tables = { readonly [Kind in RowKind]: Map<string, RowOf<Kind>> };
type AddedRows = { readonly [Kind in AddedKind]: AddedRowOf<Kind>[] };

/**
 * The service's rows in memory, for tests: commands are decided over them and their changes
 * applied.
 */
export interface World extends Tables, AddedRows {
  now: Instant;
  readonly settings: Settings;
  readonly merchants: Map<string, Merchant>;
  readonly keys: Map<string, ApiKey>;
  readonly replays: Map<string, Replay>;
  readonly feeRules: TimedFeeRule[];
  readonly rates: Map<Currency, Factor>;
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
    ...forEachKind<Tables>(() => new Map()),
    ...(Object.fromEntries(ADDED_KINDS.map((kind) => [kind, []])) as unknown as AddedRows),
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
    feeRules: [...(seed.feeRules ?? [])],
    rates: new Map(Object.entries({ PKR: FACTOR_ONE, ...seed.rates }) as [Currency, Factor][]),
    notices: [],
    opening: {
      wallets: indexBy(wallets, ({ merchantId }) => merchantId),
      members: indexBy(members, ({ memberId }) => memberId),
      orders: indexBy(orders, ({ orderId }) => orderId),
    },
    run(command) {
      const context: Context = {
        now: world.now,
        newId: <Id extends string>() => nextId('id') as Id,
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
  const { created, replay } = changes;
  if (created) world.orders.set(created.orderId, created);
  if (replay) world.replays.set(replayKey(replay.keyId, replay.digest), replay);
  for (const kind of ROW_KINDS)
    for (const row of changes[kind] ?? [])
      world[kind].set(ROWS[kind].keyOf(row as never), row as never);
  for (const kind of ADDED_KINDS) world[kind].push(...((changes[kind] ?? []) as never[]));
  world.notices.push(...(changes.notices ?? []));
}

/** The rows that the keys name, and no others: asking for one more throws, as in the engine. */
function viewOf(world: World, keys: Keys): View {
  const { creation, need } = keys;
  const named = (keys.orders ?? []).flatMap((orderId) => world.orders.get(orderId) ?? []);
  const settled = keys.settles ? named : [];
  const held = keys.settles || keys.releases ? named : [];
  const names: Partial<Names> = {
    ...keys,
    wallets: [...(keys.wallets ?? []), ...settled.map(({ merchantId }) => merchantId)],
    members: [
      ...(keys.members ?? []),
      ...(keys.actingMemberId === undefined ? [] : [keys.actingMemberId]),
      ...held.flatMap(({ memberId }) => memberId ?? []),
    ],
  };
  function expectNamed(kind: RowKind, name: string) {
    if (names[kind]?.includes(name) !== true) throw notNamed(kind, name);
  }
  const ask = <T>(what: string, named: boolean, row: T): T => {
    if (!named) throw new Error(`the command's keys do not name ${what}`);
    return row;
  };
  const all = () => [...world.orders.values()];
  const termsOf = (merchantId: string) =>
    merchantId === creation?.merchantId || merchantId === keys.termsOf;
  return {
    ...lookAt(world, expectNamed),
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
          settled.some(
            (each) => merchantId === each.merchantId && reference === each.merchantOrderRef,
          ),
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
    merchant: (merchantId) =>
      ask(
        `merchant ${merchantId}`,
        termsOf(merchantId),
        world.merchants.get(merchantId),
      ) as Merchant,
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
