import type { QueuedOrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Age, Countdown, Money, useFlash } from '@munshi/web-ui';
import { MethodName } from '../../method-names.ts';
import { cause } from './cause.ts';
import classes from './queues.module.css';
import { useRows } from './use-rows.ts';

export type QueuedOrder = AsText<QueuedOrderView>;

/** A customer has waited too long for somebody here. */
const LATE_MS = 30 * 60_000;

interface QueueListProps {
  readonly label: string;
  readonly rows: readonly QueuedOrder[];
  readonly openId: string | undefined;
  /** Who is signed in. */
  readonly operatorId: string;
  /** Its times are deadlines. */
  readonly countsDown: boolean;
  onOpen(orderId: string): void;
}

/** The orders of a queue; `j` and `k` move, `Enter` opens. */
export function QueueList(props: QueueListProps) {
  const { label, rows } = props;
  const list = useRows('order', props.openId);
  return (
    <ul ref={list} className={classes['rows']} aria-label={label}>
      {rows.map((order) => (
        <QueueRow key={order.orderId} order={order} {...props} />
      ))}
    </ul>
  );
}

function QueueRow({
  order,
  openId,
  operatorId,
  countsDown,
  onOpen,
}: Omit<QueueListProps, 'label' | 'rows'> & { readonly order: QueuedOrder }) {
  const shown = useFlash<HTMLLIElement>(order);
  return (
    <li ref={shown}>
      <button
        type="button"
        className={classes['row']}
        data-order={order.orderId}
        aria-current={order.orderId === openId}
        onClick={() => onOpen(order.orderId)}
      >
        <span className={classes['amount']}>
          <Money amount={order.amount} currency={order.currency} />
        </span>
        <span className={classes['end']}>
          {countsDown ? (
            <Countdown at={order.waitingSince} />
          ) : (
            <Age at={order.waitingSince} redAfterMs={LATE_MS} />
          )}
        </span>
        <span className={`quiet ${classes['whole']}`}>
          {order.merchantName} · <MethodName method={order.walletType} currency={order.currency} />{' '}
          {order.orderType.toLowerCase()}
        </span>
        <span className={`quiet ${classes['cause']}`}>{cause(order)}</span>
        <Claimant order={order} operatorId={operatorId} />
      </button>
    </li>
  );
}

function Claimant({ order, operatorId }: { order: QueuedOrder; operatorId: string }) {
  const { claimedBy } = order;
  if (claimedBy === null) return <span />;
  const mine = claimedBy.operatorId === operatorId;
  return (
    <span className={`${classes['end']} ${mine ? classes['claimant'] : ''}`}>
      {mine ? 'You' : claimedBy.name}
    </span>
  );
}
