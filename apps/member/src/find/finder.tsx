import { plainDigits } from '@munshi/web';
import {
  fitOf,
  fitRank,
  mayBeAbout,
  onlyIdOf,
  type PaymentFit,
  type PaymentMessage,
  readPaymentMessage,
} from '@munshi/web/payment-fit';
import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../language.ts';
import { CrossIcon, TickIcon, WarnIcon } from '../parts/icons.tsx';
import { OrderCard } from '../work/cards.tsx';
import { isFound } from '../work/found.ts';
import { orders } from '../work/known.ts';
import { bySoonest, type Group, groupOf, type Order } from '../work/orders.ts';
import { forgetSought, idRead, sought } from '../work/sought.ts';
import { takeShared } from './shared.ts';
import { words } from './words.ts';
import './find.css';

/** From a message of a wallet or bank, or from an amount or digits, to the order in hand. */
export function Finder() {
  const { label, paste, clear, pasteHere } = words.value;
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState(false);
  const text = sought.value;
  const seek = (typed: string) => {
    setRefused(false);
    sought.value = typed;
  };
  useEffect(() => {
    void takeShared().then((shared) => {
      if (shared !== '') seek(shared);
    });
    const hidden = () => {
      if (document.hidden) forgetSought();
    };
    document.addEventListener('visibilitychange', hidden);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      forgetSought(); // an order opens, or another screen
    };
  }, []);
  const readClipboard = async () => {
    const pasted = await navigator.clipboard?.readText().catch(() => '');
    if (pasted) seek(pasted);
    else {
      setRefused(true);
      input.current?.focus();
    }
  };
  if (orders.value.length === 0 && text === '') return null;
  return (
    <search class="find">
      <label for="find">{label}</label>
      <div class="find-field">
        <input
          id="find"
          ref={input}
          dir="auto"
          autocomplete="off"
          value={text}
          aria-describedby={refused ? 'find-hint' : undefined}
          onInput={({ currentTarget }) => seek(currentTarget.value)}
          onPaste={(event) => {
            // The field would join the lines of a message.
            event.preventDefault();
            seek(event.clipboardData?.getData('text') ?? '');
          }}
        />
        <button
          type="button"
          class="secondary"
          onClick={() => (text === '' ? void readClipboard() : forgetSought())}
        >
          {text === '' ? paste : clear}
        </button>
      </div>
      {refused ? (
        <p class="hint" id="find-hint" role="status">
          {pasteHere}
        </p>
      ) : null}
      {text.trim() === '' ? null : <Found text={text} />}
    </search>
  );
}

interface FoundOrder {
  readonly order: Order;
  readonly group: Group;
  /** Null: it was looked for by an amount or digits. */
  readonly fit: PaymentFit | null;
}

function Found({ text }: { readonly text: string }) {
  const { forged, nothing } = words.value;
  const message = isTyped(text) ? null : readPaymentMessage(text, -new Date().getTimezoneOffset());
  const found = message === null ? byTyped(text) : byMessage(text, message);
  return (
    <>
      {message === null ? null : (
        <p class="note warn">
          <WarnIcon size={18} /> <span>{forged}</span>
        </p>
      )}
      <p class="unseen" role="status">
        {found.length === 0 ? nothing : texts.value.alarm.many(found.length)}
      </p>
      {found.length === 0 ? (
        <p class="note calm" aria-hidden="true">
          {nothing}
        </p>
      ) : null}
      <ul class="spaced">
        {found.map(({ order, group, fit }) => (
          <li
            key={order.orderId}
            class={`group ${group}`}
            onClickCapture={() => {
              const id = message && onlyIdOf(message);
              idRead.value = id === null ? null : { orderId: order.orderId, id };
            }}
          >
            <OrderCard order={order} group={group} />
            {fit === null ? null : <Fits fit={fit} order={order} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** An amount, digits, or the end of a reference. */
const isTyped = (text: string): boolean =>
  /^(?:[\d.,\s]{1,12}|[\dA-Z]{6})$/i.test(plainDigits(text).trim());

function inHand(): readonly FoundOrder[] {
  return [...orders.value].sort(bySoonest).flatMap((order) => {
    const group = groupOf(order);
    return group === undefined ? [] : [{ order, group, fit: null }];
  });
}

function byTyped(text: string): readonly FoundOrder[] {
  const begun = plainDigits(text).replaceAll(/[,\s]/g, '');
  return inHand().filter(
    ({ order }) =>
      isFound(order, text) ||
      order.amount.startsWith(begun) ||
      order.transactionDigits?.startsWith(begun),
  );
}

/** The best first; of equals the most urgent. */
const byMessage = (text: string, message: PaymentMessage): readonly FoundOrder[] =>
  inHand()
    .map(({ order, group }) => ({ order, group, fit: fitOf(order, message) }))
    .filter(({ order, fit }) => mayBeAbout(fit) || isFound(order, text))
    .sort((left, right) => fitRank(right.fit) - fitRank(left.fit));

/** What fits and what does not, in words: a colour alone says nothing to many. */
function Fits({ fit, order }: { readonly fit: PaymentFit; readonly order: Order }) {
  const { amount, digits, payer, wentOut, cameIn, warnings } = words.value;
  const way = order.orderType === 'Deposit' ? wentOut : fit.way === 'fits' ? wentOut : cameIn;
  return (
    <ul class="fits">
      {fit.amount && <Mark is={fit.amount} text={amount[fit.amount]} />}
      {fit.digits && <Mark is={fit.digits} text={digits[fit.digits]} />}
      {fit.payer && <Mark is={fit.payer} text={payer[fit.payer]} />}
      {fit.way === 'differs' || (fit.way === 'fits' && order.orderType === 'Withdrawal') ? (
        <Mark is={fit.way} text={way} />
      ) : null}
      {fit.warnings.map((warning) => (
        <Mark key={warning} is="differs" text={warnings[warning]} />
      ))}
    </ul>
  );
}

interface MarkProps {
  readonly is: 'fits' | 'differs' | 'noId' | 'absent';
  readonly text: string;
}

const Mark = ({ is, text }: MarkProps) => (
  <li class={`chip ${is === 'fits' ? 'good' : is === 'differs' ? 'amber' : ''}`}>
    {is === 'fits' ? <TickIcon size={14} /> : is === 'differs' ? <CrossIcon size={14} /> : null}
    <span>{text}</span>
  </li>
);
