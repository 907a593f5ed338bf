import { addMoney, basisPointsOf, isZero } from '@munshi/web';
import { leftToRight, timeText } from '../format.ts';
import { texts } from '../language.ts';
import { methodName } from '../methods.ts';
import { outcomeText } from '../order/outcome.ts';
import { CrossIcon, TickIcon } from '../parts/icons.tsx';
import { Money } from '../parts/values.tsx';
import { Link } from '../router.tsx';
import { me } from '../work/known.ts';
import type { Order } from '../work/orders.ts';
import { accountName } from './account-name.ts';
import { choice, days } from './closed.ts';
import { type Day, dayName } from './days.ts';
import { words } from './words.ts';

/** A day: what came and went, by account where there are several, and its orders. */
export function DayOfOrders({
  day,
  orders,
}: {
  readonly day: string;
  readonly orders: readonly Order[];
}) {
  return (
    <section class="day">
      <h2>{dayName(day)}</h2>
      <Sums day={day} />
      <ul class="card rows">
        {orders.map((order) => (
          <li key={order.orderId}>
            <Row order={order} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** As the service has counted them: also of what is not listed yet. None beside a search. */
function Sums({ day }: { readonly day: string }) {
  const { accountId, search } = choice.value;
  const counted = days.value?.days.find(({ date }) => date === day);
  if (counted === undefined || search !== '') return null;
  const own = counted.accounts.find(({ account }) => account?.accountId === accountId);
  if (accountId !== '')
    return own === undefined ? null : (
      <>
        <InAndOut of={own} />
        <Earned of={[own]} />
      </>
    );
  return (
    <>
      <InAndOut of={counted} />
      <Earned of={[counted]} />
      <ByAccount day={counted} />
    </>
  );
}

/** The same by account, where there are several. */
export const ByAccount = ({ day }: { readonly day: Day }) =>
  day.accounts.length < 2 ? null : (
    <details class="by-account">
      <summary>{words.value.byAccount}</summary>
      {day.accounts.map(({ account, ...sums }) => (
        <div key={account?.accountId ?? ''}>
          <p class="dim">{account === null ? words.value.late : accountName(account)}</p>
          <InAndOut of={sums} />
        </div>
      ))}
    </details>
  );

/** What was received and paid, each where there was any. */
export function InAndOut({
  of: { received, paid },
}: {
  readonly of: Pick<Day, 'received' | 'paid'>;
}) {
  const sums = [
    { name: words.value.received, ...received },
    { name: words.value.paid, ...paid },
  ];
  return (
    <>
      {sums
        .filter(({ count, amount }) => count > 0 || !isZero(amount))
        .map(({ name, count, amount }) => (
          <p class="sum" key={name}>
            <span>
              {name} <b class="count">{count}</b>
            </span>
            <Money amount={amount} currency="PKR" />
          </p>
        ))}
    </>
  );
}

/** The member's share of what they have confirmed, by the operator's setting of now. */
export function Earned({
  of,
  name = words.value.share,
}: {
  readonly of: readonly Pick<Day, 'received' | 'paid'>[];
  readonly name?: (percent: string) => string;
}) {
  const points = me.value?.shareBasisPoints ?? null;
  const sums = of.flatMap(({ received, paid }) => [received.amount, paid.amount]);
  const amount = points === null ? '0' : basisPointsOf(addMoney(...sums), points);
  return points === null || isZero(amount) ? null : (
    <p class="sum">
      <span>{name(leftToRight(`${points / 100}%`))}</span>
      <Money amount={amount} currency="PKR" />
    </p>
  );
}

function Row({ order }: { readonly order: Order }) {
  const { order: names } = texts.value;
  const good = order.completedAt !== null && !order.handedOver;
  const outcome = order.handedOver ? words.value.timeline.givenOn : outcomeText(order);
  return (
    <>
      <span class={`outcome ${good ? 'good' : 'idle'}`}>
        {good ? <TickIcon size={18} /> : <CrossIcon size={18} />}
      </span>
      <Link to={`/orders/${order.orderId}`} class="whole">
        {order.orderType === 'Deposit' ? names.deposit : names.withdrawal}
        <span class="unseen"> {order.orderReference}</span>
      </Link>
      <Money {...order} />
      <span class="dim">{methodName(order.walletType, order.currency)}</span>
      <span class="dim end">
        {good ? '' : `${outcome} · `}
        {timeText(order.createdAt)}
      </span>
    </>
  );
}
