import { MEMBER_CHANGE_PASSWORD } from '@munshi/api';
import { useState } from 'preact/hooks';
import { reconnect } from '../alerts/reconnect.ts';
import { texts } from '../language.ts';
import { PasswordField } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { keepToken } from '../service.ts';
import { words as choosing } from '../session/words.ts';
import { write } from '../session.ts';
import { words } from './words.ts';

interface PasswordSheetProps {
  readonly username: string;
  onClose(): void;
}

/** Another password; the other phones are signed out by it. */
export function PasswordSheet({ username, onClose }: PasswordSheetProps) {
  const { signIn, close } = texts.value;
  const recovery = choosing.value;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [wrong, setWrong] = useState<'current' | 'next' | 'tries' | 'unreachable' | undefined>();
  const [changed, setChanged] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (next.length < 8) return setWrong('next');
    const body = { currentPassword: current, newPassword: next };
    const outcome = await write(MEMBER_CHANGE_PASSWORD, { body });
    if (outcome?.ok) {
      keepToken(outcome.answer.data.csrfToken);
      reconnect();
      setChanged(true);
    } else setWrong(outcome === undefined ? 'unreachable' : wrongBy(outcome.refusal.status));
  };
  if (changed)
    return (
      <Sheet title={words.value.changed} onClose={onClose}>
        <button type="button" class="primary" onClick={onClose}>
          {close}
        </button>
      </Sheet>
    );
  return (
    <Sheet title={words.value.password} onClose={onClose}>
      <form class="form" onSubmit={submit} noValidate>
        <div role="alert">
          {wrong === 'unreachable' || wrong === 'tries' ? (
            <p class="note bad">{wrong === 'tries' ? signIn.tooManyTries : signIn.unreachable}</p>
          ) : null}
        </div>
        <input type="hidden" autocomplete="username" value={username} />
        <PasswordField
          label={words.value.current}
          value={current}
          onInput={setCurrent}
          error={wrong === 'current' ? words.value.wrongCurrent : undefined}
          autoComplete="current-password"
        />
        <PasswordField
          label={recovery.password}
          value={next}
          hint={recovery.hint}
          onInput={setNext}
          error={wrong === 'next' ? recovery.hint : undefined}
          autoComplete="new-password"
        />
        <button type="submit" class="primary">
          {recovery.save}
        </button>
      </form>
    </Sheet>
  );
}

const wrongBy = (status: number) =>
  status === 429 ? 'tries' : status === 409 ? 'current' : 'next';
