import { Kbd, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { LIST_QUEUE } from '@munshi/api';
import {
  ActionButton,
  Failed,
  MoreButton,
  oneOf,
  Skeleton,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import CircleCheck from 'lucide-react/icons/circle-check-big';
import { useEffect, useRef } from 'react';
import { useQueueCounts } from '../../queue-counts.ts';
import { FIRST_QUEUE, QUEUE_NAMES, type Queue } from '../../queue-names.ts';
import { may, useSession } from '../../session.tsx';
import { OrderSide } from './order-side.tsx';
import { type QueuedOrder, QueueList } from './queue-list.tsx';
import classes from './queues.module.css';
import { type Claims, useClaims } from './use-claims.ts';

const QUEUES = [
  FIRST_QUEUE,
  'payoutsInDoubt',
  'aboutToRunOut',
  'waitingForMember',
  'escalatedUnpaid',
  'moneySeen',
] as const satisfies readonly Queue[];
const ADDRESS = { queue: oneOf(QUEUES), open: text() };

/** C3: what waits for operators, one order after the other. */
export default function QueuesPage() {
  const { operator } = useSession();
  const { values, set } = useFilters(ADDRESS);
  const { queue = FIRST_QUEUE, open: openId } = values;
  const list = useList(
    LIST_QUEUE,
    { query: { queue, limit: 100 } },
    { watch: ['order', 'approval'], changesWithTime: true },
  );
  const claims = useClaims(openId);
  const works = may(operator, 'decide');
  const rows = list.rows ?? [];
  const open = (orderId: string | undefined) => set({ open: orderId });
  const takeNext = useTakeNext({
    ...{ rows, hasMore: list.hasMore, openId, operatorId: operator.operatorId, claims, open },
  });
  const title = useTitle(QUEUE_NAMES[queue]);
  const row = rows.find(({ orderId }) => orderId === openId);

  return (
    <div className={classes['frame']} data-open={openId !== undefined}>
      <div className={classes['list']}>
        <div className={classes['head']}>
          <NativeSelect
            className={classes['chooser'] ?? ''}
            aria-label="Queue"
            value={queue}
            data={QUEUES.map((value) => ({ value, label: QUEUE_NAMES[value] }))}
            onChange={({ currentTarget }) =>
              set({ queue: currentTarget.value as (typeof QUEUES)[number], open: undefined })
            }
          />
          <h1 ref={title} tabIndex={-1}>
            {QUEUE_NAMES[queue]}
          </h1>
          {works && rows.length > 0 ? (
            <ActionButton
              letter="n"
              size="compact-sm"
              variant="light"
              onClick={() => void takeNext()}
            >
              Take the next
            </ActionButton>
          ) : null}
        </div>
        {list.rows === undefined ? (
          <Waiting error={list.error} again={list.again} />
        ) : rows.length === 0 ? (
          <EmptyQueue queue={queue} />
        ) : (
          <QueueList
            label={`${QUEUE_NAMES[queue]}, the oldest first`}
            rows={rows}
            openId={openId}
            operatorId={operator.operatorId}
            countsDown={queue === 'aboutToRunOut'}
            onOpen={open}
          />
        )}
        <MoreButton list={list} />
      </div>
      <div className={classes['side']}>
        {openId === undefined ? (
          rows.length === 0 ? null : (
            <p className={classes['choose']}>
              {works ? (
                <span>
                  Choose an order, or take the next with <Kbd>n</Kbd>
                </span>
              ) : (
                'Choose an order.'
              )}
            </p>
          )
        ) : (
          <OrderSide
            key={openId}
            orderId={openId}
            claimedBy={row?.claimedBy ?? null}
            operator={operator}
            claims={claims}
            isQueued={row !== undefined}
            hasNoMember={queue === 'waitingForMember' && row !== undefined}
            onBack={() => open(undefined)}
            onDecided={takeNext}
          />
        )}
      </div>
    </div>
  );
}

interface TakeNextOptions {
  readonly rows: readonly QueuedOrder[];
  readonly hasMore: boolean;
  readonly openId: string | undefined;
  readonly operatorId: string;
  readonly claims: Claims;
  open(orderId: string): void;
}

/**
 * Claims and opens the next order that no other operator works on: behind the one that is open, or
 * behind its place where it has left the queue, and from the first again after the last.
 */
function useTakeNext({ rows, hasMore, openId, operatorId, claims, open }: TakeNextOptions) {
  const taking = useRef(false);
  const place = useRef(0);
  const at = rows.findIndex(({ orderId }) => orderId === openId);
  if (at >= 0) place.current = at;
  else if (openId === undefined) place.current = 0;
  return async () => {
    if (taking.current) return;
    taking.current = true;
    try {
      let refused: string | undefined;
      const following = [...rows.slice(place.current), ...rows.slice(0, place.current)];
      for (const { orderId, claimedBy } of following) {
        if (orderId === openId || (claimedBy !== null && claimedBy.operatorId !== operatorId))
          continue;
        const refusal = await claims.claim(orderId);
        if (refusal === undefined) {
          if (refused !== undefined)
            notifications.show({
              message: `${refused} You have the one after it.`,
              color: 'yellow',
            });
          return open(orderId);
        }
        refused = refusal;
      }
      if (rows.every(({ orderId }) => orderId === openId)) return;
      notifications.show({
        message: hasMore
          ? 'Somebody is working on every order shown. Show more.'
          : 'Somebody is working on every order here.',
      });
    } finally {
      taking.current = false;
    }
  };
}

/** Sets the document's title with the queue; the heading takes the focus when the page opens. */
function useTitle(name: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${name} · Munshi`;
  }, [name]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return heading;
}

function Waiting({ error, again }: { readonly error: Error | null; again(): void }) {
  return error === null ? <Skeleton rows={8} /> : <Failed error={error} onRetry={again} />;
}

/** When each queue last had something, as far as this window has seen it. */
const lastFull = new Map<Queue, string>();

function EmptyQueue({ queue }: { readonly queue: Queue }) {
  const counts = useQueueCounts();
  const asOf = counts.data?.data.asOf;
  const full = counts.data?.data.queues.some((one) => one.queue === queue && one.count > 0);
  if (full && asOf !== undefined) lastFull.set(queue, asOf);
  const since = lastFull.get(queue);
  return (
    <div className={classes['empty']} role="status">
      <CircleCheck size={32} aria-hidden />
      <strong>Nothing is waiting here</strong>
      <span className="quiet">New orders appear here at once.</span>
      {since === undefined ? null : (
        <span className="quiet">
          It last had something <When at={since} />
        </span>
      )}
    </div>
  );
}
