import { useEffect, useRef, useState } from 'preact/hooks';
import { soundAllowed, startAlarmSound } from '../alarm/sound.ts';
import { texts } from '../language.ts';
import { ForwardIcon, MenuIcon, ShareIcon } from '../parts/icons.tsx';
import { connect } from './connect.ts';
import { installPrompt } from './install.ts';
import { lookAtPermission, openSteps, permission, tick } from './standing.ts';
import type { StepView } from './step-view.ts';
import { words } from './words.ts';

/** Steps of M2 that are a question and an answer. `next`: it is done, and the next one is shown. */

export function useInstall(next: () => void): StepView {
  const { install } = words.value;
  const prompt = installPrompt.value;
  const say = () => {
    tick('install');
    next();
  };
  const isOpen = openSteps.value.includes('install');
  return {
    body: (
      <>
        <p>{install.lead}</p>
        {prompt === null && isOpen ? <InstallWay /> : null}
      </>
    ),
    ...(isOpen && {
      action:
        prompt === null ? (
          <button type="button" class="primary" onClick={say}>
            {install.said}
          </button>
        ) : (
          <button type="button" class="primary" onClick={() => void prompt.prompt()}>
            {install.button}
          </button>
        ),
    }),
  };
}

/** What to press in this browser; menus in their own words. */
function InstallWay() {
  const { install } = words.value;
  const agent = navigator.userAgent;
  const isPhone = /Android|iPhone|iPad/.test(agent);
  const [Icon, lead, names] = /iPhone|iPad/.test(agent)
    ? [ShareIcon, install.share, ['Add to Home Screen']]
    : /SamsungBrowser/.test(agent)
      ? [MenuIcon, install.menu, ['Add page to', 'Home screen']]
      : /Firefox/.test(agent)
        ? [MenuIcon, install.menu, ['Add app to Home screen']]
        : isPhone
          ? [MenuIcon, install.menu, ['Add to Home screen']]
          : [ShareIcon, install.bar, ['Install']];
  return (
    <div class="way">
      <span class="picture">
        <Icon size={32} />
      </span>
      <p>
        {lead} <Names names={names as readonly string[]} />
      </p>
    </div>
  );
}

/** Menus one after the other, as the phone calls them. */
export const Names = ({ names }: { readonly names: readonly string[] }) => (
  <bdi dir="ltr" lang="en" class="names">
    {names.map((name, index) => (
      <span key={name}>
        {index === 0 ? null : <ForwardIcon size={14} />}
        <b>{name}</b>
      </span>
    ))}
  </bdi>
);

export function useNotify(next: () => void): StepView {
  const { notify } = words.value;
  const [problem, setProblem] = useState<'failed' | 'unreachable' | undefined>();
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    if (permission.value === 'default') await Notification.requestPermission();
    lookAtPermission();
    const subscribed = permission.peek() === 'granted' ? await connect() : undefined;
    setBusy(false);
    if (subscribed?.is === 'subscribed') next();
    setProblem(subscribed?.is === 'subscribed' ? undefined : subscribed?.is);
  };
  const isOpen = openSteps.value.includes('notify');
  const blocked = permission.value === 'denied' || permission.value === 'unsupported';
  return {
    body: (
      <>
        <p>{notify.lead}</p>
        <div role="alert">
          {permission.value === 'denied' ? <p class="note warn">{notify.denied}</p> : null}
          {permission.value === 'unsupported' ? (
            <p class="note warn">{notify.unsupported}</p>
          ) : null}
          {problem === undefined ? null : (
            <p class="note bad">
              {problem === 'failed' ? notify.failed : texts.value.signIn.unreachable}
            </p>
          )}
        </div>
      </>
    ),
    ...(isOpen && {
      action: (
        <button type="button" class="primary" disabled={busy} onClick={() => void ask()}>
          {blocked || problem !== undefined ? notify.again : notify.button}
        </button>
      ),
    }),
  };
}

export function useSound(next: () => void): StepView {
  const { sound } = words.value;
  const [playing, setPlaying] = useState(false);
  const silence = useRef<() => void>(() => {});
  useEffect(() => {
    if (!playing || !soundAllowed.value) return;
    silence.current = startAlarmSound();
    return () => silence.current();
  }, [playing, soundAllowed.value]);
  const confirmSound = () => {
    setPlaying(false);
    tick('sound');
    next();
  };
  return {
    body: <p>{sound.lead}</p>,
    action: playing ? (
      <div class="pair">
        <button type="button" class="secondary" onClick={() => setPlaying(false)}>
          {sound.stop}
        </button>
        <button type="button" class="primary good" onClick={confirmSound}>
          {sound.heard}
        </button>
      </div>
    ) : (
      <button type="button" class="primary" onClick={() => setPlaying(true)}>
        {sound.button}
      </button>
    ),
  };
}
