import { useState } from 'preact/hooks';
import { dayText, timeText } from '../format.ts';
import { texts } from '../language.ts';
import { methodName } from '../methods.ts';
import { CrossIcon, FlagIcon, TickIcon } from '../parts/icons.tsx';
import { lazyPart } from '../parts/lazy.tsx';
import { ReadOff } from '../parts/values.tsx';
import { isOver, may, type Order } from '../work/orders.ts';
import { Amount, Fact, OwnAccount, PayerDigits } from './facts.tsx';
import { ReportSheet } from './lazy-sheets.ts';
import { outcomeText } from './outcome.ts';

const Timeline = lazyPart<Pick<OrderProps, 'order'>>(
  async () => (await import('../history/timeline.tsx')).Timeline,
);
const HandedIn = lazyPart<Pick<OrderProps, 'order'>>(
  async () => (await import('./handed-in.tsx')).HandedIn,
);

interface OrderProps {
  readonly order: Order;
  readonly busy: boolean;
}

/** Operations have it: nothing to do but to say what one knows. */
export const ReviewOrder = ({ order, busy }: OrderProps) => (
  <>
    <Amount order={order} label={kindText(order)} />
    <InReview order={order} />
    <Facts order={order} />
    <ReportLink order={order} busy={busy} />
    <Timeline order={order} />
    <HandedIn order={order} />
  </>
);

/** Over, or another member's: what it became. */
export const OverOrder = ({ order, busy }: OrderProps) => (
  <>
    <Amount order={order} label={kindText(order)} />
    {!order.handedOver ? (
      <Outcome order={order} />
    ) : order.status === 'ManualReview' ? (
      <InReview order={order} />
    ) : (
      <p class="note warn">
        {isOver(order) ? texts.value.order.handedOverEnd : texts.value.order.handedOver}
      </p>
    )}
    <Facts order={order} />
    <ReportLink order={order} busy={busy} />
    <Timeline order={order} />
    <HandedIn order={order} />
  </>
);

function InReview({ order }: { readonly order: Order }) {
  const { order: words } = texts.value;
  return (
    <p class="note review">
      <FlagIcon size={18} />{' '}
      <span>{may(order, 'report') ? words.inReviewPaid : words.inReview}</span>
    </p>
  );
}

const kindText = ({ orderType }: Order): string =>
  orderType === 'Deposit' ? texts.value.order.deposit : texts.value.order.withdrawal;

function Outcome({ order }: { readonly order: Order }) {
  const at = order.completedAt ?? order.failedAt;
  const good = order.completedAt !== null;
  return (
    <p class={`note ${good ? 'good' : 'calm'}`}>
      {good ? <TickIcon size={18} /> : <CrossIcon size={18} />}
      <span>
        <b>{outcomeText(order)}</b>
        {at === null ? null : `, ${dayText(at)} ${timeText(at)}`}
        {order.reasonCode === null ? null : (
          <>
            <br />
            {texts.value.reject.reasons[order.reasonCode]}
          </>
        )}
      </span>
    </p>
  );
}

const Facts = ({ order }: { readonly order: Order }) => {
  const { order: words, pay } = texts.value;
  const { customerAccountNumber: account, transactionReference: reference } = order;
  return (
    <>
      {order.orderType === 'Deposit' ? (
        <>
          <OwnAccount order={order} label={words.ownAccount} />
          <PayerDigits order={order} />
        </>
      ) : null}
      {account === null ? null : (
        <Fact label={words.customersAccount(methodName(order.walletType, order.currency))}>
          <ReadOff of={account} />
        </Fact>
      )}
      {reference === null ? null : (
        <Fact label={pay.reference} copy={reference}>
          <ReadOff of={reference} />
        </Fact>
      )}
    </>
  );
};

/** A member who had it and has paid it says so. */
function ReportLink({ order, busy }: OrderProps) {
  const { order: words } = texts.value;
  const [reporting, setReporting] = useState(false);
  if (!may(order, 'report') || busy || (isOver(order) && !order.handedOver)) return null;
  const lost = order.handedOver && order.status !== 'ManualReview';
  return (
    <>
      <button
        type="button"
        class={lost ? 'primary' : 'quiet-link'}
        onClick={() => setReporting(true)}
      >
        {lost ? words.youPaid : words.isWrong}
      </button>
      {reporting ? <ReportSheet order={order} onClose={() => setReporting(false)} /> : null}
    </>
  );
}
