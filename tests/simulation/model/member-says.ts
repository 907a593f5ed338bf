import { payableOf } from './money.ts';
import { type Model, type ModelNote, type ModelOrder, no, ok, type Verdict } from './state.ts';

/** What a member says or hands in about an order, which stays where it is. */
export type MemberSaying =
  | {
      readonly act: 'member-sending' | 'member-money-seen' | 'member-seen';
      readonly order: number;
      readonly member: string;
    }
  | {
      readonly act: 'member-note';
      readonly order: number;
      readonly member: string;
      /** By how many ten-thousandths what arrived is more than the order's amount. */
      readonly more: number;
      readonly text: string;
    }
  | {
      readonly act: 'evidence';
      readonly order: number;
      readonly member: string;
      readonly picture: number;
    };

const PICTURES_MAX = 5;
const CALLING = ['AwaitingMemberPayout', 'AwaitingMemberConfirmation'];

export function say(model: Model, order: ModelOrder, asked: MemberSaying): Verdict {
  const { member } = asked;
  if (order.member !== member && !order.former.includes(member)) return no('not-found');
  switch (asked.act) {
    case 'evidence':
      return handIn(order, member, asked.picture);
    case 'member-seen':
      if (order.member === member && CALLING.includes(order.status)) look(model, order, member);
      return ok(order);
    case 'member-sending':
      return sending(model, order, member);
    case 'member-money-seen':
      if (order.member !== member || order.terms.kind !== 'Deposit') return no('state');
      if (order.status !== 'Queued' && order.status !== 'AwaitingCustomerPayment')
        return no('state');
      return keep(order, { by: member, kind: 'moneySeen', amount: null, text: '', at: model.now });
    case 'member-note': {
      if (order.member !== member || order.terms.kind !== 'Deposit') return no('state');
      if (order.status !== 'AwaitingMemberConfirmation') return no('state');
      const amount = order.amount + BigInt(asked.more);
      if (asked.more === 0 || amount === payableOf('Deposit', order.amount)) return no('beyond');
      const { text } = asked;
      return keep(order, { by: member, kind: 'otherAmount', amount, text, at: model.now });
    }
  }
}

/** The first time counts, once for each time that they have the order. */
function look(model: Model, order: ModelOrder, member: string): void {
  const since = order.takes.at(-1)?.at ?? 0;
  if ((order.seen[member] ?? Number.NEGATIVE_INFINITY) < since) order.seen[member] = model.now;
}

/** Keeps a note once, however often it is said. */
function keep(order: ModelOrder, note: ModelNote): Verdict {
  const isSame = ({ by, kind, amount, text }: ModelNote) =>
    by === note.by && kind === note.kind && amount === note.amount && text === note.text;
  if (!order.notes.some(isSame)) order.notes.push(note);
  return ok(order);
}

/** The deadline moves by the grace, once for each time that they have the order. */
function sending(model: Model, order: ModelOrder, member: string): Verdict {
  if (order.member !== member || order.status !== 'AwaitingMemberPayout') return no('state');
  const since = order.takes.at(-1)?.at ?? 0;
  const said = order.notes.some(
    (note) => note.by === member && note.kind === 'sending' && note.at >= since,
  );
  if (said) return ok(order);
  if (order.dueAt !== null && model.now >= order.dueAt) return no('state');
  order.notes.push({ by: member, kind: 'sending', amount: null, text: '', at: model.now });
  if (order.dueAt !== null) order.dueAt += model.graceMs;
  return ok(order);
}

/** The same picture again is the first; there are at most five of a member. */
function handIn(order: ModelOrder, member: string, picture: number): Verdict {
  const own = order.evidence[member] ?? [];
  if (own.includes(picture)) return ok(order);
  if (own.length >= PICTURES_MAX) return no('state');
  order.evidence[member] = [...own, picture];
  return ok(order);
}
