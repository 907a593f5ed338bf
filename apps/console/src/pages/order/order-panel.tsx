import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { READ_ORDER, RESOLVE_ORDER } from '@munshi/api';
import {
  Age,
  Card,
  Copy,
  Countdown,
  Facts,
  Failed,
  Head,
  KeyHint,
  Loaded,
  OrderStatus,
  Page,
  useKeys,
  useOffers,
  useRead,
  useRecent,
  When,
} from '@munshi/web-ui';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ClipboardCopy from 'lucide-react/icons/clipboard-copy';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { balancesOf, type Changed } from '../../effects/effect-summary.tsx';
import { usePreview } from '../../effects/use-preview.ts';
import { useSession } from '../../session.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { actionsOf, type OrderAction } from './actions.ts';
import { Evidence } from './evidence.tsx';
import { Happened } from './happened.tsx';
import { merchantSummary } from './merchant-summary.ts';
import classes from './order.module.css';
import { amountOf, type OrderDetail } from './order.ts';
import {
  Customer,
  Deliveries,
  LateClaims,
  LooksLike,
  Member,
  OrderLedger,
  Payment,
  Requests,
  Terms,
} from './order-facts.tsx';

/**
 * An order with everything that can be done about it: a page of its own, or `embedded` beside a
 * queue. It is read again with every event of an order.
 */
export function OrderPanel({
  orderId,
  embedded = false,
  onDecided,
}: {
  readonly orderId: string;
  readonly embedded?: boolean;
  /** Something was decided about it, or asked for; the operator goes on to the next order. */
  readonly onDecided?: () => void;
}) {
  const read = useRead(
    READ_ORDER,
    { params: { orderId } },
    { watch: ['order', 'claim', 'approval'] },
  );
  if (read.error !== null && read.data === undefined && !embedded)
    return (
      <Page title="Order">
        <Failed error={read.error} onRetry={() => void read.refetch()} />
      </Page>
    );
  return (
    <Loaded read={read} rows={12}>
      {({ data }) => (
        <Panel
          key={data.orderId}
          order={data}
          readAt={read.dataUpdatedAt}
          embedded={embedded}
          {...(onDecided && { onDecided })}
        />
      )}
    </Loaded>
  );
}

interface PanelProps {
  readonly order: OrderDetail;
  readonly readAt: number;
  readonly embedded: boolean;
  readonly onDecided?: () => void;
}

function Panel({ order, readAt, embedded, onDecided }: PanelProps) {
  const [opened, setOpened] = useState<OrderAction | null>(null);
  const actions = actionsOf(order);
  const title = `${amountOf(order)} ${order.orderType.toLowerCase()}`;
  useRecent({ kind: 'order', path: `/orders/${order.orderId}`, label: title });
  useOffers(
    actions.map((action) => ({
      id: action.id,
      label: `${action.label}…`,
      run: () => setOpened(action),
    })),
  );
  return (
    <Around
      embedded={embedded}
      title={title}
      beside={<OrderStatus status={order.status} stage={order.stage} />}
      lead={<Lead order={order} embedded={embedded} />}
      actions={<Actions order={order} actions={actions} onOpen={setOpened} />}
    >
      <div className={classes['frame']}>
        <div className={classes['columns']}>
          <div>
            <Card title="What happened">
              <Happened order={order} />
            </Card>
            <Evidence order={order} />
            <Deliveries order={order} />
            <Terms order={order} />
            <OrderLedger order={order} />
          </div>
          <div>
            <Requests order={order} />
            <LateClaims order={order} />
            <LooksLike order={order} />
            {order.allowedActions.includes('resolve') && !isCancelAsked(order) ? (
              <IfCompleted order={order} readAt={readAt} isPaused={opened !== null} />
            ) : null}
            <Payment order={order} />
            <Member order={order} />
            <Customer order={order} />
          </div>
        </div>
      </div>
      {opened === null ? null : (
        <ActionDialog
          action={opened}
          order={order}
          readAt={readAt}
          onClose={() => setOpened(null)}
          {...(onDecided && { onDecided })}
        />
      )}
    </Around>
  );
}

interface AroundProps {
  readonly embedded: boolean;
  readonly title: string;
  readonly beside: ReactNode;
  readonly lead: ReactNode;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** A page, or a part of one, which takes neither its title nor its focus. */
function Around({ embedded, ...parts }: AroundProps) {
  if (!embedded) return <Page {...parts} />;
  const { title, beside, lead, actions, children } = parts;
  return (
    <section className={classes['embedded']} aria-label={title}>
      <Head beside={beside} lead={lead} actions={actions}>
        <h2>{title}</h2>
      </Head>
      {children}
    </section>
  );
}

/** Somebody waits for operations: from here on it is red. */
const LATE_MS = 30 * 60_000;

function Lead({ order, embedded }: { readonly order: OrderDetail; readonly embedded: boolean }) {
  const { orderReference, orderId, merchantName, createdAt, dueAt, claimedBy } = order;
  const { operator } = useSession();
  const inReviewSince =
    order.status === 'ManualReview'
      ? order.timeline.findLast((entry) => entry.kind !== 'note' && entry.to === 'ManualReview')?.at
      : undefined;
  return (
    <div className={classes['lead']}>
      <Copy value={orderReference} what="the reference" mono>
        {embedded ? (
          <Link href={`/orders/${orderId}`} title="Open the order on a page of its own">
            {orderReference}
          </Link>
        ) : (
          orderReference
        )}
      </Copy>
      <span>{merchantName}</span>
      <span>
        created <When at={createdAt} />
      </span>
      {inReviewSince === undefined ? null : (
        <span>
          in review for <Age at={inReviewSince} redAfterMs={LATE_MS} />
        </span>
      )}
      {/* Beside a queue, the line above says it. */}
      {embedded || claimedBy === null || claimedBy.operatorId === operator.operatorId ? null : (
        <strong>{claimedBy.name} is working on it</strong>
      )}
      {dueAt === null ? null : (
        <span>
          due in <Countdown at={dueAt} />
        </span>
      )}
    </div>
  );
}

/** The action that comes next as the one primary button, its opposite beside it, and the rest. */
function Actions({
  order,
  actions,
  onOpen,
}: {
  readonly order: OrderDetail;
  readonly actions: readonly OrderAction[];
  onOpen(action: OrderAction): void;
}) {
  const next = actions.find(({ isNext }) => isNext);
  const others = actions.filter((action) => action !== next);
  const beside = next === undefined ? undefined : others.find(({ isOpposite }) => isOpposite);
  const rest = others.filter((action) => action !== beside);
  useKeys(
    actions.flatMap((action) =>
      action.letter === undefined
        ? []
        : [{ keys: action.letter, label: `${action.label}…`, run: () => onOpen(action) }],
    ),
  );
  const copy = () =>
    navigator.clipboard.writeText(merchantSummary(order)).then(
      () => notifications.show({ message: 'Copied, without anything about the member.' }),
      () => notifications.show({ message: 'The browser did not allow copying.', color: 'bad' }),
    );
  return (
    <>
      {[next, beside].map((action) =>
        action === undefined ? null : (
          <Button
            key={action.id}
            {...(action !== next && { variant: 'default' })}
            {...keyOf(action)}
            onClick={() => onOpen(action)}
          >
            {action.label}…
          </Button>
        ),
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={16} aria-hidden />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {rest.map((action) => (
            <Menu.Item
              key={action.id}
              {...keyOf(action)}
              onClick={() => onOpen(action)}
              {...(action.danger && { color: 'bad' })}
            >
              {action.label}…
            </Menu.Item>
          ))}
          {rest.length > 0 ? <Menu.Divider /> : null}
          <Menu.Item leftSection={<ClipboardCopy size={14} aria-hidden />} onClick={copy}>
            Copy for the merchant
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** The letter that opens an action, on its button or item. */
const keyOf = ({ letter }: OrderAction) =>
  letter !== undefined && {
    'aria-keyshortcuts': letter,
    rightSection: <KeyHint keys={letter} />,
  };

const isCancelAsked = ({ approvals }: OrderDetail): boolean =>
  approvals.some(({ request }) => request['outcome'] === 'Cancelled');

interface IfCompletedProps {
  readonly order: OrderDetail;
  readonly readAt: number;
  /** A dialog over it asks for its own effect. */
  readonly isPaused: boolean;
}

/** What completing it would do to balances, before anybody asks. */
function IfCompleted({ order: { orderId }, readAt, isPaused }: IfCompletedProps) {
  const asked = { params: { orderId }, body: { outcome: 'Completed', note: '…' } } as const;
  const preview = usePreview(RESOLVE_ORDER, isPaused ? null : asked, readAt);
  if (preview.data === undefined) return null;
  const { webhook } = preview.data;
  return (
    <Card title="If completed, PKR">
      <Facts
        facts={[
          ...balancesOf(preview.data).map(
            ({ what, before, after }) =>
              [what, <Becomes key={what} before={before} after={after} />] as const,
          ),
          webhook === null
            ? null
            : ['Webhook', `${webhook.eventType}, ${new URL(webhook.url).host}`],
        ]}
      />
    </Card>
  );
}

/** A balance that changes. */
function Becomes({ before, after }: Pick<Changed, 'before' | 'after'>) {
  return (
    <span className={`number ${classes['becomes']}`}>
      {before}
      <ArrowRight size={14} aria-label="becomes" />
      <strong>{after}</strong>
    </span>
  );
}
