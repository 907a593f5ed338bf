import {
  compareMoney,
  isSentFor,
  payableAmount,
  readAmount,
  signOf,
  subtractMoney,
} from '@munshi/web';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { agoText, leftToRight, moneyText, payableText, shortAccount } from '../format.ts';
import { texts } from '../language.ts';
import { doTo } from '../outbox/actions.ts';
import { Field } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { may, type Order } from '../work/orders.ts';
import { idRead, idReadFor } from '../work/sought.ts';
import { Added } from './added.tsx';
import { Amount, Duplicates, NotesToOperators, OwnAccount, PayerDigits } from './facts.tsx';
import { HoldButton } from './hold-button.tsx';
import { RejectSheet } from './lazy-sheets.ts';
import { sendNote } from './note.ts';
import { SendButton } from './send-button.tsx';

interface OrderProps {
  readonly order: Order;
  /** An action of it is under way. */
  readonly busy: boolean;
}

/** M6: the customer says to have paid. In the order in which one looks. */
export function CheckOrder({ order, busy }: OrderProps) {
  const { order: words, saysPaid, reject } = texts.value;
  const [rejecting, setRejecting] = useState(false);
  return (
    <>
      <Amount
        order={order}
        tone="amber"
        label={order.sentAt === null ? words.toCome : saysPaid(agoText(order.sentAt))}
      />
      <OwnAccount order={order} label={words.lookIn} />
      <PayerDigits order={order} />
      <Added order={order} />
      <Duplicates order={order} />
      <NotesToOperators order={order} />
      <p class="hint">{words.lookInApp}</p>
      {may(order, 'reject') && !busy ? (
        <button type="button" class="quiet-link bad" onClick={() => setRejecting(true)}>
          {reject.link}
        </button>
      ) : null}
      {rejecting ? <RejectSheet order={order} onClose={() => setRejecting(false)} /> : null}
    </>
  );
}

/** The way to confirm, under the thumb. */
export function CheckAction({ order }: { readonly order: Order }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="primary good" onClick={() => setAsking(true)}>
        {texts.value.receive.button}
      </button>
      {asking ? <AmountSheet order={order} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

/** What has arrived, typed by who has seen it: nothing stands in the field. */
function AmountSheet({ order, onClose }: { readonly order: Order; onClose(): void }) {
  const { receive } = texts.value;
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const amount = readAmount(typed);
  const equal = amount !== undefined && isSentFor(order, amount);
  const due = payableText(order);
  const transactionReference = idReadFor(order.orderId);
  const confirm = async () => {
    if (amount === undefined) return;
    const body = {
      receivedAmount: amount,
      ...(transactionReference !== null && { transactionReference }),
    };
    await doTo(order, { kind: 'confirm', body });
    onClose();
  };
  return (
    <Sheet title={receive.title} onClose={onClose}>
      <Field
        label={`${receive.amount} (${signOf(order.currency)})`}
        value={typed}
        sign={signOf(order.currency)}
        onInput={setTyped}
        inputRef={input}
        error={
          typed === '' || equal
            ? undefined
            : differenceText({ ...order, amount: payableAmount(order) }, amount)
        }
        input={{ inputmode: 'decimal', autocomplete: 'off', dir: 'ltr', enterkeyhint: 'done' }}
      />
      {typed !== '' && amount !== undefined && !equal ? (
        <>
          <p class="note warn">{receive.differs}</p>
          {may(order, 'note') ? (
            <SendButton
              class="secondary"
              label={receive.tell}
              send={async () => {
                const wrong = await sendNote(order, { kind: 'otherAmount', amount });
                if (wrong === null) onClose();
                return wrong;
              }}
            />
          ) : null}
        </>
      ) : null}
      {transactionReference === null ? null : (
        <p class="note calm">
          <span>{receive.withId(leftToRight(transactionReference))}</span>
          <button
            type="button"
            class="bare"
            onClick={() => {
              idRead.value = null;
            }}
          >
            {receive.withoutId}
          </button>
        </p>
      )}
      <HoldButton
        key={equal ? 'live' : 'off'}
        label={receive.confirm(due)}
        sure={receive.sure(shortAccount(order.account?.accountNumber ?? ''))}
        disabled={!equal}
        onDone={confirm}
      />
    </Sheet>
  );
}

function differenceText({ amount: due, currency }: Order, amount: string | undefined): string {
  const { receive } = texts.value;
  if (amount === undefined) return receive.notAnAmount;
  const whole = moneyText(due, currency);
  return compareMoney(amount, due) < 0
    ? receive.less(moneyText(subtractMoney(due, amount), currency), whole)
    : receive.more(moneyText(subtractMoney(amount, due), currency), whole);
}
