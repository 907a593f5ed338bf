import type { Units } from './arithmetic.ts';
import { floatOf } from './money.ts';
import type { Hand, Model, ModelAccount, ModelMember, ModelOrder } from './state.ts';
import { DAY, isOver, METHOD, type Method } from './tables.ts';

/** Orders in a member's hands: from the assignment until the end, review included. */
export const inHands = (model: Model, member: string, but?: ModelOrder): readonly ModelOrder[] =>
  model.orders.filter(
    (order) =>
      order.member === member &&
      order !== but &&
      order.memberAccount !== null &&
      !isOver(order.status),
  );

export const heldOf = (orders: readonly ModelOrder[]): Units =>
  orders.reduce((sum, order) => (order.terms.kind === 'Deposit' ? sum + floatOf(order) : sum), 0n);

/** What an account has taken on in the UTC day of now. */
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

/**
 * Every hand that the order may be put into now, the order itself taken out of the hands that have
 * it (D26, D27, D28).
 */
export function eligible(
  model: Model,
  order: ModelOrder,
  { method = order.method, excluded = [] }: Partial<Asked> = {},
): readonly Hand[] {
  const deposit = order.terms.kind === 'Deposit';
  const needed = floatOf(order);
  const found: { hand: Hand; open: number; last: number; twin: boolean }[] = [];
  for (const [name, member] of Object.entries(model.members)) {
    if (!member.online || !member.active || excluded.includes(name)) continue;
    const own = inHands(model, name, order);
    if (own.length >= member.maxOpenOrders) continue;
    if (deposit && member.float - heldOf(own) < needed) continue;
    for (const [account, row] of accountsFor(member, deposit, method)) {
      if (row.minimum !== null && needed < row.minimum) continue;
      if (row.maximum !== null && needed > row.maximum) continue;
      if (row.daily !== null && usedToday(model, account, order) + needed > row.daily) continue;
      const twin =
        deposit &&
        own.some(
          (each) =>
            each.terms.kind === 'Deposit' &&
            each.memberAccount === account &&
            each.amount === order.amount,
        );
      found.push({
        hand: { member: name, account },
        open: own.length,
        last: member.lastAssigned ?? Number.NEGATIVE_INFINITY,
        twin,
      });
    }
  }
  const apart = found.filter(({ twin }) => !twin);
  const pool = apart.length > 0 ? apart : found;
  if (!model.turnsKept) return pool.map(({ hand }) => hand);
  const fewest = Math.min(...pool.map(({ open }) => open));
  const least = pool.filter(({ open }) => open === fewest);
  const longest = Math.min(...least.map(({ last }) => last));
  return least.filter(({ last }) => last === longest).map(({ hand }) => hand);
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

/** Puts the order into that hand. */
export function take(model: Model, order: ModelOrder, { member, account }: Hand): void {
  order.member = member;
  order.memberAccount = account;
  order.assignedAt ??= model.now;
  order.takes.push({ member, account, at: model.now, returned: false });
  (model.members[member] as ModelMember).lastAssigned = model.now;
}

/** Takes the order out of the hand that has it, with what it took of the account's day. */
export function giveBack(order: ModelOrder): void {
  const last = order.takes.at(-1);
  if (last !== undefined && order.memberAccount !== null) last.returned = true;
  order.member = null;
  order.memberAccount = null;
}
