import { isZero } from '@munshi/web';
import { useEffect, useRef, useState } from 'preact/hooks';
import { soundAllowed, startAlarmSound } from '../alarm/sound.ts';
import { moneyText } from '../format.ts';
import { texts } from '../language.ts';
import { methodName } from '../methods.ts';
import { flushOutbox, waiting } from '../outbox/actions.ts';
import { UnsentNames } from '../outbox/unsent.tsx';
import { Screen } from '../parts/frame.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { AccountNumber, Money } from '../parts/values.tsx';
import { LanguageChoice } from '../session/language-choice.tsx';
import { session, signOut } from '../session.ts';
import { chooseTheme, THEMES, theme } from '../theme.ts';
import { me } from '../work/known.ts';
import type { Me } from '../work/orders.ts';
import { PasswordSheet } from './password-sheet.tsx';

/** M11 and M12: float, accounts, settings. */
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
      <Settings />
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

function Settings() {
  const { account: words, language } = texts.value;
  const [changing, setChanging] = useState(false);
  const [refused, setRefused] = useState(false);
  const leave = async () => {
    await flushOutbox();
    if (waiting.value.length > 0) return setRefused(true);
    await signOut();
  };
  const { value } = session;
  return (
    <section class="settings">
      <h2>{words.settings}</h2>
      <div class="card">
        <h3>{language}</h3>
        <LanguageChoice />
        <h3>{words.theme}</h3>
        <fieldset class="choices" aria-label={words.theme}>
          {THEMES.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={theme.value === each}
              onClick={() => chooseTheme(each)}
            >
              {words.themes[each]}
            </button>
          ))}
        </fieldset>
        <h3>{words.sound}</h3>
        <SoundTest />
      </div>
      <div class="card stack">
        <button type="button" class="secondary" onClick={() => setChanging(true)}>
          {words.password}
        </button>
        <button type="button" class="secondary" onClick={() => void leave()}>
          {words.signOut}
        </button>
        <p class="hint">{words.signOutLead}</p>
      </div>
      {changing && value.is === 'signed in' ? (
        <PasswordSheet username={value.member.username} onClose={() => setChanging(false)} />
      ) : null}
      {refused ? (
        <Sheet title={texts.value.outbox.signOutTitle} onClose={() => setRefused(false)}>
          <p>{texts.value.outbox.signOutLead}</p>
          <UnsentNames />
        </Sheet>
      ) : null}
    </section>
  );
}

/** The alarm as it will sound, until it is stopped. */
function SoundTest() {
  const { account: words } = texts.value;
  const [playing, setPlaying] = useState(false);
  const stop = useRef<() => void>(() => {});
  useEffect(() => () => stop.current(), []);
  useEffect(() => {
    if (!playing || !soundAllowed.value) return;
    stop.current = startAlarmSound();
    return () => stop.current();
  }, [playing, soundAllowed.value]);
  return (
    <button type="button" class="secondary" onClick={() => setPlaying(!playing)}>
      {playing ? words.soundStop : words.soundTest}
    </button>
  );
}
