import { LOOK_MS } from '@munshi/web/reload';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ApiError, isRefused } from '../api.tsx';
import { Failed, Skeleton } from '../states.tsx';
import type { CodeCalls } from './one-time-code/set-up-code.tsx';
import { type Credentials, SignIn, SignInAgain } from './sign-in.tsx';
import type { WebService } from './web-service.ts';

const CodeToSetUp = lazy(() => import('./one-time-code/code-to-set-up.tsx'));

/** What every face answers of a session. */
export interface SessionView {
  readonly csrfToken: string | null;
  /** When and from where they signed in before. */
  readonly previousSignIn: { readonly at: string; readonly address: string } | null;
  readonly oneTimeCode?: 'on' | 'off' | 'to-set-up';
}

/** Somebody who is signed in. */
export interface Who {
  readonly id: string;
  readonly name: string;
  readonly username: string;
}

/** How somebody signs in to a face. The calls throw what `callOrThrow` does. */
export interface SignInFace<View extends SessionView> {
  readonly web: WebService;
  /** Under the heading: `Operator console`. */
  readonly lead: string;
  /** What a person who has forgotten their password can do. */
  readonly forgotten: string;
  signIn(credentials: Credentials): Promise<View>;
  whoAmI(): Promise<View>;
  signOut(): Promise<unknown>;
  whoOf(view: View): Who;
  readonly codes: CodeCalls;
}

interface Session<View> {
  readonly view: View;
  readonly who: Who;
  signOut(): Promise<void>;
}
const SessionContext = createContext<Session<SessionView> | null>(null);

/** Who is signed in; only below a SessionGate of the same view. */
export function useSignedIn<View extends SessionView>(): Session<View> {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('outside of a SessionGate');
  return session as Session<View>;
}

type State<View> =
  | { readonly is: 'loading' }
  | { readonly is: 'unreachable'; readonly error: Error }
  | { readonly is: 'signed out' }
  /** `ended`: the page stays as it is, and the person who is back goes on with it. */
  | { readonly is: 'signed in'; readonly view: View; readonly ended: boolean };

/** Shows its children to a person signed in, and the sign-in to all others. */
export function SessionGate<View extends SessionView>({
  face,
  children,
}: {
  readonly face: SignInFace<View>;
  readonly children: ReactNode;
}) {
  const [state, setState] = useState<State<View>>({ is: 'loading' });
  const queries = useQueryClient();
  const personId = useRef<string>(undefined);

  const begin = useCallback(
    (view: View) => {
      face.web.keepToken(view);
      setState({ is: 'signed in', view, ended: false });
      const { id } = face.whoOf(view);
      if (id === personId.current) void queries.invalidateQueries();
      else queries.clear(); // another person may see other things
      personId.current = id;
    },
    [face, queries],
  );
  const look = useCallback(async () => {
    face.web.askForEvents();
    try {
      begin(await face.whoAmI());
    } catch (error) {
      const failure = error as Error;
      setState(isRefused(failure) ? { is: 'signed out' } : { is: 'unreachable', error: failure });
    }
  }, [face, begin]);
  useEffect(() => void look(), [look]);
  // The page comes by itself when the service is back.
  useEffect(() => {
    if (state.is !== 'unreachable') return;
    const timer = setTimeout(look, LOOK_MS);
    return () => clearTimeout(timer);
  }, [state, look]);
  // Codes are required since they signed in: the page asks for them in place of refusals.
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        if (!(error instanceof ApiError) || error.refusal.code !== 'one-time-code-set-up') return;
        face.whoAmI().then(
          (view) => view.oneTimeCode === 'to-set-up' && begin(view),
          () => {}, // the refusal stays on the screen
        );
      }),
    [face, queries, begin],
  );
  useEffect(
    () =>
      face.web.onSignedOut(() =>
        setState((known) => (known.is === 'signed in' ? { ...known, ended: true } : known)),
      ),
    [face],
  );

  const signOut = async () => {
    await face.signOut();
    face.web.keepToken(null);
    queries.clear();
    setState({ is: 'signed out' });
  };

  if (state.is === 'loading') return <Skeleton />;
  if (state.is === 'unreachable')
    return (
      <Failed
        title="The service cannot be reached"
        error={state.error}
        hint="This page opens by itself as soon as the service is back."
        onRetry={look}
      />
    );
  const form = {
    async onSubmit(typed: Credentials) {
      const view = await face.signIn(typed);
      face.web.askForEvents();
      begin(view);
    },
  };
  if (state.is === 'signed out')
    return <SignIn {...form} lead={face.lead} forgotten={face.forgotten} />;
  const { view, ended } = state;
  const who = face.whoOf(view);
  return (
    // Another person gets a new page: nothing of the first person's is left on it.
    <SessionContext key={who.id} value={{ view, who, signOut }}>
      {view.oneTimeCode === 'to-set-up' ? (
        <Suspense fallback={<Skeleton />}>
          <CodeToSetUp calls={face.codes} onDone={look} onSignOut={signOut} />
        </Suspense>
      ) : (
        children
      )}
      {ended ? <SignInAgain {...form} username={who.username} /> : null}
    </SessionContext>
  );
}
