import { amountText, durationText, subtractMoney } from '@munshi/web';
import { Card, Countdown, Facts, Money, OrderStatus, Reference, When } from '@munshi/web-ui';
import { Link } from 'wouter';
import { useMethodName } from '../../method-names.ts';
import classes from './member.module.css';
import { ACCOUNT_STATUSES, type TabProps } from './shown.ts';

const REASONS = {
  suspended: 'They are suspended.',
  offline: 'They are offline.',
  'no-approved-account': 'None of their accounts is approved.',
  'all-accounts-paused': 'They have paused every account.',
  'account-paused': 'They have paused an account.',
  'orders-paused': 'New orders are paused.',
  'capacity-full': 'They have as many orders in hand as they may.',
  'no-float': 'They have no float left for deposits.',
  'daily-limit': 'An account has taken what it may today.',
};

/** Whether orders come, what is in hand, float, today, accounts, and how they have done. */
export function OverviewTab({ member, standing }: TabProps) {
  const { memberId } = member;
  const { noOrdersBecause, record, today } = standing;
  const { medianConfirmSeconds } = record;
  const [lastUsedAt] = standing.sessions
    .flatMap((session) => session.lastUsedAt ?? [])
    .toSorted()
    .toReversed();
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
          <Facts
            facts={[
              ['In hand', `${member.openOrders} / ${member.maxOpenOrders}`],
              ['Last order given', <Once key="given" at={member.lastAssignedAt} />],
              ['Last seen', <Once key="seen" at={lastUsedAt ?? null} />],
            ]}
          />
        </Card>
        <Card title="Float" actions={<Link href={`/members/${memberId}/float`}>Movements</Link>}>
          <Facts
            facts={[
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
        <Card title="Today, from midnight UTC">
          <Facts
            facts={[
              [`Received, ${ordersText(today.received.count)}`, pkr(today.received.amount)],
              [`Paid out, ${ordersText(today.paid.count)}`, pkr(today.paid.amount)],
              [
                'Owed: received less paid out',
                pkr(subtractMoney(today.received.amount, today.paid.amount)),
              ],
            ]}
          />
        </Card>
        <Card
          title="Accounts"
          actions={<Link href={`/members/${memberId}/accounts`}>All details</Link>}
        >
          <Accounts member={member} />
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

const pkr = (amount: string) => amountText(amount, 'PKR');
const ordersText = (count: number) => (count === 1 ? '1 order' : `${count} orders`);

const Once = ({ at }: { readonly at: string | null }) => (at === null ? 'never' : <When at={at} />);

function Accounts({ member: { accounts } }: Pick<TabProps, 'member'>) {
  const nameOf = useMethodName();
  if (accounts.length === 0) return <p className="quiet">They have no account yet.</p>;
  return (
    <Facts
      facts={accounts.map(({ walletType, accountNumber, status, paused }) => [
        `${nameOf(walletType)} ${accountNumber}`,
        status === 'approved' && paused ? 'Paused by them' : ACCOUNT_STATUSES[status],
      ])}
    />
  );
}
