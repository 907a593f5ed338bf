import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type OperatorSessionView, SIGN_IN } from '@munshi/api';
import { ApiError, callOrThrow, Refusal } from '@munshi/web-ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { service } from './service.ts';
import classes from './sign-in.module.css';
import { texts } from './texts.ts';

interface SignInProps {
  onSignedIn(session: Pick<OperatorSessionView, 'operator' | 'csrfToken'>): void;
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
