import { Button } from '@mantine/core';
import { REVEAL_CUSTOMER } from '@munshi/api';
import { dayText, durationText, roundedAmount, secondsText } from '@munshi/web';
import {
  Card,
  Copy,
  DeliveryStatus,
  EVENT_NAMES,
  Facts,
  Money,
  OrderStatus,
  Reference,
  Refusal,
  useWrite,
  When,
} from '@munshi/web-ui';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Ledger } from '../../effects/effect-summary.tsx';
import { MethodName, useMethodName } from '../../method-names.ts';
import { feeText } from '../fees/rule-text.ts';
import classes from './order.module.css';
import { addedTo, claimedBy, formerDigits, type OrderDetail } from './order.ts';

const LIKENESSES = {
  'member-reference': 'member noted this transaction',
  digits: 'same digits',
  payer: 'same payer',
  amount: 'same amount and account',
  reference: 'same reference',
};

const reassigned = (count: number) => (count === 1 ? '1 member' : `${count} members`);

/** Of an order with more decimals than can be sent. */
const SENT = { Deposit: 'Customer sends', Withdrawal: 'Member sends' };

/** What moves between merchant and member. */
const SETTLES = {
  open: 'Settles',
  Completed: 'Settled',
  Failed: 'Would have settled',
};

const REQUESTS = {
  'order-confirm': 'confirm it late',
  Completed: 'complete it',
  Cancelled: 'cancel it',
  other: 'something about it',
};

interface Props {
  readonly order: OrderDetail;
}

const SIMILAR_SHOWN = 3;

/** Orders that look like this one: what an operator has to compare before deciding. */
export function LooksLike({ order: { similar, referenceTakenBy } }: Props) {
  const [all, setAll] = useState(false);
  if (similar.length === 0 && referenceTakenBy === null) return null;
  const shown = all ? similar : similar.slice(0, SIMILAR_SHOWN);
  return (
    <section className={classes['warning']} aria-label="Looks like">
      <h2>
        <TriangleAlert size={16} aria-hidden />
        Looks like
      </h2>
      {referenceTakenBy === null ? null : (
        <p>{referenceTakenBy} has this merchant’s reference now.</p>
      )}
      <ul>
        {shown.map((other) => (
          <li key={other.orderId}>
            <div className={classes['line']}>
              <Link href={`/orders/${other.orderId}`}>
                <Reference reference={other.orderReference} />
              </Link>
              <Money amount={other.amount} currency={other.currency} />
            </div>
            <div className={classes['line']}>
              <span>{other.likenesses.map((one) => LIKENESSES[one]).join(', ')}</span>
              <OrderStatus status={other.status} stage={other.stage} />
            </div>
            <div className="quiet">
              {other.merchantName}, <When at={other.createdAt} />
            </div>
          </li>
        ))}
      </ul>
      {shown.length === similar.length ? null : (
        <Button variant="default" size="compact-sm" mt={12} onClick={() => setAll(true)}>
          Show {similar.length - shown.length} more
        </Button>
      )}
    </section>
  );
}

/** Whom the money comes from or goes to: masked, until somebody asks for all of it. */
export function Customer({ order }: Props) {
  const { orderId, canReveal, maskedAt } = order;
  const reveal = useWrite(REVEAL_CUSTOMER);
  const paidBy = addedTo(order).find(({ about }) => about === 'paidBy')?.note ?? null;
  const shown = reveal.shown?.data ?? { ...order, paidBy };
  const { customerAccountNumber: account, customerAccountName: name, payerAccount } = shown;
  const isMasked = reveal.shown === undefined;
  const known = [account, name, payerAccount, shown.paidBy].some((value) => value !== null);
  const copied = (value: string | null, what: string): ReactNode =>
    value === null ? null : isMasked ? (
      <bdi translate="no">{value}</bdi>
    ) : (
      <Copy value={value} what={what} />
    );
  return (
    <Card
      title="Customer"
      actions={
        known && canReveal && isMasked && maskedAt === null ? (
          <Button
            variant="default"
            size="compact-xs"
            title="Shows the customer’s data. This is recorded in the audit log."
            loading={reveal.sending}
            onClick={() => void reveal.send({ params: { orderId } }).catch(() => {})}
          >
            Show
          </Button>
        ) : null
      }
    >
      {known || order.customerReference !== null ? null : (
        <p className="quiet">The merchant has sent nothing about the customer.</p>
      )}
      <Facts
        facts={[
          account === null ? null : ['Account', copied(account, 'Account')],
          name === null ? null : ['Account name', copied(name, 'Account name')],
          payerAccount === null ? null : ['Payer', copied(payerAccount, 'Payer')],
          shown.paidBy === null ? null : ['Paid by, they say', copied(shown.paidBy, 'Paid by')],
          order.customerReference === null
            ? null
            : [
                'Customer reference',
                <bdi key="reference" translate="no">
                  {order.customerReference}
                </bdi>,
              ],
        ]}
      />
      {isMasked ? null : <p className="quiet">Shown, and recorded in the audit log</p>}
      {maskedAt === null ? null : (
        <p className="quiet">Masked permanently on {dayText(Date.parse(maskedAt))}.</p>
      )}
      <Refusal error={reveal.error} />
    </Card>
  );
}

/** What was shown to the customer, and what both sides have said of the payment. */
export function Payment({ order }: Props) {
  const { member, orderType, transactionDigits, memberTransactionReference } = order;
  const account = member?.account ?? null;
  const former = formerDigits(order);
  return (
    <Card title="Payment">
      <Facts
        facts={[
          [
            'Method',
            <MethodName key="method" method={order.walletType} currency={order.currency} />,
          ],
          account === null
            ? null
            : [
                orderType === 'Deposit' ? 'Paid to' : 'Paid from',
                <Copy key="account" value={account.accountNumber} what="Account" />,
              ],
          account === null ? null : ['Account name', account.accountTitle],
          transactionDigits === null
            ? null
            : [
                'Digits',
                <span key="digits">
                  {former === null ? null : `${former}, corrected to `}
                  <Copy value={transactionDigits} what="the digits" />
                </span>,
              ],
          memberTransactionReference === null
            ? null
            : [
                'Member’s reference',
                <Copy
                  key="reference"
                  value={memberTransactionReference}
                  what="Member’s reference"
                />,
              ],
        ]}
      />
    </Card>
  );
}

/** Who holds the order, or held it last, and how they have worked of late. */
export function Member({ order }: Props) {
  const { member, formerMemberIds } = order;
  if (member === null)
    return (
      <Card title="Member">
        <p className="quiet">No member has this order yet.</p>
      </Card>
    );
  const { openOrders, maxOpenOrders, record } = member;
  const presence =
    member.status === 'suspended'
      ? 'suspended'
      : `${member.online ? 'online' : 'offline'}, ${openOrders} of ${maxOpenOrders} in hand`;
  const { medianConfirmSeconds: median } = record;
  return (
    <Card title="Member">
      <Facts
        facts={[
          [member.name, presence],
          ...alertFacts(order),
          ['Float', <Money key="float" amount={member.floatBalance} currency="PKR" />],
          ['Held by open deposits', <Money key="held" amount={member.floatHeld} currency="PKR" />],
          ['Median to confirm', median === null ? 'none' : durationText(median * 1000)],
          [
            'Rejects of late',
            record.ended === 0 ? 'none' : `${record.rejected} of ${record.ended}`,
          ],
          formerMemberIds.length === 0
            ? null
            : ['Had it before', reassigned(new Set(formerMemberIds).size)],
        ]}
      />
    </Card>
  );
}

/** What the holder does about the order, as far as they have said it. */
function alertFacts({ member, alerts, timeline }: OrderDetail) {
  const sending = timeline.findLast(
    (entry) =>
      entry.kind === 'note' && entry.about === 'sending' && entry.actor.id === member?.memberId,
  );
  const alert = alerts.findLast(({ memberId }) => memberId === member?.memberId);
  const late = alert?.seenAfterMs ?? null;
  return [
    sending === undefined
      ? null
      : (['Sending since', <When key="sending" at={sending.at} />] as const),
    alert === undefined
      ? null
      : (['Alert seen', late === null ? 'not yet' : `after ${secondsText(late)}`] as const),
  ];
}

/** What the order was accepted with. */
export function Terms({ order }: Props) {
  const { fee, feeRule, currency, rate, stage } = order;
  const settlement = stage === 'Completed' || stage === 'Failed' ? stage : 'open';
  const rounded = roundedAmount(order);
  const nameOf = useMethodName();
  return (
    <Card title="Terms">
      <Facts
        facts={[
          ['Merchant', order.merchantName],
          order.merchantOrderRef === null
            ? null
            : [
                'Merchant’s reference',
                <Copy
                  key="reference"
                  value={order.merchantOrderRef}
                  what="Merchant’s reference"
                  mono
                />,
              ],
          rounded === null
            ? null
            : [SENT[order.orderType], <Money key="sent" amount={rounded} currency={currency} />],
          ['Fee', fee === null ? 'none' : <Money key="fee" amount={fee} currency={currency} />],
          feeRule === null
            ? null
            : [
                'Fee rule',
                `${feeRule.merchantId === null ? 'Platform' : 'Merchant’s own'}, ${nameOf(feeRule.walletType)}, ${feeText(feeRule)}`,
              ],
          currency === 'PKR'
            ? null
            : [
                'Rate',
                <span key="rate" className="number">
                  {rate}
                </span>,
              ],
          [
            SETTLES[settlement],
            <Money key="settles" amount={order.settlementAmount} currency="PKR" />,
          ],
        ]}
      />
    </Card>
  );
}

/** The ledger entries that were written. */
export function OrderLedger({ order: { postings } }: Props) {
  return <Ledger postings={postings} />;
}

/** The webhooks to the merchant, and how they went. */
export function Deliveries({ order: { deliveries, callbackUrl } }: Props) {
  return (
    <Card title="Webhooks">
      {callbackUrl === null ? (
        <p className="quiet">The order has no callback URL, so no webhook is sent.</p>
      ) : null}
      {callbackUrl !== null && deliveries.length === 0 ? (
        <p className="quiet">Nothing has been sent for this order.</p>
      ) : null}
      <ul className={classes['list']}>
        {deliveries.map(({ deliveryId, eventType, url, status, attempts, nextAttemptAt }) => {
          return (
            <li key={deliveryId}>
              <div className={classes['line']}>
                <Link href={`/deliveries/${deliveryId}`}>{EVENT_NAMES[eventType]}</Link>
                <DeliveryStatus status={status} attemptsMade={attempts.length} />
              </div>
              <div className="quiet">
                <Copy value={url} what="Callback" mono />
              </div>
              <div className="quiet">
                {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
                {nextAttemptAt === null ? null : (
                  <>
                    , next <When at={nextAttemptAt} />
                  </>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** What the customer left after expiry. */
export function LateClaims({ order: { lateClaims } }: Props) {
  const open = lateClaims.filter(({ status }) => status === 'open');
  if (open.length === 0) return null;
  return (
    <section className={classes['warning']} aria-label="Late claims">
      <h2>
        <TriangleAlert size={16} aria-hidden />
        Late claims
      </h2>
      <ul>
        {open.map((claim) => (
          <li key={claim.claimId}>
            The customer says they paid, {claimedBy(claim)}, <When at={claim.claimedAt} />
            <div>
              <Link href={`/late-claims?claim=${claim.claimId}`}>Look for the payment</Link>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Asked = OrderDetail['approvals'][number];

const askedOf = (kind: Asked['kind'], { outcome }: Asked['request']) => {
  if (kind === 'order-resolve') return outcome === 'Cancelled' ? 'Cancelled' : 'Completed';
  return kind === 'order-confirm' ? kind : 'other';
};

/** What waits for a second operator. */
export function Requests({ order: { approvals } }: Props) {
  if (approvals.length === 0) return null;
  return (
    <section className={classes['request']} aria-label="Waits for a second operator">
      <h2>Waits for a second operator</h2>
      <ul>
        {approvals.map(({ approvalId, kind, request, requestedName, requestedAt, expiresAt }) => (
          <li key={approvalId}>
            {requestedName} asks: {REQUESTS[askedOf(kind, request)]}
            <div className="quiet">{String(request['note'] ?? '')}</div>
            {typeof request['internalNote'] === 'string' ? (
              <div className="quiet">For ourselves: {request['internalNote']}</div>
            ) : null}
            <div className="quiet">
              <When at={requestedAt} />, ends <When at={expiresAt} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
