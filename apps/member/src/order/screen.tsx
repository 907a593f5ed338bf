import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { seen } from '../alarm/alarms.ts';
import { leftToRight } from '../format.ts';
import { texts } from '../language.ts';
import { waitingFor } from '../outbox/actions.ts';
import { PicturesOfOrder } from '../outbox/lazy-pictures.ts';
import { OutboxBar } from '../outbox/line.tsx';
import { BackButton, Screen } from '../parts/frame.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { Countdown, Exact } from '../parts/values.tsx';
import { go } from '../router.tsx';
import { comebacks } from '../service.ts';
import { learnKept, orderOf, readOrder } from '../work/known.ts';
import { type Group, groupOf, type Order, shortReference } from '../work/orders.ts';
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
  // One that was refused holds nothing up: it can be corrected, and sent again.
  const busy = entry !== undefined && entry.state !== 'refused';
  return (
    <Screen
      title={`${title} ${leftToRight(shortReference(order.orderReference))}`}
      head={
        <>
          <BackButton to="/" label={group === 'wait' ? words.waiting : title} />
          <Exact class="reference" dir="ltr">
            {shortReference(order.orderReference)}
          </Exact>
          {order.dueAt !== null && group !== undefined ? <Countdown dueAt={order.dueAt} /> : <i />}
        </>
      }
      headClass="of-order"
      action={
        entry === undefined ? (
          actionOf(order, group)
        ) : (
          <>
            <OutboxBar entry={entry} />
            {busy ? null : actionOf(order, group)}
          </>
        )
      }
    >
      {group === 'check' ? <CheckOrder order={order} busy={busy} /> : null}
      {group === 'pay' ? <PayOrder order={order} busy={busy} /> : null}
      {group === 'wait' ? <WaitOrder order={order} busy={busy} /> : null}
      {group === 'review' ? <ReviewOrder order={order} busy={busy} /> : null}
      {group === undefined ? (
        // To say that it was paid takes the place of what asks, which would be refused.
        <OverOrder order={order} busy={busy && entry.state !== 'asking'} />
      ) : null}
      <PicturesOfOrder orderId={order.orderId} />
      <Reference order={order} />
    </Screen>
  );
}

function actionOf(order: Order, group: Group | undefined): ComponentChildren {
  if (group === 'check') return <CheckAction order={order} />;
  if (group === 'pay') return <PayAction order={order} />;
  if (group === 'wait') return <WaitAction order={order} />;
  if (group === 'review') return undefined;
  return (
    <button type="button" class="secondary" onClick={() => go('/')}>
      {texts.value.order.toWork}
    </button>
  );
}
