import { type Code, MEMBER_SIGN_IN } from '@munshi/api';
import { plainDigits } from '@munshi/web';
import { useEffect, useRef, useState } from 'preact/hooks';
import { unlockSound } from '../alarm/sound.ts';
import { standing } from '../alerts/standing.ts';
import { texts } from '../language.ts';
import { Field, PasswordField } from '../parts/field.tsx';
import { useModal } from '../parts/modal.ts';
import { go, path } from '../router.tsx';
import { api } from '../service.ts';
import { begin } from '../session.ts';
import { LanguageChoice } from './language-choice.tsx';

/** M1. The address stays, so that members see what they came for once they are signed in. */
export function SignIn() {
  const { signIn, product } = texts.value;
  useEffect(() => {
    document.title = `${signIn.title} · ${product}`;
  }, [signIn, product]);
  return (
    <div class="door">
      <LanguageChoice />
      <main>
        <p class="product">{product}</p>
        <h1>{signIn.title}</h1>
        <p class="quiet">{signIn.lead}</p>
        <SignInForm />
        <p class="quiet small">{signIn.forgotten}</p>
      </main>
    </div>
  );
}

/** Over the screen whose session has ended; everything on it stays. */
export function SignInAgain({ username }: { readonly username: string }) {
  const dialog = useModal();
  const { signIn } = texts.value;
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby="again"
      onCancel={(event) => event.preventDefault()}
    >
      <div class="sheet-body">
        <h2 id="again">{signIn.again}</h2>
        <p class="quiet">{signIn.againLead}</p>
        <SignInForm username={username} />
      </div>
    </dialog>
  );
}

function SignInForm({ username: known = '' }: { readonly username?: string }) {
  const { signIn } = texts.value;
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const passwordInput = useRef<HTMLInputElement>(null);

  const submit = async (event: Event) => {
    event.preventDefault();
    unlockSound();
    setTried(true);
    if (username === '' || password === '') return;
    setSending(true);
    setProblem(undefined);
    const body = { username: username.trim(), password };
    const outcome = await api.call(MEMBER_SIGN_IN, { body }).catch(() => undefined);
    if (outcome?.ok) {
      if (known === '' && !standing.peek().asked && path.peek() === '/') go('/account/alerts');
      return begin(outcome.answer.data);
    }
    setSending(false);
    setProblem(outcome === undefined ? 'unreachable' : problemOf(outcome.refusal.code));
    if (outcome !== undefined) setPassword('');
    setTried(false);
    passwordInput.current?.focus();
  };
  const missing = (value: string) => (tried && value === '' ? signIn.missing : undefined);
  return (
    <form class="form" onSubmit={submit} noValidate>
      <div role="alert">{problem && <p class="note bad">{signIn[problem]}</p>}</div>
      <Field
        label={signIn.username}
        value={username}
        onInput={(text) => setUsername(plainDigits(text))}
        error={missing(username)}
        input={{
          autocomplete: 'username',
          autocapitalize: 'none',
          spellcheck: false,
          dir: 'ltr',
          readonly: known !== '',
        }}
      />
      <PasswordField
        label={signIn.password}
        value={password}
        onInput={setPassword}
        error={missing(password)}
        inputRef={passwordInput}
        autoComplete="current-password"
      />
      <button type="submit" class="primary" disabled={sending}>
        {signIn.submit}
      </button>
    </form>
  );
}

type Problem = 'wrong' | 'suspended' | 'tooManyTries' | 'unreachable' | 'failed';
const PROBLEMS: Readonly<Partial<Record<Code, Problem>>> = {
  'wrong-credentials': 'wrong',
  suspended: 'suspended',
  'too-many-tries': 'tooManyTries',
};
const problemOf = (code = ''): Problem => PROBLEMS[code as Code] ?? 'failed';
