import { MEMBER_LIST_ORDERS } from '@munshi/api';
import { addMoney } from '@munshi/web';
import { useEffect, useState } from 'preact/hooks';
import { dayText, timeText } from '../format.ts';
import { database } from '../kept.ts';
import { texts } from '../language.ts';
import { methodName } from '../methods.ts';
import { now } from '../now.ts';
import { keep, readKept } from '../outbox/indexed-db.ts';
import { Screen } from '../parts/frame.tsx';
import { CrossIcon, TickIcon } from '../parts/icons.tsx';
import { Money } from '../parts/values.tsx';
import { Link } from '../router.tsx';
import { api } from '../service.ts';
import { learnOrder } from '../work/known.ts';
import type { Order } from '../work/orders.ts';

/** M10: what is over, by day. The last 200 are kept for when there is no network. */
export function HistoryScreen() {
  const { history, loading, again, signIn } = texts.value;
  const [orders, setOrders] = useState<readonly Order[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const look = async (after: string | null, before: readonly Order[]) => {
    const query = { state: 'closed' as const, limit: 50, ...(after !== null && { cursor: after }) };
    const outcome = await api.call(MEMBER_LIST_ORDERS, { query }).catch(() => undefined);
    setFailed(!outcome?.ok);
    if (!outcome?.ok) return;
    const all = [...before, ...outcome.answer.data];
    setOrders(all);
    setCursor(outcome.answer.nextCursor);
    for (const order of outcome.answer.data) learnOrder(order);
    await keep(await database, 'closed', all.slice(0, 200));
  };
  useEffect(() => {
    void database
      .then((opened) => readKept<readonly Order[]>(opened, 'closed'))
      .then((kept) => setOrders((known) => known ?? kept));
    void look(null, []);
  }, []);
  const days = Map.groupBy(orders ?? [], endedAt(dayText));
  return (
    <Screen title={history.title}>
      {failed ? (
        <p class="note warn top" role="alert">
          <span>{signIn.unreachable}</span>
          <button type="button" class="bare" onClick={() => void look(null, [])}>
            {again}
          </button>
        </p>
      ) : null}
      {orders === null ? (
        <div class="skeletons" role="status" aria-label={loading}>
          <div class="card" />
        </div>
      ) : orders.length === 0 ? (
        <div class="nothing">
          <h2>{history.empty}</h2>
          <p>{history.emptyLead}</p>
        </div>
      ) : null}
      {[...days].map(([day, list]) => (
        <Day key={day} day={day} orders={list} />
      ))}
      {cursor === null || orders === null ? null : (
        <button type="button" class="secondary" onClick={() => void look(cursor, orders)}>
          {history.more}
        </button>
      )}
    </Screen>
  );
}

const endedAt =
  (show: (at: string) => string) =>
  ({ completedAt, failedAt, createdAt }: Order): string =>
    show(completedAt ?? failedAt ?? createdAt);

function Day({ day, orders }: { readonly day: string; readonly orders: readonly Order[] }) {
  const { history } = texts.value;
  const name =
    day === dayText(now.value)
      ? history.today
      : day === dayText(now.value - 86_400_000)
        ? history.yesterday
        : day;
  const sums = (['Deposit', 'Withdrawal'] as const).flatMap((type) =>
    [
      ...Map.groupBy(
        orders.filter(({ completedAt, orderType }) => completedAt !== null && orderType === type),
        ({ currency }) => currency,
      ),
    ].map(([currency, list]) => ({
      type,
      currency,
      count: list.length,
      amount: addMoney('0', ...list.map(({ amount }) => amount)),
    })),
  );
  return (
    <section class="day">
      <h2>{name}</h2>
      {sums.map(({ type, currency, count, amount }) => (
        <p class="sum">
          {type === 'Deposit' ? history.received : history.paid} <b class="count">{count}</b>
          <Money amount={amount} currency={currency} />
        </p>
      ))}
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

function Row({ order }: { readonly order: Order }) {
  const { order: words, outcomes, gone } = texts.value;
  const good = order.completedAt !== null && !order.handedOver;
  const outcome = order.handedOver
    ? gone.handedOver
    : (outcomes[order.status] ?? (good ? words.completed : words.failed));
  return (
    <>
      <span class={`outcome ${good ? 'good' : 'idle'}`}>
        {good ? <TickIcon size={18} /> : <CrossIcon size={18} />}
      </span>
      <Link to={`/orders/${order.orderId}`} class="whole">
        {order.orderType === 'Deposit' ? words.deposit : words.withdrawal}
        <span class="unseen"> {order.orderReference}</span>
      </Link>
      <Money {...order} />
      <span class="dim">{methodName(order.walletType, order.currency)}</span>
      <span class="dim end">
        {good ? '' : `${outcome} · `}
        {endedAt(timeText)(order)}
      </span>
    </>
  );
}
