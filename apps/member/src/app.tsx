import { LOOK_MS } from '@munshi/web/reload';
import { useEffect } from 'preact/hooks';
import { Alarm } from './alarm/alarm.tsx';
import { keepAwake } from './alarm/wake-lock.ts';
import { LANGUAGES, type Language, texts } from './language.ts';
import { OrderScreen } from './order/screen.tsx';
import { lazyScreen } from './parts/lazy.tsx';
import { path } from './router.tsx';
import { SignIn, SignInAgain } from './session/sign-in.tsx';
import { lookAtSession, session } from './session.ts';
import { startWork } from './work/follow.ts';
import { me } from './work/known.ts';
import { WorkScreen } from './work/screen.tsx';

export function App() {
  if (path.value === '/recover') return <RecoverScreen />;
  const { value } = session;
  if (value.is === 'loading') return null;
  if (value.is === 'unreachable') return <Unreachable />;
  if (value.is === 'signed out') return <SignIn />;
  return (
    <>
      <SignedIn key={value.member.memberId} />
      {value.ended ? <SignInAgain username={value.member.username} /> : null}
    </>
  );
}

function SignedIn() {
  useEffect(startWork, []);
  const online = me.value?.online === true;
  useEffect(() => (online ? keepAwake() : undefined), [online]);
  return (
    <>
      <CurrentScreen />
      <Alarm />
    </>
  );
}

const HistoryScreen = lazyScreen({
  title: () => texts.value.tabs.history,
  load: async () => (await import('./history/screen.tsx')).HistoryScreen,
});
const AccountScreen = lazyScreen({
  title: () => texts.value.account.title,
  load: async () => (await import('./account/screen.tsx')).AccountScreen,
});
const FloatScreen = lazyScreen({
  title: () => texts.value.account.title,
  load: async () => (await import('./account/float.tsx')).FloatScreen,
});
const AddScreen = lazyScreen({
  title: () => texts.value.account.title,
  load: async () => (await import('./account/add.tsx')).AddScreen,
});
const AlertsScreen = lazyScreen({
  title: () => texts.value.work.setUp,
  load: async () => (await import('./alerts/screen.tsx')).AlertsScreen,
});
const SettingsScreen = lazyScreen({
  title: () => texts.value.account.settings,
  load: async () => (await import('./settings/screen.tsx')).SettingsScreen,
});

const RecoverScreen = lazyScreen({
  title: () => texts.value.product,
  load: async () => (await import('./session/recover.tsx')).Recover,
  frame: ({ children }) => (
    <div class="door">
      <main>{children}</main>
    </div>
  ),
});

function CurrentScreen() {
  const [, orderId] = /^\/orders\/([\w-]+)$/.exec(path.value) ?? [];
  if (orderId !== undefined) return <OrderScreen key={orderId} orderId={orderId} />;
  if (path.value === '/history') return <HistoryScreen />;
  if (path.value === '/account') return <AccountScreen />;
  if (path.value === '/account/float') return <FloatScreen />;
  if (path.value === '/account/add') return <AddScreen />;
  if (path.value === '/account/alerts') return <AlertsScreen />;
  if (path.value === '/account/settings') return <SettingsScreen />;
  return <WorkScreen />;
}

/** Asks again by itself until the service answers. */
function Unreachable() {
  const { signIn, again, product } = texts.value;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const look = async () => {
      await lookAtSession();
      if (!isGone) timer = setTimeout(look, LOOK_MS);
    };
    timer = setTimeout(look, LOOK_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return (
    <div class="door">
      <main>
        <p class="product">{product}</p>
        <p class="note bad" role="alert">
          {signIn.unreachable}
        </p>
        <button type="button" class="primary" onClick={() => void lookAtSession()}>
          {again}
        </button>
      </main>
    </div>
  );
}

/** In the place of the app whose texts have not come. */
export const WithoutTexts = ({ language }: { readonly language: Language }) => (
  <div class="door" lang={language} dir={LANGUAGES[language].direction}>
    <main>
      <h1>Munshi</h1>
      <p class="note bad" role="alert">
        {LANGUAGES[language].away}
      </p>
    </main>
  </div>
);
