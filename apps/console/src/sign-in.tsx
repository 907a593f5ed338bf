import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type OperatorSessionView, SIGN_IN } from '@munshi/api';
import { ApiError, callOrThrow, Refusal } from '@munshi/web-ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CodeInput } from './one-time-code/code-input.tsx';
import { texts as codeTexts } from './one-time-code/texts.ts';
import { service } from './service.ts';
import classes from './sign-in.module.css';
import { texts } from './texts.ts';

interface SignInProps {
  onSignedIn(session: OperatorSessionView): void;
}

/** C1. The address stays, so that whoever signs in sees what they came for. */
export function SignIn({ onSignedIn }: SignInProps) {
  useEffect(() => {
    document.title = `${texts.signIn.title} · ${texts.product}`;
  }, []);
  return (
    <main className={classes['screen']}>
      <div className={classes['card']}>
        <p className={classes['product']}>{texts.product}</p>
        <h1>{texts.signIn.title}</h1>
        <p className="quiet">{texts.signIn.lead}</p>
        <SignInForm onSignedIn={onSignedIn} />
        <p className={`quiet ${classes['hint']}`}>{texts.signIn.forgotten}</p>
      </div>
    </main>
  );
}

/** Over the page whose session has ended; everything on it stays. */
export function SignInAgain({ username, onSignedIn }: SignInProps & { readonly username: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes['again']}
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
    >
      <h1 id="sign-in-again">{texts.signIn.again}</h1>
      <p className="quiet">{texts.signIn.againLead}</p>
      <SignInForm username={username} onSignedIn={onSignedIn} />
    </dialog>
  );
}

function SignInForm({ username: known = '', onSignedIn }: SignInProps & { username?: string }) {
  /** The password was right, and a code is asked for. */
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  return credentials === null ? (
    <PasswordForm known={known} onSignedIn={onSignedIn} onCodeNeeded={setCredentials} />
  ) : (
    <CodeForm
      credentials={credentials}
      onSignedIn={onSignedIn}
      onBack={() => setCredentials(null)}
    />
  );
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.refusal.code : undefined);

interface PasswordFormProps extends SignInProps {
  readonly known: string;
  onCodeNeeded(credentials: Credentials): void;
}

function PasswordForm({ known, onSignedIn, onCodeNeeded }: PasswordFormProps) {
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (username === '' || password === '') return;
    setSending(true);
    setError(null);
    try {
      onSignedIn((await callOrThrow(service.api, SIGN_IN, { body: { username, password } })).data);
    } catch (failure) {
      if (codeOf(failure) === 'one-time-code-required') return onCodeNeeded({ username, password });
      setError(failure as Error);
      setSending(false);
      if (failure instanceof ApiError) {
        setPassword('');
        passwordInput.current?.focus();
      }
    }
  };
  const missing = (value: string) => (tried && value === '' ? texts.signIn.missing : null);
  return (
    <form className={classes['form']} onSubmit={submit} noValidate>
      <Refusal error={error} />
      <TextInput
        label={texts.signIn.username}
        size="md"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus={known === '' || undefined}
        autoFocus={known === ''}
        value={username}
        error={missing(username)}
        data-mantine-stop-propagation="true"
        onChange={({ currentTarget }) => setUsername(currentTarget.value)}
      />
      <PasswordInput
        ref={passwordInput}
        label={texts.signIn.password}
        size="md"
        autoComplete="current-password"
        autoFocus={known !== ''}
        value={password}
        error={tried && !sending && error === null ? missing(password) : null}
        data-mantine-stop-propagation="true"
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <Button type="submit" size="md" loading={sending} fullWidth>
        {texts.signIn.submit}
      </Button>
    </form>
  );
}

interface CodeFormProps extends SignInProps {
  readonly credentials: Credentials;
  onBack(): void;
}

/** The second step, for who has one-time codes: the app's, or a recovery code. */
function CodeForm({ credentials, onSignedIn, onBack }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (code === '') return;
    setSending(true);
    setError(null);
    try {
      const body = { ...credentials, oneTimeCode: code };
      onSignedIn((await callOrThrow(service.api, SIGN_IN, { body })).data);
    } catch (failure) {
      setError(failure as Error);
      setSending(false);
      setTried(false);
      setCode('');
    }
  };
  const change = () => {
    setRecovery(!recovery);
    setTried(false);
    setCode('');
  };
  return (
    <form className={classes['form']} onSubmit={submit} noValidate>
      <p className="quiet">{codeTexts.signInLead}</p>
      <Refusal error={error} />
      <CodeInput
        recovery={recovery}
        value={code}
        onChange={setCode}
        missing={tried && code === ''}
      />
      <Button type="submit" size="md" loading={sending} fullWidth>
        {codeTexts.signIn}
      </Button>
      <div className={classes['others']}>
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          {codeTexts.back}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={change}>
          {recovery ? codeTexts.useApp : codeTexts.useRecovery}
        </Button>
      </div>
    </form>
  );
}
