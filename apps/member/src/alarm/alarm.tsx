import { useLayoutEffect } from 'preact/hooks';
import { agoText, shortAccount } from '../format.ts';
import { texts } from '../language.ts';
import { methodName } from '../methods.ts';
import { BellIcon } from '../parts/icons.tsx';
import { useModal } from '../parts/modal.ts';
import { Countdown, Money } from '../parts/values.tsx';
import { go } from '../router.tsx';
import { groupOf, type Order } from '../work/orders.ts';
import { alarms, seen } from './alarms.ts';
import { startAlarmSound } from './sound.ts';

/** M4, over every other screen: one alarm, however many orders have come. */
export function Alarm() {
  return alarms.value.length === 0 ? null : <AlarmCard orders={alarms.value} />;
}

function AlarmCard({ orders }: { readonly orders: readonly Order[] }) {
  const dialog = useModal();
  const { alarm } = texts.value;
  useLayoutEffect(startAlarmSound, []);
  const [first, ...others] = orders as [Order, ...Order[]];
  const seeAll = () => {
    for (const { orderId } of orders) seen(orderId);
  };
  const open = ({ orderId }: Order) => {
    seeAll();
    go(`/orders/${orderId}`);
  };
  return (
    <dialog
      ref={dialog}
      class="alarm"
      role="alertdialog"
      aria-labelledby="alarm-title"
      aria-describedby="alarm-what"
      onCancel={(event) => {
        event.preventDefault();
        seeAll();
      }}
    >
      <div class="alarm-top">
        <BellIcon size={40} class="ringing" />
        <h2 id="alarm-title">
          {others.length > 0
            ? alarm.many(orders.length)
            : groupOf(first) === 'pay'
              ? alarm.pay
              : alarm.check}
        </h2>
      </div>
      {others.length > 0 ? (
        <ul class="alarm-list" id="alarm-what">
          {orders.map((order) => (
            <li key={order.orderId}>
              <button type="button" onClick={() => open(order)}>
                <Money {...order} />
                <span>
                  {groupOf(order) === 'pay' ? alarm.pay : alarm.check} ·{' '}
                  {methodName(order.walletType, order.currency)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <div class="alarm-one" id="alarm-what">
          <p class="amount">
            <Money {...first} />
          </p>
          <p>
            {methodName(first.walletType, first.currency)}{' '}
            {first.account && shortAccount(first.account.accountNumber)}
          </p>
          {first.sentAt && <p>{texts.value.saysPaid(agoText(first.sentAt))}</p>}
          {first.dueAt && <Countdown dueAt={first.dueAt} />}
        </div>
      )}
      <div class="alarm-foot">
        {others.length > 0 ? null : (
          <button type="button" class="primary" onClick={() => open(first)}>
            {alarm.open}
          </button>
        )}
        <button type="button" class="secondary" onClick={seeAll}>
          {alarm.seen}
        </button>
      </div>
    </dialog>
  );
}
