import { Button } from '@mantine/core';
import { REVEAL_CUSTOMER } from '@munshi/api';
import { amountText, dayText, durationText, roundedAmount, secondsText } from '@munshi/web';
import {
  Card,
  Chip,
  Copy,
  Facts,
  Money,
  OrderStatus,
  Refusal,
  useWrite,
  When,
} from '@munshi/web-ui';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Ledger } from '../../effects/effect-summary.tsx';
import { MethodName, useMethodName } from '../../method-names.tsx';
import { feeText } from '../fees/rule-text.ts';
import classes from './order.module.css';
import type { OrderDetail } from './order.ts';
import { texts } from './texts.ts';

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
    <section className={classes['warning']} aria-label={texts.facts.similar}>
      <h2>
        <TriangleAlert size={16} aria-hidden />
        {texts.facts.similar}
      </h2>
      {referenceTakenBy === null ? null : <p>{texts.referenceTaken(referenceTakenBy)}</p>}
      <ul>
        {shown.map((other) => (
          <li key={other.orderId}>
            <div className={classes['line']}>
              <Link href={`/orders/${other.orderId}`}>{other.orderReference}</Link>
              <Money amount={other.amount} currency={other.currency} />
            </div>
            <div className={classes['line']}>
              <span>{other.likenesses.map((one) => texts.likenesses[one]).join(texts.and)}</span>
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
          {texts.showMore(similar.length - shown.length)}
        </Button>
      )}
    </section>
  );
}

/** Whom the money comes from or goes to: masked, until somebody asks for all of it. */
export function Customer({ order }: Props) {
  const { orderId, canReveal, maskedAt } = order;
  const reveal = useWrite(REVEAL_CUSTOMER);
  const shown = reveal.shown?.data ?? order;
  const { customerAccountNumber: account, customerAccountName: name, payerAccount } = shown;
  const isMasked = reveal.shown === undefined;
  const known = [account, name, payerAccount].some((value) => value !== null);
  const copied = (value: string | null, what: string): ReactNode =>
    value === null ? null : isMasked ? <bdi>{value}</bdi> : <Copy value={value} what={what} />;
  return (
    <Card
      title={texts.facts.customer}
      actions={
        known && canReveal && isMasked && maskedAt === null ? (
          <Button
            variant="default"
            size="compact-xs"
            title={texts.showing}
            loading={reveal.sending}
            onClick={() => void reveal.send({ params: { orderId } }).catch(() => {})}
          >
            {texts.show}
          </Button>
        ) : null
      }
    >
      {known || order.customerReference !== null ? null : (
        <p className="quiet">{texts.nothingOfCustomer}</p>
      )}
      <Facts
        facts={[
          account === null ? null : [texts.account, copied(account, texts.account)],
          name === null ? null : [texts.accountName, copied(name, texts.accountName)],
          payerAccount === null ? null : [texts.payer, copied(payerAccount, texts.payer)],
          order.customerReference === null
            ? null
            : [texts.customerReference, <bdi key="reference">{order.customerReference}</bdi>],
        ]}
      />
      {isMasked ? null : <p className="quiet">{texts.shownAndAudited}</p>}
      {maskedAt === null ? null : (
        <p className="quiet">{texts.maskedForGood(dayText(Date.parse(maskedAt)))}</p>
      )}
      <Refusal error={reveal.error} />
    </Card>
  );
}

/** What was shown to the customer, and what both sides have said of the payment. */
export function Payment({ order }: Props) {
  const { member, orderType, transactionDigits, memberTransactionReference } = order;
  const account = member?.account ?? null;
  return (
    <Card title={texts.facts.payment}>
      <Facts
        facts={[
          [texts.method, <MethodName key="method" method={order.walletType} />],
          account === null
            ? null
            : [
                orderType === 'Deposit' ? texts.receivingAccount : texts.payingAccount,
                <Copy key="account" value={account.accountNumber} what={texts.account} />,
              ],
          account === null ? null : [texts.accountName, account.accountTitle],
          transactionDigits === null
            ? null
            : [texts.digits, <Copy key="digits" value={transactionDigits} what={texts.digitsOf} />],
          memberTransactionReference === null
            ? null
            : [
                texts.memberReference,
                <Copy
                  key="reference"
                  value={memberTransactionReference}
                  what={texts.memberReference}
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
      <Card title={texts.facts.member}>
        <p className="quiet">{texts.noAccount}</p>
      </Card>
    );
  const { openOrders, maxOpenOrders, record } = member;
  const presence =
    member.status === 'suspended'
      ? texts.suspended
      : (member.online ? texts.online : texts.offline)(openOrders, maxOpenOrders);
  const { medianConfirmSeconds: median } = record;
  return (
    <Card title={texts.facts.member}>
      <Facts
        facts={[
          [member.name, presence],
          ...alertFacts(order),
          [texts.float, <Money key="float" amount={member.floatBalance} currency="PKR" />],
          [texts.held, <Money key="held" amount={member.floatHeld} currency="PKR" />],
          [texts.median, median === null ? texts.none : durationText(median * 1000)],
          [
            texts.rejects,
            record.ended === 0 ? texts.none : texts.rejectsOf(record.rejected, record.ended),
          ],
          formerMemberIds.length === 0
            ? null
            : [texts.formerMembers, texts.reassigned(new Set(formerMemberIds).size)],
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
      : ([texts.sendingSince, <When key="sending" at={sending.at} />] as const),
    alert === undefined
      ? null
      : ([
          texts.alertSeen,
          late === null ? texts.alertUnseen : texts.alertAfter(secondsText(late)),
        ] as const),
  ];
}

/** What the order was accepted with. */
export function Terms({ order }: Props) {
  const { fee, feeRule, currency, rate } = order;
  const rounded = roundedAmount(order);
  const nameOf = useMethodName();
  return (
    <Card title={texts.facts.terms}>
      <Facts
        facts={[
          [texts.merchant, order.merchantName],
          order.merchantOrderRef === null
            ? null
            : [
                texts.merchantRef,
                <Copy
                  key="reference"
                  value={order.merchantOrderRef}
                  what={texts.merchantRef}
                  mono
                />,
              ],
          rounded === null ? null : [texts.sent[order.orderType], amountText(rounded, currency)],
          [texts.fee, fee === null ? texts.noFee : amountText(fee, currency)],
          feeRule === null
            ? null
            : [
                texts.feeRule,
                `${feeRule.merchantId === null ? texts.platformRule : texts.merchantRule}, ${nameOf(feeRule.walletType)}, ${feeText(feeRule)}`,
              ],
          currency === 'PKR'
            ? null
            : [
                texts.rate,
                <span key="rate" className="number">
                  {rate}
                </span>,
              ],
          [texts.net, amountText(order.settlementAmount, 'PKR')],
        ]}
      />
    </Card>
  );
}

/** The ledger entries that were written. */
export function OrderLedger({ order: { postings } }: Props) {
  return <Ledger postings={postings} />;
}

const DELIVERY_TONES = {
  pending: 'busy',
  failing: 'failed',
  delivered: 'done',
  abandoned: 'failed',
  superseded: 'over',
} as const;

/** The webhooks to the merchant, and how they went. */
export function Deliveries({ order: { deliveries, callbackUrl } }: Props) {
  return (
    <Card title={texts.facts.deliveries}>
      {callbackUrl === null ? <p className="quiet">{texts.noCallback}</p> : null}
      {callbackUrl !== null && deliveries.length === 0 ? (
        <p className="quiet">{texts.noDeliveries}</p>
      ) : null}
      <ul className={classes['list']}>
        {deliveries.map(({ deliveryId, eventType, url, status, attempts, nextAttemptAt }) => {
          const shown = status === 'pending' && attempts.length > 0 ? 'failing' : status;
          return (
            <li key={deliveryId}>
              <div className={classes['line']}>
                <span>{eventType}</span>
                <Chip tone={DELIVERY_TONES[shown]} label={texts.deliveryStatuses[shown]} />
              </div>
              <div className="quiet">
                <Copy value={url} what={texts.callback} mono />
              </div>
              <div className="quiet">
                {texts.attempts(attempts.length)}
                {nextAttemptAt === null ? null : (
                  <>
                    {texts.and}
                    {texts.nextAttempt} <When at={nextAttemptAt} />
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
    <section className={classes['warning']} aria-label={texts.facts.claims}>
      <h2>
        <TriangleAlert size={16} aria-hidden />
        {texts.facts.claims}
      </h2>
      <ul>
        {open.map((claim) => (
          <li key={claim.claimId}>
            {texts.claim(claim)}, <When at={claim.claimedAt} />
            <div>
              <Link href={`/late-claims?claim=${claim.claimId}`}>{texts.toClaim}</Link>
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
    <section className={classes['request']} aria-label={texts.facts.approvals}>
      <h2>{texts.facts.approvals}</h2>
      <ul>
        {approvals.map(({ approvalId, kind, request, requestedName, requestedAt, expiresAt }) => (
          <li key={approvalId}>
            {texts.asks(requestedName, texts.requests[askedOf(kind, request)])}
            <div className="quiet">{String(request['note'] ?? '')}</div>
            {typeof request['internalNote'] === 'string' ? (
              <div className="quiet">{texts.internalNote(request['internalNote'])}</div>
            ) : null}
            <div className="quiet">
              <When at={requestedAt} />
              {texts.and}
              {texts.ends} <When at={expiresAt} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
