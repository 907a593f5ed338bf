import type { Units } from './arithmetic.ts';
import { floatOf, payableOf } from './money.ts';
import type { Holder, Model, ModelAccount, ModelMember, ModelOrder } from './state.ts';
import { DAY, isOver, METHOD, type Method } from './tables.ts';

/** The orders that a member holds: from the assignment until the end, review included. */
export const heldBy = (model: Model, member: string, but?: ModelOrder): readonly ModelOrder[] =>
  model.orders.filter(
    (order) =>
      order.member === member &&
      order !== but &&
      order.memberAccount !== null &&
      !isOver(order.status),
  );

export const heldOf = (orders: readonly ModelOrder[]): Units =>
  orders.reduce((sum, order) => (order.terms.kind === 'Deposit' ? sum + floatOf(order) : sum), 0n);

/** What counts toward an account's daily limit on a UTC day. */
export function usedToday(model: Model, account: string, but?: ModelOrder): Units {
  const today = Math.floor(model.now / DAY);
  let sum = 0n;
  for (const order of model.orders) {
    for (const take of order.takes) {
      if (take.account !== account || take.returned || Math.floor(take.at / DAY) !== today)
        continue;
      if (order === but && take === order.takes.at(-1)) continue;
      sum += floatOf(order);
    }
  }
  return sum;
}

interface Asked {
  readonly method: Method;
  readonly excluded: readonly string[];
}

/** Every account that may serve the order now, as if nobody held it yet. */
export function eligible(
  model: Model,
  order: ModelOrder,
  { method = order.method, excluded = [] }: Partial<Asked> = {},
): readonly Holder[] {
  const deposit = order.terms.kind === 'Deposit';
  const needed = floatOf(order);
  const found: { holder: Holder; open: number; last: number; hasEqual: boolean }[] = [];
  for (const [name, member] of Object.entries(model.members)) {
    if (!member.online || !member.active || excluded.includes(name)) continue;
    const own = heldBy(model, name, order);
    if (own.length >= member.maxOpenOrders) continue;
    if (deposit && member.float - heldOf(own) < needed) continue;
    for (const [account, row] of accountsFor(member, deposit, method)) {
      if (row.currencies?.includes(order.terms.currency) === false) continue;
      if (row.minimum !== null && needed < row.minimum) continue;
      if (row.maximum !== null && needed > row.maximum) continue;
      if (row.daily !== null && usedToday(model, account, order) + needed > row.daily) continue;
      const hasEqual =
        deposit &&
        own.some(
          (each) =>
            each.terms.kind === 'Deposit' &&
            each.memberAccount === account &&
            payableOf('Deposit', each.amount) === payableOf('Deposit', order.amount),
        );
      found.push({
        holder: { member: name, account },
        open: own.length,
        last: member.lastAssigned ?? Number.NEGATIVE_INFINITY,
        hasEqual,
      });
    }
  }
  const withoutEqual = found.filter(({ hasEqual }) => !hasEqual);
  const pool = withoutEqual.length > 0 ? withoutEqual : found;
  if (!model.turnsKept) return pool.map(({ holder }) => holder);
  const fewest = Math.min(...pool.map(({ open }) => open));
  const least = pool.filter(({ open }) => open === fewest);
  const longest = Math.min(...least.map(({ last }) => last));
  return least.filter(({ last }) => last === longest).map(({ holder }) => holder);
}

/** A deposit: exactly the method. A withdrawal: any account with the provider. */
const accountsFor = (
  member: ModelMember,
  deposit: boolean,
  method: Method,
): readonly [string, ModelAccount][] =>
  Object.entries(member.accounts).filter(
    ([, row]) =>
      row.approved &&
      (deposit ? row.method === method : METHOD[row.method].provider === METHOD[method].provider),
  );

/** Assigns the order. */
export function take(model: Model, order: ModelOrder, { member, account }: Holder): void {
  order.member = member;
  order.memberAccount = account;
  order.assignedAt ??= model.now;
  order.takes.push({ member, account, at: model.now, returned: false });
  (model.members[member] as ModelMember).lastAssigned = model.now;
}

/** Takes the order from its holder and frees its share of the account's daily limit. */
export function giveBack(order: ModelOrder): void {
  const last = order.takes.at(-1);
  if (last !== undefined && order.memberAccount !== null) last.returned = true;
  order.member = null;
  order.memberAccount = null;
}
