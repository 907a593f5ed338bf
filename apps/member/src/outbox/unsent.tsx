import { texts } from '../language.ts';
import { Link } from '../router.tsx';
import { orders } from '../work/known.ts';
import { waiting } from './actions.ts';
import { EveryPicture, UnsentPictures } from './lazy-pictures.ts';
import { OutboxBar } from './line.tsx';

/**
 * What asks or was refused, first of all; and what waits of orders that are not in hand any more.
 * The others say it on their cards. `all`: they too.
 */
export function UnsentList({ all = false }: { readonly all?: boolean }) {
  const inHand = new Set(orders.value.map(({ orderId }) => orderId));
  const shown = waiting.value.filter(
    ({ subject, state }) =>
      all || state === 'asking' || state === 'refused' || !inHand.has(subject),
  );
  return (
    <>
      {shown.length === 0 ? null : (
        <ul class="unsent">
          {shown.map((entry) => (
            <li key={entry.id} class="card">
              <OutboxBar entry={entry} />
              <Link to={`/orders/${entry.subject}`}>{texts.value.outbox.openOrder}</Link>
            </li>
          ))}
        </ul>
      )}
      {all ? <EveryPicture /> : <UnsentPictures inHand={inHand} />}
    </>
  );
}
