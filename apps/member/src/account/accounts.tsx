import { useState } from 'preact/hooks';
import { lengthText, moneyText } from '../format.ts';
import { methodName } from '../methods.ts';
import { now } from '../now.ts';
import { PlusIcon } from '../parts/icons.tsx';
import { AccountNumber } from '../parts/values.tsx';
import { Link } from '../router.tsx';
import type { Me } from '../work/orders.ts';
import { AccountSheet } from './account-sheet.tsx';
import { words } from './words.ts';

export type Account = Me['accounts'][number];

/** One's own accounts; each opens with what can be done with it. */
export function Accounts({ me: { accounts, currency, status } }: { readonly me: Me }) {
  const { accounts: title, noAccounts, add } = words.value;
  const [openId, setOpenId] = useState<string | null>(null);
  const open = accounts.find(({ accountId }) => accountId === openId);
  return (
    <section>
      <h2>{title}</h2>
      {accounts.length === 0 ? <p class="card">{noAccounts}</p> : null}
      <ul class="accounts">
        {accounts.map((account) => (
          <li key={account.accountId} class={`card account ${account.status}`}>
            <button type="button" class="whole" onClick={() => setOpenId(account.accountId)}>
              {methodName(account.walletType)}
            </button>
            <Standing account={account} />
            <AccountNumber value={account.accountNumber} />
            <span class="dim">
              <bdi>{account.accountTitle}</bdi>
            </span>
            <span class="dim">{detailText(account, currency)}</span>
          </li>
        ))}
      </ul>
      {status === 'active' ? (
        <Link to="/account/add" class="secondary add">
          <PlusIcon /> <span>{add}</span>
        </Link>
      ) : null}
      {open === undefined ? null : (
        <AccountSheet account={open} currency={currency} onClose={() => setOpenId(null)} />
      )}
    </section>
  );
}

const TONES = { pending: 'amber', approved: 'good', suspended: 'idle', paused: 'amber' } as const;

export function Standing({ account: { status, paused } }: { readonly account: Account }) {
  const shown = status === 'approved' && paused ? 'paused' : status;
  return <span class={`chip ${TONES[shown]}`}>{words.value.status[shown]}</span>;
}

/** What matters most of it: how long it waits, else what it has taken on today. */
const detailText = (account: Account, currency: string): string =>
  account.status === 'pending'
    ? waitingText(account)
    : account.status === 'suspended'
      ? ''
      : usedText(account, currency);

export const waitingText = ({ createdAt }: Account): string =>
  words.value.waitingFor(lengthText(now.value - Date.parse(createdAt)));

export function usedText({ usedToday, maximumPerDay }: Account, currency: string): string {
  const used = moneyText(usedToday, currency);
  return maximumPerDay === null
    ? words.value.used(used)
    : words.value.usedToday(used, moneyText(maximumPerDay, currency));
}
