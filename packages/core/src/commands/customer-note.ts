import { wrongPayerName, wrongTransactionDigits } from '../customer-input.ts';
import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Money } from '../money.ts';
import type { Order } from '../order.ts';
import { isSentFor } from '../payable.ts';
import type { CustomerNoteKind, OrderNote } from '../rows.ts';
import { CUSTOMER } from '../step.ts';
import { asksPayer } from './customer-actions.ts';

/**
 * The customer corrects or adds to what they said of a payment that is looked for. The order stays
 * where it is; of each kind they say one thing (page.md#something-to-add).
 */
export interface CustomerNote {
  readonly kind: 'customer-note';
  readonly commandId: string;
  readonly orderId: string;
  readonly about:
    | {
        /** The digits are others; the note keeps the former ones. */
        readonly kind: 'correctedDigits';
        readonly transactionDigits: string;
      }
    | {
        /** Another amount than the order's was sent, in its currency. */
        readonly kind: 'amountSent';
        readonly amount: Money;
      }
    | {
        /** Whose account the money came from: a name, or the number's last digits. */
        readonly kind: 'paidBy';
        readonly paidBy: string;
      };
}

export const keys = ({ orderId }: CustomerNote): Keys => ({ orders: [orderId], notes: [orderId] });

/** Whether somebody looks for the deposit's payment, which its customer has confirmed. */
export const isLookedFor = ({
  orderType,
  status,
  sentAt,
}: Pick<Order, 'orderType' | 'status' | 'sentAt'>): boolean =>
  orderType === 'Deposit' &&
  sentAt !== null &&
  (status === 'AwaitingMemberConfirmation' || status === 'ManualReview');

/** What the customer of an order may still say of the payment. */
export const openNotes = (
  order: Pick<Order, 'orderType' | 'status' | 'sentAt' | 'walletType'>,
  said: readonly Pick<OrderNote, 'kind'>[],
): readonly CustomerNoteKind[] =>
  isLookedFor(order)
    ? (['correctedDigits', 'amountSent', 'paidBy'] as const).filter(
        (kind) =>
          !(kind === 'correctedDigits' && asksPayer(order)) &&
          !said.some((note) => note.kind === kind),
      )
    : [];

/** Saying the same again changes nothing; something else of the same kind is refused. */
export function decide(command: CustomerNote, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const { about } = command;
  const own = view.notes.of(order.orderId).filter(({ actor }) => actor.kind === 'customer');
  const said = own.find(({ kind }) => kind === about.kind);
  if (isSaid(order, about, said)) return accept(order);
  if (!isLookedFor(order)) return refuse('wrong-state', 'This payment takes no more words now.');
  if (about.kind === 'correctedDigits' && asksPayer(order))
    return refuse('wrong-state', 'This payment has no digits to correct.');
  if (said !== undefined) return refuse('wrong-state', 'This was said before, and counts once.');
  const wrong = wrongIn(order, about);
  if (wrong !== undefined) return refuse('invalid', wrong);

  const { merchantId, orderId } = order;
  const note: OrderNote = {
    merchantId,
    orderId,
    noteId: ctx.newId(),
    number: own.length + 1,
    actor: CUSTOMER,
    kind: about.kind,
    amount: about.kind === 'amountSent' ? about.amount : null,
    text: textOf(order, about),
    at: ctx.now,
  };
  const { memberId } = order;
  const notices =
    memberId === null ? [] : [{ memberId, event: 'customer-added' as const, orderId }];
  if (about.kind !== 'correctedDigits') return accept(order, { notes: [note], notices });
  const { transactionDigits } = about;
  const corrected: Order = { ...order, transactionDigits };
  return accept(corrected, { orders: [corrected], notes: [note], notices });
}

type About = CustomerNote['about'];

function isSaid(order: Order, about: About, said: OrderNote | undefined): boolean {
  if (about.kind === 'correctedDigits') return order.transactionDigits === about.transactionDigits;
  if (said === undefined) return false;
  return about.kind === 'amountSent'
    ? said.amount === about.amount
    : said.text === about.paidBy.trim();
}

function wrongIn(order: Order, about: About): string | undefined {
  if (about.kind === 'correctedDigits')
    return wrongTransactionDigits(order, about.transactionDigits)?.message;
  if (about.kind === 'paidBy') return wrongPayerName(about.paidBy)?.message;
  if (about.amount <= 0n) return 'Enter the amount that was sent.';
  return isSentFor(order, about.amount) ? 'This is the amount of the order.' : undefined;
}

const textOf = (order: Order, about: About): string =>
  about.kind === 'correctedDigits'
    ? (order.transactionDigits ?? '')
    : about.kind === 'paidBy'
      ? about.paidBy.trim()
      : '';
