import { PORTAL_READ_ORDER } from '@munshi/api';
import { amountText, roundedAmount } from '@munshi/web';
import {
  Card,
  Copy,
  Facts,
  Loaded,
  Money,
  OrderStatus,
  Page,
  Timeline,
  useRead,
  useRecent,
  When,
} from '@munshi/web-ui';
import { useParams } from 'wouter';
import { MethodName } from '../../method-names.ts';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import classes from './order.module.css';
import type { Order } from './order.ts';
import { PaymentPage } from './payment-page.tsx';
import { brought, STORY } from './story.ts';

/** Whom a step names beside what it brought: the other words say who it was. */
const BY = { merchant: '', customer: '', member: '', operator: 'by your operator', clock: '' };

/** Of an order with more decimals than can be sent. */
const ROUNDED = { Deposit: 'Customer sends', Withdrawal: 'Customer gets' };

/** P4: what became of one order, and the webhooks about it. */
export default function OrderPage() {
  const { orderId = '' } = useParams();
  const read = useRead(PORTAL_READ_ORDER, { params: { orderId } }, { watch: ['order'] });
  const order = read.data?.data;
  useRecent(
    order && { kind: 'order', path: `/orders/${order.orderId}`, label: order.orderReference },
  );
  if (order !== undefined) return <Shown order={order} />;
  return (
    <Page title="Order">
      <Loaded read={read} rows={8}>
        {() => null}
      </Loaded>
    </Page>
  );
}

function Shown({ order }: { readonly order: Order }) {
  const { amount, currency, orderType, status, stage, orderReference } = order;
  return (
    <Page
      title={`${amountText(amount, currency)} ${orderType.toLowerCase()}`}
      beside={<OrderStatus status={status} stage={stage} />}
      lead={<Copy value={orderReference} what="the reference" />}
      actions={<Actions order={order} />}
    >
      <p className={classes['story']}>{STORY[orderType][status]}</p>
      <div className={classes['columns']}>
        <div>
          <Card title="What happened">
            <Timeline label="What happened" entries={stepsOf(order)} />
          </Card>
          <Deliveries order={order} />
        </div>
        <div>
          <PaymentPage order={order} />
          <MoneyOf order={order} />
          <About order={order} />
          <SentWith order={order} />
        </div>
      </div>
    </Page>
  );
}

/** Whom a step names that does not name them already. */
const byOf = ({ status, by }: Order['steps'][number]) => (status === 'ManualReview' ? '' : BY[by]);

const stepsOf = ({ steps, orderType, failureReason }: Order) =>
  steps.map((step, at) => ({
    id: String(at),
    at: step.at,
    what: [at === 0 ? 'Created by your request' : brought(step, orderType), byOf(step)]
      .filter(Boolean)
      .join(' '),
    ...toneOf(step.status),
    ...(at === steps.length - 1 && failureReason !== null && { detail: failureReason }),
  }));

function toneOf(status: Order['status']) {
  if (status === 'Completed' || status === 'Confirmed') return { tone: 'done' as const };
  if (status === 'ManualReview') return { tone: 'needed' as const };
  return status === 'Rejected' ? { tone: 'failed' as const } : {};
}

function MoneyOf({ order }: { readonly order: Order }) {
  const { amount, currency, fee, rate, settlementAmount, orderType, stage, completedAt } = order;
  const rounded = roundedAmount(order);
  const wallet = orderType === 'Deposit' ? 'Into your wallet' : 'From your wallet';
  return (
    <Card title="Money">
      <Facts
        facts={[
          ['Amount', <Money key="amount" amount={amount} currency={currency} />],
          rounded === null
            ? null
            : [ROUNDED[orderType], <Money key="sent" amount={rounded} currency={currency} />],
          currency === 'PKR' ? null : ['Rate', `${rate} PKR per ${currency}`],
          ['Fee', fee === null ? 'none' : <Money key="fee" amount={fee} currency={currency} />],
          [
            wallet,
            stage === 'Failed' ? (
              'nothing'
            ) : (
              <span key="wallet">
                <strong>
                  <Money amount={settlementAmount} currency="PKR" />
                </strong>{' '}
                {completedAt === null ? <span className="quiet">if it completes</span> : null}
              </span>
            ),
          ],
        ]}
      />
    </Card>
  );
}

function About({ order }: { readonly order: Order }) {
  const { merchantOrderRef, customerReference, walletType, createdAt } = order;
  return (
    <Card title="Details">
      <Facts
        facts={[
          merchantOrderRef === null
            ? null
            : [
                'Your reference',
                <Copy key="own" value={merchantOrderRef} what="Your reference" mono />,
              ],
          customerReference === null
            ? null
            : [
                'Customer reference',
                <Copy key="customer" value={customerReference} what="Customer reference" mono />,
              ],
          ['Method', <MethodName key="method" method={walletType} currency={order.currency} />],
          ['Created', <When key="made" at={createdAt} />],
          order.customerAccountNumber === null
            ? null
            : [
                'Paid to',
                <span key="customer">
                  {order.customerAccountName === null ? null : (
                    <>
                      <bdi translate="no">{order.customerAccountName}</bdi>,{' '}
                    </>
                  )}
                  <bdi dir="ltr" translate="no">
                    {order.customerAccountNumber}
                  </bdi>
                </span>,
              ],
        ]}
      />
    </Card>
  );
}

function SentWith({ order }: { readonly order: Order }) {
  const url = (name: string, value: string | null) =>
    [
      name,
      value === null ? (
        <span key={name} className="quiet">
          none
        </span>
      ) : (
        <Copy key={name} value={value} what={name} mono />
      ),
    ] as const;
  return (
    <Card title="What you sent">
      <p className="quiet">As in your request. Metadata and signature are never shown.</p>
      <Facts
        facts={[
          [
            'Idempotency-Key',
            <Copy key="key" value={order.idempotencyKey} what="Idempotency-Key" mono />,
          ],
          url('Callback URL', order.callbackUrl),
          url('Success URL', order.successUrl),
          url('Failure URL', order.failureUrl),
          order.txnRefDigitsRequired === 0
            ? null
            : ['Digits asked for', String(order.txnRefDigitsRequired)],
        ]}
      />
    </Card>
  );
}
