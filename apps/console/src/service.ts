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

/**
 * Whoever is away does not use the session, though the page goes on reading: it ends when nobody
 * has touched the page for half an hour.
 */
const AWAY_MS = 60_000;
let touchedAt = Date.now();
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
  addEventListener(
    kind,
    () => {
      touchedAt = Date.now();
    },
    { passive: true, capture: true },
  );
const unattended = (): Record<string, string> =>
  Date.now() - touchedAt > AWAY_MS ? { 'X-Unattended': '1' } : {};

/** The service, asked with the cookie of the sign-in. */
export const service: Service = {
  clock,
  api: createApiClient({
    baseUrl: PREFIX,
    csrfToken: () => csrfToken,
    headers: unattended,
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
