import { useEffect, useRef, useState } from 'preact/hooks';
import { isolated, leftToRight } from '../format.ts';
import { texts } from '../language.ts';
import { now } from '../now.ts';
import { Screen } from '../parts/frame.tsx';
import { CloseIcon, DownloadIcon, OfflineIcon, SearchIcon, WarnIcon } from '../parts/icons.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { comebacks } from '../service.ts';
import { me, online, orders } from '../work/known.ts';
import type { Order } from '../work/orders.ts';
import { accountName } from './account-name.ts';
import { choice, days, look, lookFurther, looking, shown } from './closed.ts';
import { DayOfOrders, Earned } from './day.tsx';
import { dayOf } from './days.ts';
import { MonthSheet } from './month-sheet.tsx';
import { words } from './words.ts';
import './history.css';

/** M10: what is over, by day. The last 200 are kept for when there is no network. */
export function HistoryScreen() {
  const { tabs } = texts.value;
  const chosen = choice.value;
  const inHand = orders.value.length;
  // Another choice, an order that has ended meanwhile, a network that is back.
  useEffect(() => void look(), [chosen, inHand, online.value, comebacks.value]);
  const listed = shown.value;
  return (
    <Screen title={tabs.history}>
      <Chooser />
      <div role="status" class="connection">
        <Standing />
      </div>
      {listed !== null && listed.choice === chosen ? (
        <Found orders={listed.orders} />
      ) : (
        <Skeletons cards={2} />
      )}
      {listed === null || listed.cursor === null ? null : (
        <button
          type="button"
          class="secondary more"
          disabled={looking.value === 'now'}
          onClick={() => void lookFurther()}
        >
          {words.value.more}
        </button>
      )}
    </Screen>
  );
}

const TYPED_MS = 350;

/** The search, and of which account. */
function Chooser() {
  const [typed, setTyped] = useState(choice.value.search);
  const [asking, setAsking] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (text: string, wait = TYPED_MS) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (text.trim() !== choice.value.search)
        choice.value = { ...choice.value, search: text.trim() };
    }, wait);
  };
  const accounts = me.value?.accounts ?? [];
  return (
    <search class="chooser">
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          search(typed, 0);
        }}
      >
        <input
          type="search"
          enterkeyhint="search"
          autocomplete="off"
          maxlength={100}
          aria-label={words.value.search}
          placeholder={words.value.search}
          value={typed}
          onInput={({ currentTarget }) => search(currentTarget.value)}
        />
        {typed === '' ? null : (
          <button
            type="button"
            class="bare clear"
            aria-label={words.value.clear}
            onClick={() => search('', 0)}
          >
            <CloseIcon />
          </button>
        )}
        <button type="submit" class="bare find" aria-label={words.value.find}>
          <SearchIcon />
        </button>
      </form>
      <div class="chooser-row">
        {accounts.length < 2 ? null : (
          <select
            aria-label={words.value.account}
            value={choice.value.accountId}
            onChange={({ currentTarget }) => {
              choice.value = { ...choice.value, accountId: currentTarget.value };
            }}
          >
            <option value="">{words.value.allAccounts}</option>
            {accounts.map((account) => (
              <option key={account.accountId} value={account.accountId}>
                {accountName(account)}
              </option>
            ))}
          </select>
        )}
        <button type="button" class="bare link" onClick={() => setAsking(true)}>
          <DownloadIcon size={18} />
          <span>{words.value.month.link}</span>
        </button>
      </div>
      {asking ? <MonthSheet onClose={() => setAsking(false)} /> : null}
    </search>
  );
}

/** Whether what is shown is what there is: a line only where it is not. */
function Standing() {
  const { signIn, again } = texts.value;
  const state = looking.value;
  if (state === 'too slow')
    return (
      <p class="note warn">
        <WarnIcon size={18} /> <span>{words.value.tooSlow}</span>
      </p>
    );
  if (state !== 'unreachable') return null;
  return (
    <p class="note warn">
      <OfflineIcon size={18} />{' '}
      <span>{shown.value?.kept ? words.value.kept : signIn.unreachable}</span>
      <button type="button" class="bare" onClick={() => void look()}>
        {again}
      </button>
    </p>
  );
}

function Found({ orders: list }: { readonly orders: readonly Order[] }) {
  const { empty, emptyLead, nothing, nothingLead, nothingOnAccount } = words.value;
  const { search, accountId } = choice.value;
  if (list.length === 0 && looking.value === 'now') return null;
  if (list.length === 0) {
    const [title, lead] =
      search !== ''
        ? [nothing, nothingLead(isolated(`“${leftToRight(search)}”`))]
        : accountId !== ''
          ? [nothing, nothingOnAccount]
          : [empty, emptyLead];
    return (
      <div class="nothing">
        <h2>{title}</h2>
        <p>{lead}</p>
      </div>
    );
  }
  const byDay = Map.groupBy(list, ({ createdAt }) => dayOf(createdAt));
  const month = dayOf(now.value).slice(0, 7);
  const ofMonth = days.value?.days.filter(({ date }) => date.startsWith(month)) ?? [];
  return (
    <>
      {search === '' && accountId === '' ? (
        <Earned of={ofMonth} name={words.value.shareOfMonth} />
      ) : null}
      {[...byDay].map(([day, orders]) => (
        <DayOfOrders key={day} day={day} orders={orders} />
      ))}
    </>
  );
}
