import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api.tsx';
import { Refusal } from '../states.tsx';
import { CodeInput } from './one-time-code/code-input.tsx';
import classes from './sign-in.module.css';

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly oneTimeCode?: string;
}

/** The sign-in may lie above a dialog of the page: Escape, pressed here, does not close that. */
const KEEPS_ESCAPE = { 'data-mantine-stop-propagation': 'true' } as const;

interface SignInProps {
  /** Signs in; throws what the service has refused. */
  onSubmit(credentials: Credentials): Promise<void>;
}

/** C1 and P1. The address stays, so that people see what they came for once they are signed in. */
export function SignIn({
  onSubmit,
  lead,
  forgotten,
}: SignInProps & { readonly lead: string; readonly forgotten: string }) {
  useEffect(() => {
    document.title = `Sign in · Munshi`;
  }, []);
  return (
    <main className={classes['screen']}>
      <div className={classes['card']}>
        <p className={classes['product']}>Munshi</p>
        <h1>Sign in</h1>
        <p className="quiet">{lead}</p>
        <SignInForm onSubmit={onSubmit} />
        <p className={`quiet ${classes['hint']}`}>{forgotten}</p>
      </div>
    </main>
  );
}

/** Over the page whose session has ended; everything on it stays. */
export function SignInAgain({ username, onSubmit }: SignInProps & { readonly username: string }) {
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
      <h1 id="sign-in-again">Sign in again</h1>
      <p className="quiet">Your session has ended. What you typed is kept.</p>
      <SignInForm username={username} onSubmit={onSubmit} />
    </dialog>
  );
}

function SignInForm({ username: known = '', onSubmit }: SignInProps & { username?: string }) {
  /** The password was right, and a code is asked for. */
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  return credentials === null ? (
    <PasswordForm known={known} onSubmit={onSubmit} onCodeNeeded={setCredentials} />
  ) : (
    <CodeForm credentials={credentials} onSubmit={onSubmit} onBack={() => setCredentials(null)} />
  );
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.refusal.code : undefined);

interface PasswordFormProps extends SignInProps {
  readonly known: string;
  onCodeNeeded(credentials: Credentials): void;
}

function PasswordForm({ known, onSubmit, onCodeNeeded }: PasswordFormProps) {
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
      await onSubmit({ username, password });
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
  const missing = (value: string) => (tried && value === '' ? 'Fill this in.' : null);
  return (
    <form className={classes['form']} onSubmit={submit} noValidate>
      <Refusal error={error} />
      <TextInput
        label="Username"
        size="md"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus={known === '' || undefined}
        autoFocus={known === ''}
        value={username}
        error={missing(username)}
        {...KEEPS_ESCAPE}
        onChange={({ currentTarget }) => setUsername(currentTarget.value)}
      />
      <PasswordInput
        ref={passwordInput}
        label="Password"
        size="md"
        autoComplete="current-password"
        autoFocus={known !== ''}
        value={password}
        error={tried && !sending && error === null ? missing(password) : null}
        {...KEEPS_ESCAPE}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <Submit sending={sending}>Sign in</Submit>
    </form>
  );
}

function Submit({
  sending,
  children,
}: {
  readonly sending: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Button type="submit" size="md" loading={sending} fullWidth {...KEEPS_ESCAPE}>
      {children}
    </Button>
  );
}

interface CodeFormProps extends SignInProps {
  readonly credentials: Credentials;
  onBack(): void;
}

/** The second step, for who has one-time codes: the app's, or a recovery code. */
function CodeForm({ credentials, onSubmit, onBack }: CodeFormProps) {
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
      await onSubmit({ ...credentials, oneTimeCode: code });
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
      <p className="quiet">Your password is right. Now the code of your authenticator app.</p>
      <Refusal error={error} />
      <CodeInput
        recovery={recovery}
        value={code}
        onChange={setCode}
        missing={tried && code === ''}
        keepsEscape
      />
      <Submit sending={sending}>Sign in</Submit>
      <div className={classes['others']}>
        <Button variant="subtle" size="compact-sm" {...KEEPS_ESCAPE} onClick={onBack}>
          Back
        </Button>
        <Button variant="subtle" size="compact-sm" {...KEEPS_ESCAPE} onClick={change}>
          {recovery ? 'Use the app’s code' : 'Use a recovery code'}
        </Button>
      </div>
    </form>
  );
}
