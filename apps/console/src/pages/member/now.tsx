import { durationText, subtractMoney } from '@munshi/web';
import { Card, Countdown, Facts, Money, OrderStatus, Reference } from '@munshi/web-ui';
import { Link } from 'wouter';
import { useMethodName } from '../../method-names.tsx';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';

const REASONS = {
  suspended: 'They are suspended.',
  offline: 'They are offline.',
  'no-approved-account': 'None of their accounts is approved.',
  'all-accounts-paused': 'They have paused every account.',
  'account-paused': 'They have paused an account.',
  'capacity-full': 'They have as many orders in hand as they may.',
  'no-float': 'They have no float left for deposits.',
  'daily-limit': 'An account has taken what it may today.',
};

/** Why no orders come, how they stand, and what is in hand. */
export function NowTab({ member, standing }: TabProps) {
  const { noOrdersBecause, record } = standing;
  const { medianConfirmSeconds } = record;
  return (
    <>
      <div className={classes['columns']}>
        <Card title={noOrdersBecause.length === 0 ? 'Orders' : 'Why no orders come'}>
          {noOrdersBecause.length === 0 ? (
            <p>They get orders as merchants create them.</p>
          ) : (
            <ul className={classes['reasons']}>
              {noOrdersBecause.map((code) => (
                <li key={code}>{REASONS[code]}</li>
              ))}
            </ul>
          )}
        </Card>
        <Card title="Capacity and float">
          <Facts
            facts={[
              ['In hand', `${member.openOrders} / ${member.maxOpenOrders}`],
              ['Float', <Money key="float" amount={member.floatBalance} currency="PKR" />],
              ['Held by deposits', <Money key="held" amount={member.floatHeld} currency="PKR" />],
              [
                'Free',
                <Money
                  key="free"
                  amount={subtractMoney(member.floatBalance, member.floatHeld)}
                  currency="PKR"
                />,
              ],
            ]}
          />
        </Card>
        <Card title="Of their last 200 orders">
          <Facts
            facts={[
              ['Rejected', `${record.rejected} / ${record.ended}`],
              [
                'Median to confirm',
                medianConfirmSeconds === null ? 'none' : durationText(medianConfirmSeconds * 1000),
              ],
            ]}
          />
        </Card>
      </div>
      <Card title="In hand">
        <InHand standing={standing} />
      </Card>
    </>
  );
}

function InHand({ standing: { ordersInHand } }: Pick<TabProps, 'standing'>) {
  const nameOf = useMethodName();
  if (ordersInHand.length === 0) return <p className="quiet">Nothing is in hand.</p>;
  return (
    <ul className={classes['fates']}>
      {ordersInHand.map((order) => (
        <li key={order.orderId}>
          <Link href={`/orders/${order.orderId}`}>
            <Reference reference={order.orderReference} />
          </Link>{' '}
          <Money amount={order.amount} currency={order.currency} />{' '}
          {nameOf(order.walletType, order.currency)}{' '}
          <OrderStatus status={order.status} stage={order.stage} />{' '}
          {order.dueAt === null ? null : (
            <span className="quiet">
              Due in <Countdown at={order.dueAt} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
