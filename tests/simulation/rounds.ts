import { type ActKind, actOf } from './acts.ts';
import { chanceOf } from './chance.ts';
import { bodied, creationOf } from './creations.ts';
import type { Create } from './model/creation.ts';
import type { Act } from './model/index.ts';
import type { Model } from './model/state.ts';
import { orderOf, USUAL } from './steps.ts';

/** Requests that are sent at once, and how far the clock is moved among them, in milliseconds. */
export interface Round {
  readonly acts: readonly Act[];
  readonly tick: number;
}

/** What is done with one order, or around it, at once. */
const AROUND: readonly ActKind[] = [
  'open',
  'switch',
  'payer',
  'confirm-payment',
  'account',
  'cancel-by-customer',
  'member-confirm',
  'member-reject',
  'member-report',
  'member-release',
  'member-note',
  'member-money-seen',
  'member-sending',
  'member-seen',
  'evidence',
  'operator-cancel',
  'operator-escalate',
  'operator-resolve',
  'operator-confirm',
  'presence',
  'member-status',
  'capacity',
  'member-account',
  'float',
  'adjust',
  'approve',
  'decline',
  'merchant-status',
  'merchant-methods',
  'revoke-key',
];

/**
 * What may be set at the moment of a creation: it is before the change or after it, with all that
 * follows (decision 1).
 */
const SET_MEANWHILE: readonly ActKind[] = [
  'merchant-status',
  'merchant-status',
  'merchant-methods',
  'revoke-key',
  'member-status',
];

/**
 * Reads a round where the model stands: mostly many at one order, or many creations that are in
 * each other's way.
 */
export function roundOf(model: Model, seed: number, size: number): Round {
  const chance = chanceOf(seed);
  const count = 2 + chance.number(size - 1);
  const order = orderOf(model, chance);
  if (order === undefined || chance.oneIn(3)) {
    const first = creationOf(model, chance) as Create;
    const acts = Array.from({ length: count }, (_, at): Act => {
      const own = chanceOf(seed + at);
      if (order !== undefined && at > 0 && own.oneIn(8))
        return actOf(model, order, own.pick(SET_MEANWHILE), own);
      return at === 0 ? first : rivalOf(model, first, own, at);
    });
    return { acts, tick: 0 };
  }
  const usual = (USUAL[order.status] ?? AROUND).filter((kind) => AROUND.includes(kind));
  const acts = Array.from({ length: count }, (_, at): Act => {
    const own = chanceOf(seed + 1_000 * (at + 1));
    if (own.oneIn(6)) return creationOf(model, own);
    const target = own.oneIn(4) ? (orderOf(model, own) ?? order) : order;
    return actOf(model, target, own.oneIn(3) ? own.pick(AROUND) : own.pick(usual), own);
  });
  return { acts, tick: chance.oneIn(2) ? tickTo(model, order.dueAt) : 0 };
}

/** So far that at most two deadlines come: each of them may come before or after every request. */
function tickTo({ now, orders }: Model, dueAt: number | null): number {
  if (dueAt === null || dueAt <= now) return 0;
  const due = orders.filter((order) => order.dueAt !== null && order.dueAt <= dueAt);
  return due.length <= 2 ? dueAt - now : 0;
}

/**
 * A creation in the way of another: the same again, the same body or key, the same reference, or
 * for the same money and members.
 */
function rivalOf(
  model: Model,
  first: Create,
  chance: ReturnType<typeof chanceOf>,
  at: number,
): Create {
  switch (chance.number(5)) {
    case 0:
      return first;
    case 1:
      return { ...first, idempotencyKey: `${first.idempotencyKey} ${at}` };
    case 2:
      return {
        ...(creationOf(model, chance) as Create),
        merchant: first.merchant,
        key: first.key,
        idempotencyKey: first.idempotencyKey,
      };
    case 3:
      return marked(
        {
          ...first,
          idempotencyKey: `${first.idempotencyKey} ${at}`,
          terms: { ...first.terms, reference: 'R0' },
        },
        at,
      );
    default:
      return marked({ ...first, idempotencyKey: `${first.idempotencyKey} ${at}` }, at);
  }
}

/** With a body of its own. */
const marked = (act: Create, at: number): Create =>
  bodied(act, `${act.body.slice(act.body.lastIndexOf(' ') + 1)}-${at}`);
