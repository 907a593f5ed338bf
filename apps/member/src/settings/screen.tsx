import { useEffect, useRef, useState } from 'preact/hooks';
import { soundAllowed, startAlarmSound } from '../alarm/sound.ts';
import { openSteps } from '../alerts/standing.ts';
import { texts } from '../language.ts';
import { BackButton, Screen } from '../parts/frame.tsx';
import { ForwardIcon, TickIcon, WarnIcon } from '../parts/icons.tsx';
import { Link } from '../router.tsx';
import { LanguageChoice } from '../session/language-choice.tsx';
import { session } from '../session.ts';
import { chooseTheme, THEMES, theme } from '../theme.ts';
import { Help } from './help.tsx';
import { PasswordSheet } from './password-sheet.tsx';
import { Phones } from './phones.tsx';
import { SignOut } from './sign-out.tsx';
import { words } from './words.ts';
import './settings.css';

/** M12. */
export function SettingsScreen() {
  const { account, language } = texts.value;
  return (
    <Screen
      title={account.settings}
      head={
        <>
          <BackButton to="/account" label={account.title} />
          <b>{account.settings}</b>
          <i />
        </>
      }
      headClass="of-order"
    >
      <section class="settings">
        <h2>{words.value.alerts}</h2>
        <AlertsRow />
        <div class="card">
          <h3>{words.value.sound}</h3>
          <SoundTest />
        </div>
      </section>
      <section class="settings">
        <h2>{language}</h2>
        <LanguageChoice />
        <h2>{words.value.theme}</h2>
        <ThemeChoice />
      </section>
      <Phones />
      <section class="settings">
        <h2>{words.value.help}</h2>
        <Help />
      </section>
      <section class="settings stack">
        <PasswordButton />
        <SignOut />
      </section>
    </Screen>
  );
}

/** How far M2 has come, and the way to it. */
function AlertsRow() {
  const open = openSteps.value.length;
  return (
    <p class="card row">
      <span class={open === 0 ? 'good' : 'warn'}>{open === 0 ? <TickIcon /> : <WarnIcon />}</span>
      <Link to="/account/alerts" class="whole">
        {open === 0 ? words.value.alertsAll : texts.value.work.alertsOpen(open)}
      </Link>
      <ForwardIcon class="directed" />
    </p>
  );
}

/** The alarm as it will sound, until it is stopped. */
function SoundTest() {
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
      {playing ? words.value.soundStop : words.value.soundTest}
    </button>
  );
}

const ThemeChoice = () => (
  <fieldset class="choices" aria-label={words.value.theme}>
    {THEMES.map((each) => (
      <button
        key={each}
        type="button"
        aria-pressed={theme.value === each}
        onClick={() => chooseTheme(each)}
      >
        {words.value.themes[each]}
      </button>
    ))}
  </fieldset>
);

function PasswordButton() {
  const [changing, setChanging] = useState(false);
  const { value } = session;
  return (
    <>
      <button type="button" class="secondary" onClick={() => setChanging(true)}>
        {words.value.password}
      </button>
      {changing && value.is === 'signed in' ? (
        <PasswordSheet username={value.member.username} onClose={() => setChanging(false)} />
      ) : null}
    </>
  );
}
