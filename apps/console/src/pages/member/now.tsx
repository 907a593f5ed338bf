import { durationText, subtractMoney } from '@munshi/web';
import { Card, Countdown, Facts, Money, OrderStatus } from '@munshi/web-ui';
import { Link } from 'wouter';
import { useMethodName } from '../../method-names.tsx';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

/** Why no orders come, how they stand, and what is in hand. */
export function NowTab({ member, standing }: TabProps) {
  const { noOrdersBecause, record } = standing;
  const { medianConfirmSeconds } = record;
  return (
    <>
      <div className={classes['columns']}>
        <Card title={texts.why}>
          {noOrdersBecause.length === 0 ? (
            <p>{texts.listening}</p>
          ) : (
            <ul className={classes['reasons']}>
              {noOrdersBecause.map((code) => (
                <li key={code}>{texts.reasons[code]}</li>
              ))}
            </ul>
          )}
        </Card>
        <Card title={texts.standing}>
          <Facts
            facts={[
              [texts.inHand, `${member.openOrders} / ${member.maxOpenOrders}`],
              [texts.float, <Money key="float" amount={member.floatBalance} currency="PKR" />],
              [texts.held, <Money key="held" amount={member.floatHeld} currency="PKR" />],
              [
                texts.free,
                <Money
                  key="free"
                  amount={subtractMoney(member.floatBalance, member.floatHeld)}
                  currency="PKR"
                />,
              ],
            ]}
          />
        </Card>
        <Card title={texts.record}>
          <Facts
            facts={[
              [texts.rejected, `${record.rejected} / ${record.ended}`],
              [
                texts.median,
                medianConfirmSeconds === null
                  ? texts.none
                  : durationText(medianConfirmSeconds * 1000),
              ],
            ]}
          />
        </Card>
      </div>
      <Card title={texts.inHand}>
        <InHand standing={standing} />
      </Card>
    </>
  );
}

function InHand({ standing: { ordersInHand } }: Pick<TabProps, 'standing'>) {
  const nameOf = useMethodName();
  if (ordersInHand.length === 0) return <p className="quiet">{texts.noneInHand}</p>;
  return (
    <ul className={classes['fates']}>
      {ordersInHand.map((order) => (
        <li key={order.orderId}>
          <Link href={`/orders/${order.orderId}`}>{order.orderReference}</Link>{' '}
          <Money amount={order.amount} currency={order.currency} /> {nameOf(order.walletType)}{' '}
          <OrderStatus status={order.status} stage={order.stage} />{' '}
          {order.dueAt === null ? null : (
            <span className="quiet">
              {texts.due} <Countdown at={order.dueAt} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
