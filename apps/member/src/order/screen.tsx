import { useEffect, useState } from 'preact/hooks';
import { seen } from '../alarm/alarms.ts';
import { leftToRight } from '../format.ts';
import { texts } from '../language.ts';
import { waitingFor } from '../outbox/actions.ts';
import { OutboxBar } from '../outbox/line.tsx';
import { PicturesOfOrder } from '../outbox/picture-lines.tsx';
import { BackButton, Screen } from '../parts/frame.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { Countdown } from '../parts/values.tsx';
import { go } from '../router.tsx';
import { comebacks } from '../service.ts';
import { learnKept, orderOf, readOrder } from '../work/known.ts';
import { groupOf, type Order, shortReference } from '../work/orders.ts';
import { CheckAction, CheckOrder } from './check.tsx';
import { Reference } from './facts.tsx';
import { OverOrder, ReviewOrder } from './over.tsx';
import { PayAction, PayOrder } from './pay.tsx';
import { WaitAction, WaitOrder } from './wait.tsx';

/** One order, by what there is to do with it. */
export function OrderScreen({ orderId }: { readonly orderId: string }) {
  const { order: words, signIn, again } = texts.value;
  const [missing, setMissing] = useState<'theirs' | 'unreachable' | undefined>();
  const order = orderOf(orderId);
  const look = async () => {
    const read = await readOrder(orderId);
    if (read === undefined) await learnKept(orderId);
    setMissing(read === null ? 'theirs' : read === undefined ? 'unreachable' : undefined);
  };
  useEffect(() => seen(orderId), [orderId]);
  useEffect(() => void look(), [orderId, comebacks.value]);
  if (order !== undefined) return <Shown order={order} />;
  return (
    <Screen title={words.number} head={<BackButton to="/" label={words.toWork} />}>
      {missing === undefined ? (
        <Skeletons cards={1} />
      ) : (
        <div class="nothing" role="alert">
          <h2>{missing === 'theirs' ? words.notFound : signIn.unreachable}</h2>
          {missing === 'theirs' ? (
            <p>{words.notFoundLead}</p>
          ) : (
            <button type="button" class="secondary" onClick={look}>
              {again}
            </button>
          )}
        </div>
      )}
    </Screen>
  );
}

function Shown({ order }: { readonly order: Order }) {
  const { groups, order: words } = texts.value;
  const group = groupOf(order);
  const entry = waitingFor(order.orderId);
  const title = group === undefined ? words.number : groups[group];
  const action =
    entry !== undefined ? (
      <OutboxBar entry={entry} />
    ) : group === 'check' ? (
      <CheckAction order={order} />
    ) : group === 'pay' ? (
      <PayAction order={order} />
    ) : group === 'wait' ? (
      <WaitAction order={order} />
    ) : group === undefined ? (
      <button type="button" class="secondary" onClick={() => go('/')}>
        {words.toWork}
      </button>
    ) : undefined;
  return (
    <Screen
      title={`${title} ${leftToRight(shortReference(order.orderReference))}`}
      head={
        <>
          <BackButton to="/" label={group === 'wait' ? words.waiting : title} />
          <bdi class="reference" dir="ltr">
            {shortReference(order.orderReference)}
          </bdi>
          {order.dueAt !== null && group !== undefined ? <Countdown dueAt={order.dueAt} /> : <i />}
        </>
      }
      headClass="of-order"
      action={action}
    >
      {group === 'check' ? <CheckOrder order={order} busy={entry !== undefined} /> : null}
      {group === 'pay' ? <PayOrder order={order} busy={entry !== undefined} /> : null}
      {group === 'wait' ? <WaitOrder order={order} busy={entry !== undefined} /> : null}
      {group === 'review' ? <ReviewOrder order={order} busy={entry !== undefined} /> : null}
      {group === undefined ? <OverOrder order={order} busy={entry !== undefined} /> : null}
      <PicturesOfOrder orderId={order.orderId} />
      <Reference order={order} />
    </Screen>
  );
}
