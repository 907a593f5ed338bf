import { useEffect, useState } from 'preact/hooks';
import { texts } from '../language.ts';
import { BackButton, Screen } from '../parts/frame.tsx';
import { TickIcon } from '../parts/icons.tsx';
import { go } from '../router.tsx';
import { useBackground } from './background.tsx';
import { useInstall, useNotify, useSound } from './simple-steps.tsx';
import { lookAtPermission, note, openSteps, STEPS, type Step } from './standing.ts';
import { useTest } from './test.tsx';
import { words } from './words.ts';
import './alerts.css';
import type { StepView } from './step-view.ts';

/**
 * M2: what makes a phone call its member, one step after the other. The step that is looked at has
 * its button at the bottom edge.
 */
export function AlertsScreen() {
  const [chosen, setChosen] = useState<Step | undefined>();
  const next = () => setChosen(undefined);
  const views: Readonly<Record<Step, StepView>> = {
    install: useInstall(next),
    notify: useNotify(next),
    background: useBackground(next),
    sound: useSound(next),
    test: useTest(() => setChosen('notify')),
  };
  useEffect(() => {
    const look = () => lookAtPermission();
    document.addEventListener('visibilitychange', look); // it may come back from the settings
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  const open = openSteps.value;
  const current = chosen ?? open[0];
  const leave = () => {
    note({ asked: true });
    go('/');
  };
  return (
    <Screen
      title={words.value.title}
      head={
        <>
          <BackButton to="/account/settings" label={texts.value.account.settings} />
          <b>{words.value.title}</b>
          <i />
        </>
      }
      headClass="of-order"
      action={
        current === undefined ? (
          <button type="button" class="primary good" onClick={leave}>
            {words.value.finish}
          </button>
        ) : (
          (views[current].action ?? (
            <button type="button" class="secondary" onClick={next}>
              {words.value.next}
            </button>
          ))
        )
      }
    >
      <p class="steps-lead">{words.value.lead}</p>
      <ol class="steps">
        {STEPS.map((step, index) => (
          <StepCard
            key={step}
            step={step}
            number={index + 1}
            view={views[step]}
            isDone={!open.includes(step)}
            isCurrent={step === current}
            onChoose={() => setChosen(step)}
          />
        ))}
      </ol>
      {open.length === 0 ? null : (
        <>
          <button type="button" class="quiet-link" onClick={leave}>
            {words.value.skip}
          </button>
          <p class="hint centre">{words.value.skipLead}</p>
        </>
      )}
    </Screen>
  );
}

interface StepCardProps {
  readonly step: Step;
  readonly number: number;
  readonly view: StepView;
  readonly isDone: boolean;
  readonly isCurrent: boolean;
  onChoose(): void;
}

const StepCard = ({ step, number, view, isDone, isCurrent, onChoose }: StepCardProps) => (
  <li class={`card step ${isDone ? 'done' : ''} ${isCurrent ? 'current' : ''}`}>
    <h2>
      <button type="button" class="step-head" aria-expanded={isCurrent} onClick={onChoose}>
        <span class="step-mark" aria-hidden="true">
          {isDone ? <TickIcon size={18} /> : number}
        </span>
        <span>
          {words.value[step].title}
          <span class="step-state">
            {isDone ? (view.result ?? words.value.done) : words.value.open}
          </span>
        </span>
      </button>
    </h2>
    {isCurrent ? <div class="step-body">{view.body}</div> : null}
  </li>
);
