import { useState } from 'preact/hooks';
import { accountMethod } from '../methods.ts';
import { PlusIcon } from '../parts/icons.tsx';
import { Exact, ReadOff } from '../parts/values.tsx';
import { Link } from '../router.tsx';
import type { Me } from '../work/orders.ts';
import { type Account, Standing, usedText, waitingText } from './account-parts.tsx';
import { AccountSheet } from './account-sheet.tsx';
import { words } from './words.ts';

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
              {accountMethod(account)}
            </button>
            <Standing account={account} />
            <ReadOff of={account.accountNumber} />
            <span class="dim">
              <Exact>{account.accountTitle}</Exact>
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

/** What matters most of it: how long it waits, else what it has taken on today. */
const detailText = (account: Account, currency: string): string =>
  account.status === 'pending'
    ? waitingText(account)
    : account.status === 'suspended'
      ? ''
      : usedText(account, currency);
