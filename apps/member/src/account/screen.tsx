import { isZero } from '@munshi/web';
import { moneyText } from '../format.ts';
import { texts } from '../language.ts';
import { methodName } from '../methods.ts';
import { Screen } from '../parts/frame.tsx';
import { ForwardIcon } from '../parts/icons.tsx';
import { AccountNumber, Money } from '../parts/values.tsx';
import { Link } from '../router.tsx';
import { me } from '../work/known.ts';
import type { Me } from '../work/orders.ts';

/** M11: float and accounts; and the way to M12. */
export function AccountScreen() {
  const { account, loading } = texts.value;
  const mine = me.value;
  return (
    <Screen title={account.title}>
      {mine === null ? (
        <div class="skeletons" role="status" aria-label={loading}>
          <div class="card" />
        </div>
      ) : (
        <>
          <Float me={mine} />
          <Accounts me={mine} />
        </>
      )}
      <p class="card row">
        <Link to="/account/settings" class="whole">
          {account.settings}
        </Link>
        <ForwardIcon class="directed" />
      </p>
    </Screen>
  );
}

function Float({ me: { float, currency } }: { readonly me: Me }) {
  const { account } = texts.value;
  return (
    <section>
      <h2>{account.float}</h2>
      <dl class="card sums">
        <dt>{account.balance}</dt>
        <dd>
          <Money amount={float.balance} currency={currency} />
        </dd>
        <dt>{account.held}</dt>
        <dd>
          <Money amount={isZero(float.held) ? float.held : `-${float.held}`} currency={currency} />
        </dd>
        <dt class="total">{account.free}</dt>
        <dd class="total">
          <Money amount={float.free} currency={currency} />
        </dd>
      </dl>
    </section>
  );
}

function Accounts({ me: { accounts, currency } }: { readonly me: Me }) {
  const { account: words } = texts.value;
  return (
    <section>
      <h2>{words.accounts}</h2>
      {accounts.length === 0 ? <p class="card">{words.noAccounts}</p> : null}
      <ul class="accounts">
        {accounts.map((account) => (
          <li key={account.accountId} class="card account">
            <b>{methodName(account.walletType)}</b>
            <span class={`chip ${CHIPS[account.status]}`}>{words.status[account.status]}</span>
            <AccountNumber value={account.accountNumber} />
            <span class="dim">
              <bdi>{account.accountTitle}</bdi>
            </span>
            <span class="dim">{usedText(account, currency)}</span>
            <span class="dim">{limitText(account, currency)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
const CHIPS = { pending: 'amber', approved: 'good', suspended: 'idle' } as const;

type Account = Me['accounts'][number];

function usedText({ usedToday, maximumPerDay }: Account, currency: string): string {
  const { account } = texts.value;
  const used = moneyText(usedToday, currency);
  return maximumPerDay === null
    ? account.used(used)
    : account.usedToday(used, moneyText(maximumPerDay, currency));
}

function limitText({ minimumPerOrder, maximumPerOrder }: Account, currency: string): string {
  const { account } = texts.value;
  const least = minimumPerOrder === null ? null : moneyText(minimumPerOrder, currency);
  const most = maximumPerOrder === null ? null : moneyText(maximumPerOrder, currency);
  if (least !== null && most !== null) return account.perOrder(least, most);
  if (most !== null) return account.atMost(most);
  return least === null ? '' : account.atLeast(least);
}
