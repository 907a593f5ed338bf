import { Button, PasswordInput } from '@mantine/core';
import { LOOK_MS } from '@munshi/web/reload';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { isRefused } from '../api.tsx';
import { Failed, Refusal, Skeleton } from '../states.tsx';
import classes from './sign-in.module.css';

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
    document.title = `Choose a new password · Munshi`;
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
        <p className={classes['product']}>Munshi</p>
        {token === '' ? (
          <Useless reason="The link is not complete. Open it as you were given it." />
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
            title="The service cannot be reached"
            error={whose.error}
            hint="This page opens by itself as soon as the service is back."
            onRetry={() => void whose.refetch()}
          />
        ) : whose.error !== null ? (
          <>
            <h1>This link cannot be used</h1>
            <div className={classes['form']}>
              <Refusal error={whose.error} />
            </div>
            <p className={`quiet ${classes['hint']}`}>Ask an admin for another one.</p>
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
    <h1>This link cannot be used</h1>
    <p className="quiet">{reason}</p>
  </>
);

const Saved = () => (
  <>
    <h1>Your password is saved</h1>
    <p className="quiet">Sign in with it. Earlier sign-ins have ended.</p>
    <div className={classes['form']}>
      <Button component={Link} href="/" size="md" fullWidth>
        Sign in
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
      <h1>{invitation ? `Welcome, ${name}` : 'Choose a new password'}</h1>
      <p className="quiet">
        {invitation
          ? `Choose your password. You sign in with the username ${username} from then on.`
          : `For ${username}. The link is good once.`}
      </p>
      <div className={classes['form']}>
        <Refusal error={error} />
        <input type="hidden" autoComplete="username" value={username} readOnly />
        <PasswordInput
          label="New password"
          description="At least 8 characters. Several words that do not belong together make a good one."
          size="md"
          autoComplete="new-password"
          autoFocus
          value={password}
          error={tried && password.length < 8 ? 'At least 8 characters.' : null}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <PasswordInput
          label="New password once more"
          size="md"
          autoComplete="new-password"
          value={again}
          error={tried && password !== again ? 'The two are not the same.' : null}
          onChange={({ currentTarget }) => setAgain(currentTarget.value)}
        />
        <Button type="submit" size="md" loading={sending} fullWidth>
          Save the password
        </Button>
      </div>
      {invitation ? null : (
        <p className={`quiet ${classes['hint']}`}>
          One-time codes are off afterwards: set them up again when you are signed in.
        </p>
      )}
    </form>
  );
}
