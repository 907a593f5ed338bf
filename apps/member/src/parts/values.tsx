import { countdownText, localAmountText, payableAmount, piecesOf } from '@munshi/web';
import type { HTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../language.ts';
import { now } from '../now.ts';
import type { Order } from '../work/orders.ts';
import { CopyIcon, TickIcon } from './icons.tsx';

/** What is read off and compared, such as a name: no translator changes it. */
export const Exact = (shown: HTMLAttributes<HTMLElement>) => <bdi translate={false} {...shown} />;

interface MoneyProps {
  readonly amount: string;
  readonly currency: string;
  /** Of an order: what comes in or is paid of it is shown. */
  readonly orderType?: Order['orderType'];
}

/** `PKR 2,500`, `₹2,500`, from left to right in every language. */
export const Money = ({ amount, currency, orderType }: MoneyProps) => {
  const shown = orderType === undefined ? amount : payableAmount({ orderType, amount });
  const text = localAmountText(shown, currency);
  return (
    <Exact class="money" dir="ltr" style={{ '--length': text.length }}>
      {text}
    </Exact>
  );
};

/** An account or a reference, in pieces for the eye alone: a selection is the value itself. */
export const ReadOff = ({ of }: { readonly of: string }) => (
  <Exact class="read-off" dir="ltr">
    {piecesOf(of).map(({ text, after }) => (
      <>
        <span class={after === 'gap' ? 'gap' : undefined}>{text}</span>
        {after === 'space' ? ' ' : null}
      </>
    ))}
  </Exact>
);

/** Digits one by one: read aloud as digits, not as a number. */
export const Digits = ({
  of,
  small = false,
}: {
  readonly of: string;
  readonly small?: boolean;
}) => (
  <p
    class={small ? 'digits small' : 'digits'}
    dir="ltr"
    translate={false}
    role="img"
    aria-label={texts.value.order.saidDigits([...of].join(' '))}
  >
    {[...of].map((digit) => (
      <i aria-hidden="true">{digit}</i>
    ))}
  </p>
);

const SOON_MS = 5 * 60_000;
const LAST_MS = 60_000;

/** What is left until a deadline by the service's clock; amber under 5 minutes, red under 1. */
export function Countdown({ dueAt }: { readonly dueAt: string }) {
  const left = Date.parse(dueAt) - now.value;
  const tone = left < LAST_MS ? 'bad' : left < SOON_MS ? 'warn' : 'calm';
  const shown = countdownText(left);
  const words = left <= 0 ? texts.value.timeUp : texts.value.timeLeft(shown);
  return (
    <time class={`countdown ${tone}`} dateTime={dueAt} role="timer" aria-label={words}>
      <bdi dir="ltr" aria-hidden="true">
        {shown}
      </bdi>
    </time>
  );
}

/** Copies plain text by one tap. Says whether it has: else something older would be pasted. */
export function CopyButton({ value, what }: { readonly value: string; readonly what: string }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const words = texts.value;
  const shown = copied === null ? words.copy : copied ? words.copied : words.notCopied;
  return (
    <button
      type="button"
      class="copy"
      onClick={async ({ currentTarget }) => setCopied(await copyText(value, currentTarget))}
      aria-label={`${shown}: ${what}`}
    >
      {copied ? <TickIcon /> : <CopyIcon />}
      <span aria-hidden="true">{shown}</span>
    </button>
  );
}

/**
 * WebViews may refuse the clipboard, and still copy what is selected: `beside` the button, because
 * nothing outside of an open dialog can be.
 */
async function copyText(text: string, beside: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const selected = document.createElement('pre'); // with every space
    selected.textContent = text;
    beside.after(selected);
    getSelection()?.selectAllChildren(selected);
    const done = document.execCommand('copy');
    selected.remove();
    return done;
  }
}
