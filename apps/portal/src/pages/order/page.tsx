import { PORTAL_READ_ORDER } from '@munshi/api';
import { amountText, roundedAmount } from '@munshi/web';
import {
  Card,
  Copy,
  Facts,
  Loaded,
  OrderStatus,
  Page,
  Timeline,
  useRead,
  useRecent,
  When,
} from '@munshi/web-ui';
import { useParams } from 'wouter';
import { MethodName } from '../../method-names.tsx';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import classes from './order.module.css';
import type { Order } from './order.ts';
import { PaymentPage } from './payment-page.tsx';
import { texts } from './texts.ts';

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
    <Page title={texts.order}>
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
      title={texts.title(amountText(amount, currency), texts.kinds[orderType])}
      beside={<OrderStatus status={status} stage={stage} />}
      lead={<Copy value={orderReference} what={texts.reference} />}
      actions={<Actions order={order} />}
    >
      <p className={classes['story']}>{texts.story[orderType][status]}</p>
      <div className={classes['columns']}>
        <div>
          <Card title={texts.happened}>
            <Timeline label={texts.happened} entries={stepsOf(order)} />
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
const byOf = ({ status, by }: Order['steps'][number]) =>
  status === 'ManualReview' ? '' : texts.by[by];

const stepsOf = ({ steps, orderType, failureReason }: Order) =>
  steps.map((step, at) => ({
    id: String(at),
    at: step.at,
    what: [at === 0 ? texts.created : texts.step(step, orderType), byOf(step)]
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
  const wallet = orderType === 'Deposit' ? texts.intoWallet : texts.fromWallet;
  return (
    <Card title={texts.money}>
      <Facts
        facts={[
          [
            texts.amount,
            <span key="amount" className="number">
              {amountText(amount, currency)}
            </span>,
          ],
          rounded === null
            ? null
            : [
                texts.rounded[orderType],
                <span key="sent" className="number">
                  {amountText(rounded, currency)}
                </span>,
              ],
          currency === 'PKR' ? null : [texts.rate, texts.perUnit(rate, currency)],
          [
            texts.fee,
            fee === null ? (
              texts.noFee
            ) : (
              <span key="fee" className="number">
                {amountText(fee, currency)}
              </span>
            ),
          ],
          [
            wallet,
            stage === 'Failed' ? (
              texts.nothingMoved
            ) : (
              <span key="wallet">
                <strong className="number">{amountText(settlementAmount, 'PKR')}</strong>{' '}
                {completedAt === null ? <span className="quiet">{texts.ifCompleted}</span> : null}
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
    <Card title={texts.facts}>
      <Facts
        facts={[
          merchantOrderRef === null
            ? null
            : [
                texts.yourReference,
                <Copy key="own" value={merchantOrderRef} what={texts.yourReference} mono />,
              ],
          customerReference === null
            ? null
            : [
                texts.customerReference,
                <Copy
                  key="customer"
                  value={customerReference}
                  what={texts.customerReference}
                  mono
                />,
              ],
          [texts.method, <MethodName key="method" method={walletType} />],
          [texts.madeAt, <When key="made" at={createdAt} />],
          order.customerAccountNumber === null
            ? null
            : [
                texts.customer,
                <span key="customer">
                  {order.customerAccountName === null ? null : (
                    <>
                      <bdi>{order.customerAccountName}</bdi>,{' '}
                    </>
                  )}
                  <bdi dir="ltr">{order.customerAccountNumber}</bdi>
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
          {texts.none}
        </span>
      ) : (
        <Copy key={name} value={value} what={name} mono />
      ),
    ] as const;
  return (
    <Card title={texts.sent}>
      <p className="quiet">{texts.sentLead}</p>
      <Facts
        facts={[
          [
            texts.idempotencyKey,
            <Copy key="key" value={order.idempotencyKey} what={texts.idempotencyKey} mono />,
          ],
          url(texts.callbackUrl, order.callbackUrl),
          url(texts.successUrl, order.successUrl),
          url(texts.failureUrl, order.failureUrl),
          order.txnRefDigitsRequired === 0
            ? null
            : [texts.digitsRequired, String(order.txnRefDigitsRequired)],
        ]}
      />
    </Card>
  );
}
