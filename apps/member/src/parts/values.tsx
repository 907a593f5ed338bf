import { countdownText, localAmountText } from '@munshi/web';
import { useState } from 'preact/hooks';
import { groups } from '../groups.ts';
import { texts } from '../language.ts';
import { now } from '../now.ts';
import { CopyIcon, TickIcon } from './icons.tsx';

interface MoneyProps {
  readonly amount: string;
  readonly currency: string;
}

/** `PKR 2,500`, `₹2,500`, from left to right in every language. */
export const Money = ({ amount, currency }: MoneyProps) => {
  const text = localAmountText(amount, currency);
  return (
    <bdi class="money" dir="ltr" style={{ '--length': text.length }}>
      {text}
    </bdi>
  );
};

/** An account number, grouped for the eye alone: it has no spaces in it. */
export const AccountNumber = ({ value }: { readonly value: string }) => (
  <bdi class="grouped" dir="ltr">
    {groups(value).map((group) => (
      <span>{group}</span>
    ))}
  </bdi>
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

/** Copies plain text by one tap, and says so. */
export function CopyButton({ value, what }: { readonly value: string; readonly what: string }) {
  const [copied, setCopied] = useState(false);
  const { copy, copied: done } = texts.value;
  const press = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <button
      type="button"
      class="copy"
      onClick={press}
      aria-label={`${copied ? done : copy}: ${what}`}
    >
      {copied ? <TickIcon /> : <CopyIcon />}
      <span aria-hidden="true">{copied ? done : copy}</span>
    </button>
  );
}
