import { MEMBER_READ_RECOVERY, MEMBER_RECOVER } from '@munshi/api';
import { LOOK_MS } from '@munshi/web/reload';
import { useEffect, useState } from 'preact/hooks';
import { isolated } from '../format.ts';
import { texts } from '../language.ts';
import { PasswordField } from '../parts/field.tsx';
import { go } from '../router.tsx';
import { api } from '../service.ts';
import { LanguageChoice } from './language-choice.tsx';
import { words } from './words.ts';

type State =
  | { readonly is: 'loading' | 'bad' | 'unreachable' | 'saved' }
  | { readonly is: 'good'; readonly username: string };

/** Where a recovery link leads; nobody is signed in. The token stands behind `#`. */
export function Recover() {
  const { product, signIn, again } = texts.value;
  const recovery = words.value;
  const [token] = useState(() => location.hash.slice(1));
  const [state, setState] = useState<State>({ is: token === '' ? 'bad' : 'loading' });
  const look = async () => {
    const outcome = await api
      .call(MEMBER_READ_RECOVERY, { body: { token } })
      .catch(() => undefined);
    if (outcome?.ok) setState({ is: 'good', username: outcome.answer.data.username });
    else setState({ is: outcome === undefined ? 'unreachable' : 'bad' });
  };
  useEffect(() => {
    // Neither the history nor a person who looks at the screen keeps it.
    history.replaceState(null, '', location.pathname);
  }, []);
  useEffect(() => {
    if (token === '') return;
    if (state.is === 'loading') void look();
    if (state.is !== 'unreachable') return;
    const timer = setTimeout(look, LOOK_MS);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    document.title = `${recovery.title} · ${product}`;
  }, [recovery, product]);
  return (
    <div class="door">
      <LanguageChoice />
      <main>
        <p class="product">{product}</p>
        {state.is === 'good' ? (
          <NewPassword
            token={token}
            username={state.username}
            onSaved={() => setState({ is: 'saved' })}
            onBad={() => setState({ is: 'bad' })}
          />
        ) : state.is === 'saved' ? (
          <>
            <h1>{recovery.saved}</h1>
            <p class="quiet">{recovery.savedLead}</p>
            <button type="button" class="primary" onClick={() => go('/', { replace: true })}>
              {signIn.submit}
            </button>
          </>
        ) : state.is === 'bad' ? (
          <>
            <h1>{recovery.bad}</h1>
            <p class="quiet">{recovery.askAnother}</p>
          </>
        ) : state.is === 'unreachable' ? (
          <>
            <h1>{recovery.title}</h1>
            <p class="note bad">{signIn.unreachable}</p>
            <button type="button" class="primary" onClick={look}>
              {again}
            </button>
          </>
        ) : null}
      </main>
    </div>
  );
}

interface NewPasswordProps {
  readonly token: string;
  readonly username: string;
  onSaved(): void;
  onBad(): void;
}

function NewPassword({ token, username, onSaved, onBad }: NewPasswordProps) {
  const { signIn } = texts.value;
  const recovery = words.value;
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [sending, setSending] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (password.length < 8) return setProblem(recovery.hint);
    setSending(true);
    const body = { token, newPassword: password };
    const outcome = await api.call(MEMBER_RECOVER, { body }).catch(() => undefined);
    if (outcome?.ok) return onSaved();
    setSending(false);
    if (outcome === undefined) setProblem(signIn.unreachable);
    else if (outcome.refusal.status === 400) setProblem(recovery.hint);
    else onBad();
  };
  return (
    <form class="form" onSubmit={submit} noValidate>
      <h1>{recovery.title}</h1>
      <p class="quiet">{recovery.lead(isolated(username))}</p>
      <input type="hidden" autocomplete="username" value={username} />
      <PasswordField
        label={recovery.password}
        value={password}
        hint={recovery.hint}
        error={problem}
        onInput={setPassword}
        autoComplete="new-password"
      />
      <button type="submit" class="primary" disabled={sending}>
        {recovery.save}
      </button>
    </form>
  );
}
