import { agoText, shortAccount } from '../format.ts';
import { texts } from '../language.ts';
import { methodName } from '../methods.ts';
import { waitingFor } from '../outbox/actions.ts';
import { PictureLine } from '../outbox/lazy-pictures.ts';
import { OutboxLine } from '../outbox/line.tsx';
import { CloseIcon } from '../parts/icons.tsx';
import { Countdown, Digits, Money } from '../parts/values.tsx';
import { Link } from '../router.tsx';
import { hideGone } from './follow.ts';
import { type Group, type Order, shortReference } from './orders.ts';

/** An order in hand: how much, where, how long there is. */
export function OrderCard({ order, group }: { readonly order: Order; readonly group: Group }) {
  const { orderId, account, dueAt, sentAt, transactionDigits, customerAccountNumber } = order;
  const entry = waitingFor(orderId);
  const number = group === 'pay' ? customerAccountNumber : account?.accountNumber;
  return (
    <article class="card order">
      <Link to={`/orders/${orderId}`} class="whole">
        <Money {...order} />
        <Which order={order} />
      </Link>
      {dueAt !== null && entry === undefined ? <Countdown dueAt={dueAt} /> : null}
      <p class="where">
        {methodName(order.walletType, order.currency)} {number && shortAccount(number)}
      </p>
      {group === 'check' && transactionDigits !== null ? (
        <Digits of={transactionDigits} small />
      ) : null}
      {group === 'check' && sentAt !== null ? (
        <p class="when">{texts.value.saysPaid(agoText(sentAt))}</p>
      ) : null}
      {order.heldBefore && entry === undefined ? (
        <p class="when">
          <b>{texts.value.order.heldBefore}</b>
        </p>
      ) : null}
      {entry === undefined ? null : <OutboxLine entry={entry} />}
      <PictureLine orderId={orderId} />
    </article>
  );
}

/** Read aloud: orders of one amount differ. */
const Which = ({ order }: { readonly order: Order }) => (
  <span class="unseen">
    {' '}
    {texts.value.order.number} {shortReference(order.orderReference)}
  </span>
);

/** One that left by another person's action: it says why until it is tapped away. */
export function GoneCard({ order }: { readonly order: Order }) {
  const { gone } = texts.value;
  return (
    <article class="card order gone">
      <Link to={`/orders/${order.orderId}`} class="whole">
        <Money {...order} />
        <Which order={order} />
      </Link>
      <p class="where">{whyGone(order)}</p>
      <button
        type="button"
        class="bare"
        onClick={() => hideGone(order.orderId)}
        aria-label={`${gone.hide}: ${order.orderReference}`}
      >
        <CloseIcon />
      </button>
    </article>
  );
}

function whyGone({ handedOver, completedAt, status }: Order): string {
  const { gone } = texts.value;
  if (handedOver) return gone.handedOver;
  if (completedAt !== null) return gone.completed;
  if (status === 'Expired' || status === 'CancelledTimeout') return gone.expired;
  return status.startsWith('Cancelled') ? gone.cancelled : gone.ended;
}
