import type { OperatorSessionView } from '@munshi/api';
import { createApiClient, createServerClock, SERVER_TIME } from '@munshi/web';
import type { Service } from '@munshi/web-ui';

/** Where the app is: `/console`, behind the path of PUBLIC_URL where it has one. */
export const BASE = (
  document.querySelector<HTMLMetaElement>('meta[name=app-base]')?.content ??
  import.meta.env.BASE_URL
).replace(/\/$/, '');
/** What stands before the paths of the faces. */
export const PREFIX = BASE.replace(/\/console$/, '');

const clock = createServerClock();
let csrfToken: string | null = null;
let signedOut = () => {};

/** The service, asked with the cookie of the sign-in. */
export const service: Service = {
  clock,
  api: createApiClient({
    baseUrl: PREFIX,
    csrfToken: () => csrfToken,
    onAnswer({ status, headers }, sentAt) {
      clock.learn(headers.get(SERVER_TIME), sentAt);
      if (status === 401) signedOut();
    },
  }),
};

/** Writes carry its token from now on. */
export function keepToken(session: Pick<OperatorSessionView, 'csrfToken'> | null): void {
  csrfToken = session?.csrfToken ?? null;
}

/** Calls `listener` after any answer 401. */
export function onSignedOut(listener: () => void): () => void {
  signedOut = listener;
  return () => {
    signedOut = () => {};
  };
}
