import {
  adjustmentMoves,
  dayOf,
  formatMoney,
  hasFailed,
  hasSucceeded,
  type Instant,
  isFinal,
  isLegacy,
  lifecycleOf,
  type Money,
  movesTo,
  type Order,
  reservedBy,
  serves,
  settlementOf,
  stageOf,
  usesCapacity,
} from '../index.ts';
import type { World } from './memory-view.ts';

/**
 * Throws at the first of the service's money and order invariants that the world breaks, by its
 * number.
 */
export function checkInvariants(world: World): void {
  checkWallets(world);
  checkPostings(world);
  checkAdjustments(world);
  checkMembers(world);
  for (const order of world.orders.values()) checkOrder(order, world);
  checkReferences(world);
}

function hold(number: string, kept: boolean, what: string): void {
  if (!kept) throw new Error(`${number} is broken: ${what}`);
}

const sum = (amounts: readonly Money[]): Money =>
  amounts.reduce((total, amount) => total + amount, 0n);
const orderList = (world: World) => [...world.orders.values()];

/**
 * The money that this world's commands have settled: an order completed in the seed was settled
 * before it began.
 */
const settledHere = (order: Order, world: World) =>
  hasSucceeded(order.status) &&
  !hasSucceeded(world.opening.orders.get(order.orderId)?.status ?? 'Awaiting');

function checkWallets(world: World): void {
  for (const wallet of world.wallets.values()) {
    const { merchantId } = wallet;
    const opening = world.opening.wallets.get(merchantId) ?? { balance: 0n, frozen: 0n };
    const postings = world.postings.filter((posting) => posting.merchantId === merchantId);
    const orders = orderList(world).filter((order) => order.merchantId === merchantId);
    const moved = orders
      .filter((order) => settledHere(order, world))
      .map((order) =>
        order.orderType === 'Deposit' ? order.settlementAmount : -order.settlementAmount,
      );
    const adjusted = postings
      .filter(({ kind }) => kind !== 'settlement')
      .map((posting) => posting.wallet);
    const name = `wallet ${merchantId}`;
    hold(
      'I1',
      wallet.balance === opening.balance + sum(postings.map((posting) => posting.wallet)),
      `${name} is not the sum of its postings`,
    );
    hold(
      'I1',
      wallet.frozen === opening.frozen + sum(postings.map((posting) => posting.frozen)),
      `${name}: frozen is not the sum of its postings`,
    );
    hold(
      'I2',
      wallet.balance === opening.balance + sum(moved) + sum(adjusted),
      `${name} is not what its orders and adjustments say`,
    );
    hold(
      'I3',
      wallet.reserved === sum(orders.map(reservedBy)),
      `${name} reserves ${formatMoney(wallet.reserved)}`,
    );
    hold(
      'states.md#late-confirmations',
      wallet.overdrawn === wallet.balance < wallet.reserved,
      `${name}: overdrawn is ${wallet.overdrawn}`,
    );
    hold('security.md#two-operators', wallet.frozen >= 0n, `${name}: frozen is negative`);
  }
}

function checkPostings(world: World): void {
  for (const posting of world.postings) {
    const { wallet, frozen, memberFloat, fees, adjustments } = posting;
    hold(
      'I11',
      wallet + frozen + memberFloat + fees + adjustments === 0n,
      `posting ${posting.postingId} does not sum to zero`,
    );
    hold(
      'I11',
      memberFloat === 0n || posting.memberId !== null,
      `posting ${posting.postingId} moves nobody's float`,
    );
  }
}

function checkAdjustments(world: World): void {
  const applied = [...world.adjustments.values()].filter(({ status }) => status === 'applied');
  const posted = world.postings.filter(({ kind }) => kind !== 'settlement' && kind !== 'float');
  hold('I15', applied.length === posted.length, 'an adjustment lacks its posting, or the reverse');
  for (const { adjustmentId, merchantId, kind, amount } of applied) {
    const posting = posted.find(({ postingId }) => postingId === adjustmentId);
    const moves = { merchantId, kind, ...adjustmentMoves(kind, amount) };
    hold(
      'I15',
      posting !== undefined &&
        Object.entries(moves).every(
          ([name, value]) => posting[name as keyof typeof moves] === value,
        ),
      `the posting of adjustment ${adjustmentId}`,
    );
  }
}

function checkMembers(world: World): void {
  const orders = orderList(world);
  for (const member of world.members.values()) {
    const name = `member ${member.memberId}`;
    const opening = world.opening.members.get(member.memberId)?.floatBalance ?? 0n;
    const held = orders.filter(
      (order) => order.memberId === member.memberId && usesCapacity(order.status),
    );
    const floated = world.postings
      .filter((posting) => posting.memberId === member.memberId)
      .map((posting) => posting.memberFloat);
    const deposits = held
      .filter(({ orderType }) => orderType === 'Deposit')
      .map(({ floatAmount }) => floatAmount);
    hold(
      'S10',
      member.openOrders === held.length,
      `${name} has ${held.length} open orders and counts ${member.openOrders}`,
    );
    hold(
      'states.md#who-gets-an-order',
      member.floatHeld === sum(deposits),
      `${name} holds ${formatMoney(member.floatHeld)}`,
    );
    hold(
      'states.md#who-gets-an-order',
      member.floatBalance === opening + sum(floated),
      `${name}: float is not the sum of its postings`,
    );
    hold(
      'states.md#late-confirmations',
      member.floatOverdrawn === member.floatBalance < member.floatHeld,
      `${name}: floatOverdrawn is ${member.floatOverdrawn}`,
    );
    for (const account of member.accounts) {
      const used = orders
        .filter(
          (order) =>
            order.accountId === account.accountId &&
            order.failedAt === null &&
            dayOf(order.holderSince as Instant) === account.day,
        )
        .map(({ floatAmount }) => floatAmount);
      hold(
        'S10',
        account.dayAmount === sum(used),
        `account ${account.accountId} counts ${formatMoney(account.dayAmount)} and took ${formatMoney(sum(used))}`,
      );
    }
  }
}

function checkOrder(order: Order, world: World): void {
  const name = `${order.orderType} ${order.orderId} (${order.status})`;
  hold(
    'I5',
    order.fee === null ||
      (order.fee >= 0n && (order.orderType === 'Withdrawal' || order.fee <= order.amount)),
    `${name}: fee`,
  );
  checkSettlement(order, name, world);
  checkHistory(order, name, world);
  checkStamps(order, name);
  checkHolder(order, name, world);
  if (!isLegacy(order.status))
    hold(
      'S8',
      isFinal(order.status) || order.status === 'ManualReview'
        ? order.dueAt === null
        : order.dueAt !== null,
      `${name}: dueAt is ${order.dueAt}`,
    );
}

function checkSettlement(order: Order, name: string, world: World): void {
  const postings = world.postings.filter((posting) => posting.orderId === order.orderId);
  const { settlementAmount, floatAmount } = settlementOf(order);
  hold(
    'I14',
    order.settlementAmount === settlementAmount && order.floatAmount === floatAmount,
    `${name} settles ${formatMoney(order.settlementAmount)}`,
  );
  hold('I7', postings.length <= 1, `${name} is settled ${postings.length} times`);
  hold(
    'I8',
    postings.length === (settledHere(order, world) ? 1 : 0),
    `${name} has ${postings.length} settlements`,
  );
  for (const posting of postings) {
    const sign = order.orderType === 'Deposit' ? 1n : -1n;
    hold(
      'I8',
      posting.wallet === sign * order.settlementAmount,
      `${name}: the wallet moved by ${formatMoney(posting.wallet)}`,
    );
    const [share, rest] =
      posting.memberId === null
        ? [posting.adjustments, posting.memberFloat]
        : [posting.memberFloat, posting.adjustments];
    hold(
      'I14',
      share === -sign * order.floatAmount && rest === 0n && posting.frozen === 0n,
      `${name}: the float moved by ${formatMoney(posting.memberFloat)}`,
    );
    hold(
      'I13',
      posting.memberId === order.memberId ||
        (posting.memberId === null && !world.members.has(order.memberId ?? '')),
      `${name} is settled with ${posting.memberId}, not with ${order.memberId}`,
    );
    hold(
      'I10',
      posting.fees >= 0n && (posting.fees === 0n || order.fee !== null),
      `${name}: ${formatMoney(posting.fees)} in fees`,
    );
    hold(
      'I10',
      order.currency !== 'PKR' || posting.fees === (order.fee ?? 0n),
      `${name}: ${formatMoney(posting.fees)} in fees`,
    );
  }
  for (const delivery of world.deliveries.filter(
    (each) => each.subjectId === order.orderId && each.eventType === 'order.completed',
  )) {
    hold(
      'I10',
      delivery.body.includes(`"fee":${order.fee === null ? 'null' : formatMoney(order.fee)},`),
      `${name}: the webhook has another fee`,
    );
  }
}

function checkHistory(order: Order, name: string, world: World): void {
  const moves = world.moves.filter((move) => move.orderId === order.orderId);
  const opening = world.opening.orders.get(order.orderId);
  let at = opening?.status ?? order.createdStatus;
  let number = opening?.moves ?? 0;
  if (opening === undefined)
    hold(
      'S1',
      movesTo(order.orderType, null, 'created').includes(at),
      `${name} was created as ${at}`,
    );
  for (const move of moves) {
    hold(
      'S1',
      move.from === at && move.number === number + 1,
      `${name}: the history has a gap before move ${move.number}`,
    );
    hold(
      'S1',
      movesTo(order.orderType, move.from, move.trigger).includes(move.to),
      `${name}: ${move.from} --${move.trigger}--> ${move.to}`,
    );
    hold(
      'S2',
      !isFinal(move.from) ||
        (hasFailed(move.from) && move.to === 'Completed' && move.actor.kind === 'operator'),
      `${name} left ${move.from}`,
    );
    at = move.to;
    number = move.number;
  }
  hold('S1', order.status === at && order.moves === number, `${name}: the history ends in ${at}`);
  const outcomes = moves.filter(({ to }) => isFinal(to)).length;
  const sent = world.deliveries.filter((delivery) => delivery.subjectId === order.orderId).length;
  hold('W1', sent === outcomes, `${name}: ${outcomes} outcomes, ${sent} deliveries`);
}

function checkStamps(order: Order, name: string): void {
  const {
    createdAt,
    awaitingAt,
    assignedAt,
    sentAt,
    completedAt,
    failedAt,
    rejectedAt,
    cancelledAt,
  } = order;
  const inOrder = (...stamps: (Instant | null)[]) =>
    stamps
      .filter((stamp) => stamp !== null)
      .every((stamp, at, all) => at === 0 || stamp >= (all[at - 1] as Instant));
  hold(
    'S4',
    inOrder(createdAt, awaitingAt, assignedAt, sentAt, completedAt),
    `${name}: stamps towards completion`,
  );
  hold(
    'S4',
    inOrder(createdAt, awaitingAt, assignedAt, failedAt, completedAt),
    `${name}: stamps towards failure`,
  );
  hold('S4', hasSucceeded(order.status) === (completedAt !== null), `${name}: completedAt`);
  hold('S4', !hasFailed(order.status) || failedAt !== null, `${name}: failedAt`);
  hold(
    'merchant-api.md#order-status',
    rejectedAt === null || rejectedAt === failedAt,
    `${name}: rejectedAt`,
  );
  hold(
    'merchant-api.md#order-status',
    cancelledAt === null || cancelledAt === failedAt,
    `${name}: cancelledAt`,
  );
  hold('S3', lifecycleOf(order).stage === stageOf(order), `${name}: stage`);
}

function checkHolder(order: Order, name: string, world: World): void {
  hold(
    'S9',
    order.reassignments <= order.maxRetryCount &&
      order.formerMemberIds.length === order.reassignments,
    `${name}: reassignments`,
  );
  hold(
    'S9',
    isFinal(order.status) ||
      order.memberId === null ||
      order.formerMemberIds.at(-1) !== order.memberId,
    `${name}: it was reassigned to its holder`,
  );
  if (order.accountId === null) return;
  const account = world.members
    .get(order.memberId ?? '')
    ?.accounts.find(({ accountId }) => accountId === order.accountId);
  hold('S9', account !== undefined, `${name}: the account is not its member's`);
  hold(
    'S9',
    account !== undefined && serves(account, order),
    `${name}: the account does not serve ${order.walletType}`,
  );
}

/** Those that an operator confirmed late aside (decision 6). */
function checkReferences(world: World): void {
  const live = orderList(world).filter(
    (order) =>
      order.merchantOrderRef !== null && !hasFailed(order.status) && order.failedAt === null,
  );
  const owners = orderList(world).filter((order) => order.liveReference !== null);
  const key = (order: Order) => `${order.merchantId} ${order.merchantOrderRef}`;
  hold(
    'S5',
    new Set(live.map(key)).size === live.length,
    'two orders in progress or completed have one reference',
  );
  hold('S5', new Set(owners.map(key)).size === owners.length, 'two orders own one reference');
  hold(
    'S5',
    live.every((order) => order.liveReference === order.merchantOrderRef),
    'a live order does not own its reference',
  );
  hold(
    'S5',
    owners.every((order) => !hasFailed(order.status)),
    'a failed order owns its reference',
  );
  const lastCreated = new Map<string, number>();
  for (const order of orderList(world))
    lastCreated.set(key(order), Math.max(order.createdAt, lastCreated.get(key(order)) ?? 0));
  hold(
    'S5',
    orderList(world).every(
      (order) =>
        order.merchantOrderRef === null ||
        order.completedAt === null ||
        order.completedAt >= (lastCreated.get(key(order)) ?? 0),
    ),
    'an order was created with the reference of a completed one',
  );
}
