import { lengthText, moneyText } from '../format.ts';
import { now } from '../now.ts';
import type { Me } from '../work/orders.ts';
import { words } from './words.ts';

export type Account = Me['accounts'][number];

const TONES = { pending: 'amber', approved: 'good', suspended: 'idle', paused: 'amber' } as const;

export function Standing({ account: { status, paused } }: { readonly account: Account }) {
  const shown = status === 'approved' && paused ? 'paused' : status;
  return <span class={`chip ${TONES[shown]}`}>{words.value.status[shown]}</span>;
}

export const waitingText = ({ createdAt }: Account): string =>
  words.value.waitingFor(lengthText(now.value - Date.parse(createdAt)));

export function usedText({ usedToday, maximumPerDay }: Account, currency: string): string {
  const used = moneyText(usedToday, currency);
  return maximumPerDay === null
    ? words.value.used(used)
    : words.value.usedToday(used, moneyText(maximumPerDay, currency));
}
