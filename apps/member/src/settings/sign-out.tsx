import { useState } from 'preact/hooks';
import { texts } from '../language.ts';
import { flushOutbox, waiting } from '../outbox/actions.ts';
import { pictures } from '../outbox/evidence.ts';
import { UnsentList } from '../outbox/unsent.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { signOut } from '../session.ts';
import { words } from './words.ts';

const isFull = () => waiting.value.length > 0 || pictures.value.length > 0;

/** Asked first, and refused while something of this phone has not reached the service. */
export function SignOut() {
  const [asking, setAsking] = useState(false);
  const [state, setState] = useState<'ready' | 'leaving' | 'failed'>('ready');
  const leave = async () => {
    setState('leaving');
    await flushOutbox();
    const left = !isFull() && (await signOut());
    if (!left) setState('failed');
  };
  const full = isFull();
  const close = () => {
    setAsking(false);
    setState('ready');
  };
  return (
    <>
      <button type="button" class="secondary" onClick={() => setAsking(true)}>
        {words.value.signOut}
      </button>
      {asking ? (
        <Sheet title={full ? words.value.unsentTitle : words.value.signOutSure} onClose={close}>
          <p>{full ? words.value.unsentLead : words.value.signOutLead}</p>
          {full ? <UnsentList all /> : null}
          <div role="alert">
            {state === 'failed' && !full ? (
              <p class="note bad">{words.value.signOutFailed}</p>
            ) : null}
          </div>
          {full ? (
            <button type="button" class="secondary" onClick={close}>
              {texts.value.close}
            </button>
          ) : (
            <button
              type="button"
              class="primary"
              disabled={state === 'leaving'}
              onClick={() => void leave()}
            >
              {words.value.signOut}
            </button>
          )}
        </Sheet>
      ) : null}
    </>
  );
}
