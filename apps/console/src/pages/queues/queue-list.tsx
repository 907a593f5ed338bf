import type { QueuedOrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Age, Countdown, Money, useFlash, useKeys } from '@munshi/web-ui';
import { useRef } from 'react';
import { MethodName } from '../../method-names.ts';
import { cause } from './cause.ts';
import classes from './queues.module.css';

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
  const list = useRef<HTMLUListElement>(null);
  useMoveKeys(list);
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

/** The row in focus, else the one that is open, is where moving begins. */
function useMoveKeys(list: { readonly current: HTMLElement | null }): void {
  const move = (by: 1 | -1) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const focused = all.indexOf(document.activeElement as HTMLElement);
    const from = focused === -1 ? all.findIndex((row) => row.ariaCurrent === 'true') : focused;
    const next = from === -1 ? 0 : Math.min(all.length - 1, Math.max(0, from + by));
    all[next]?.focus();
    all[next]?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: 'j', label: 'Next order', run: () => move(1) },
    { keys: 'k', label: 'Previous order', run: () => move(-1) },
  ]);
}
