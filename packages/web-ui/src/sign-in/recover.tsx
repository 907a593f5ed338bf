import { Button, PasswordInput } from '@mantine/core';
import { LOOK_MS } from '@munshi/web/reload';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { isRefused } from '../api.tsx';
import { Failed, Refusal, Skeleton } from '../states.tsx';
import { texts } from './recover-texts.ts';
import classes from './sign-in.module.css';
import { texts as appTexts } from './texts.ts';

interface Whose {
  readonly username: string;
  readonly name: string;
  readonly invitation: boolean;
}

/** What a face does with the token of a link. The calls throw what `callOrThrow` does. */
export interface RecoveryCalls {
  /** Whose link it is; an invitation gives the first password. */
  read(token: string): Promise<Whose>;
  save(token: string, newPassword: string): Promise<unknown>;
}

/**
 * Where a recovery link or an invitation leads; nobody is signed in. The token stands behind `#`.
 */
export function Recover({ calls }: { readonly calls: RecoveryCalls }) {
  const [token] = useState(() => location.hash.slice(1));
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    document.title = `${texts.title} · ${appTexts.product}`;
    // Neither the history nor a person who looks at the screen keeps it.
    history.replaceState(null, '', location.pathname);
  }, []);
  const whose = useQuery({
    queryKey: ['recovery'],
    queryFn: () => calls.read(token),
    enabled: token !== '',
    retry: false,
    // The link is in no address any more: the page asks until the service answers.
    refetchInterval: ({ state: { error } }) =>
      error !== null && !isRefused(error) ? LOOK_MS : false,
  });
  return (
    <main className={classes['screen']}>
      <div className={classes['card']}>
        <p className={classes['product']}>{appTexts.product}</p>
        {token === '' ? (
          <Useless reason={texts.noToken} />
        ) : saved ? (
          <Saved />
        ) : whose.data !== undefined ? (
          <NewPassword
            whose={whose.data}
            save={(password) => calls.save(token, password)}
            onSaved={() => setSaved(true)}
          />
        ) : whose.error !== null && !isRefused(whose.error) ? (
          <Failed
            title={appTexts.unavailable}
            error={whose.error}
            hint={appTexts.comesBack}
            onRetry={() => void whose.refetch()}
          />
        ) : whose.error !== null ? (
          <>
            <h1>{texts.bad}</h1>
            <div className={classes['form']}>
              <Refusal error={whose.error} />
            </div>
            <p className={`quiet ${classes['hint']}`}>{texts.askAnother}</p>
          </>
        ) : (
          <Skeleton />
        )}
      </div>
    </main>
  );
}

const Useless = ({ reason }: { readonly reason: string }) => (
  <>
    <h1>{texts.bad}</h1>
    <p className="quiet">{reason}</p>
  </>
);

const Saved = () => (
  <>
    <h1>{texts.saved}</h1>
    <p className="quiet">{texts.savedLead}</p>
    <div className={classes['form']}>
      <Button component={Link} href="/" size="md" fullWidth>
        {texts.signIn}
      </Button>
    </div>
  </>
);

interface NewPasswordProps {
  readonly whose: Whose;
  save(password: string): Promise<unknown>;
  onSaved(): void;
}

function NewPassword({ whose, save, onSaved }: NewPasswordProps) {
  const { username, name, invitation } = whose;
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (password.length < 8 || password !== again) return;
    setSending(true);
    setError(null);
    try {
      await save(password);
      onSaved();
    } catch (failure) {
      setError(failure as Error);
      setSending(false);
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <h1>{invitation ? texts.welcome(name) : texts.title}</h1>
      <p className="quiet">{invitation ? texts.invited(username) : texts.lead(username)}</p>
      <div className={classes['form']}>
        <Refusal error={error} />
        <input type="hidden" autoComplete="username" value={username} readOnly />
        <PasswordInput
          label={texts.password}
          description={texts.passwordHint}
          size="md"
          autoComplete="new-password"
          autoFocus
          value={password}
          error={tried && password.length < 8 ? texts.short : null}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <PasswordInput
          label={texts.again}
          size="md"
          autoComplete="new-password"
          value={again}
          error={tried && password !== again ? texts.differs : null}
          onChange={({ currentTarget }) => setAgain(currentTarget.value)}
        />
        <Button type="submit" size="md" loading={sending} fullWidth>
          {texts.save}
        </Button>
      </div>
      {invitation ? null : <p className={`quiet ${classes['hint']}`}>{texts.codesOff}</p>}
    </form>
  );
}
