import { texts } from '../language.ts';
import { Link } from '../router.tsx';
import { orders } from '../work/known.ts';
import { waiting } from './actions.ts';
import { deedText, OutboxBar, OutboxLine } from './line.tsx';

/**
 * What asks or was refused, first of all; and what waits of orders that are not in hand any more.
 * The others say it on their cards.
 */
export function UnsentList() {
  const inHand = new Set(orders.value.map(({ orderId }) => orderId));
  const shown = waiting.value.filter(
    ({ subject, state }) => state === 'asking' || state === 'refused' || !inHand.has(subject),
  );
  if (shown.length === 0) return null;
  return (
    <ul class="unsent">
      {shown.map((entry) => (
        <li key={entry.id} class="card">
          <OutboxBar entry={entry} />
          <Link to={`/orders/${entry.subject}`}>{texts.value.outbox.openOrder}</Link>
        </li>
      ))}
    </ul>
  );
}

/** All that is not sent, to read. */
export const UnsentNames = () => (
  <ul class="unsent">
    {waiting.value.map((entry) => (
      <li key={entry.id}>
        <b>{deedText(entry)}</b>
        <OutboxLine entry={entry} />
      </li>
    ))}
  </ul>
);
