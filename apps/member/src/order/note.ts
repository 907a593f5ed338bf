import {
  MEMBER_NOTE_MONEY_SEEN,
  MEMBER_NOTE_OTHER_AMOUNT,
  MEMBER_START_SENDING,
} from '@munshi/api';
import { texts } from '../language.ts';
import { refusalText } from '../refusals.ts';
import { write } from '../session.ts';
import { learnOrder } from '../work/known.ts';
import type { Order } from '../work/orders.ts';

/** Notes to operators, which change neither money nor status: sent at once, and not kept. */

type Note =
  | { readonly kind: 'otherAmount'; readonly amount: string }
  | { readonly kind: 'moneySeen' | 'sending' };

/** Answers what went wrong, in the member's language; null: they know. */
export async function sendNote({ orderId }: Order, note: Note): Promise<string | null> {
  const outcome = await ask({ orderId }, note);
  if (outcome === undefined) return texts.value.signIn.unreachable;
  if (!outcome.ok) return refusalText(outcome.refusal.code);
  learnOrder(outcome.answer.data);
  return null;
}

function ask(params: { readonly orderId: string }, note: Note) {
  if (note.kind === 'otherAmount')
    return write(MEMBER_NOTE_OTHER_AMOUNT, { params, body: { receivedAmount: note.amount } });
  if (note.kind === 'moneySeen') return write(MEMBER_NOTE_MONEY_SEEN, { params, body: {} });
  return write(MEMBER_START_SENDING, { params });
}
