import { type OperatorSessionView, SIGN_OUT, WHO_AM_I } from '@munshi/api';
import { ApiError, callOrThrow, Failed, Skeleton } from '@munshi/web-ui';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { CodeToSetUp } from './one-time-code/code-to-set-up.tsx';
import { keepToken, onSignedOut, service } from './service.ts';
import { SignIn, SignInAgain } from './sign-in.tsx';
import { texts } from './texts.ts';

export type Operator = OperatorSessionView['operator'];
export type Role = Operator['role'];

const ROLES: readonly Role[] = ['viewer', 'support', 'admin'];
/** Whether somebody sees what is for this role and those above it. */
export const sees = ({ role }: Pick<Operator, 'role'>, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);

interface Session {
  readonly operator: Operator;
  /** When and from where they signed in before. */
  readonly previousSignIn: OperatorSessionView['previousSignIn'];
  signOut(): Promise<void>;
}
const SessionContext = createContext<Session | null>(null);

/** Who is signed in; only below SessionGate. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('outside of a SessionGate');
  return session;
}

type State =
  | { readonly is: 'loading' }
  | { readonly is: 'unreachable'; readonly error: Error }
  | { readonly is: 'signed out' }
  /** `ended`: the page stays as it is, and whoever is back goes on with it. */
  | {
      readonly is: 'signed in';
      readonly operator: Operator;
      readonly previousSignIn: OperatorSessionView['previousSignIn'];
      readonly codeToSetUp: boolean;
      readonly ended: boolean;
    };

/** Shows its children to whoever is signed in, and the sign-in to all others. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>({ is: 'loading' });
  const queries = useQueryClient();

  const begin = useCallback(
    (session: OperatorSessionView) => {
      const { operator, previousSignIn, oneTimeCode } = session;
      keepToken(session);
      const codeToSetUp = oneTimeCode === 'to-set-up';
      setState({ is: 'signed in', operator, previousSignIn, codeToSetUp, ended: false });
      void queries.invalidateQueries();
    },
    [queries],
  );
  const look = useCallback(async () => {
    setState({ is: 'loading' });
    try {
      begin((await callOrThrow(service.api, WHO_AM_I, {})).data);
    } catch (error) {
      const refused = error instanceof ApiError && error.refusal.status < 500;
      setState(refused ? { is: 'signed out' } : { is: 'unreachable', error: error as Error });
    }
  }, [begin]);
  useEffect(() => void look(), [look]);
  useEffect(
    () =>
      onSignedOut(() =>
        setState((known) => (known.is === 'signed in' ? { ...known, ended: true } : known)),
      ),
    [],
  );

  const signOut = async () => {
    await service.api.call(SIGN_OUT, {});
    keepToken(null);
    queries.clear();
    setState({ is: 'signed out' });
  };

  if (state.is === 'loading') return <Skeleton />;
  if (state.is === 'unreachable')
    return <Failed title={texts.signIn.unavailable} error={state.error} onRetry={look} />;
  if (state.is === 'signed out') return <SignIn onSignedIn={begin} />;
  const { operator, previousSignIn } = state;
  return (
    // Somebody else has another page: nothing of the first one's is left on it.
    <SessionContext key={operator.operatorId} value={{ operator, previousSignIn, signOut }}>
      {state.codeToSetUp ? <CodeToSetUp onDone={look} onSignOut={signOut} /> : children}
      {state.ended ? <SignInAgain username={operator.username} onSignedIn={begin} /> : null}
    </SessionContext>
  );
}
