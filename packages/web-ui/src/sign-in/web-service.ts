import { FACES } from '@munshi/api';
import {
  type AskedStream,
  askForStream,
  createApiClient,
  createServerClock,
  SERVER_TIME,
} from '@munshi/web';
import { watchPresence } from '@munshi/web/presence';
import type { Service } from '../api.tsx';

/** The service as an app asks it, with the cookie of the sign-in. */
export interface WebService extends Service {
  /** Where the app is: `/console`, behind the path of PUBLIC_URL where it has one. */
  readonly base: string;
  /** Writes carry the token of this session from now on. */
  keepToken(session: { readonly csrfToken: string | null } | null): void;
  /** Asks for the events of a session before it is shown: what it reads waits for them. */
  askForEvents(): void;
  /** Calls `listener` after any answer 401. */
  onSignedOut(listener: () => void): () => void;
}

interface WebServiceOptions {
  /** What the app is served under, without slashes: `console`. */
  readonly app: string;
  readonly face: keyof typeof FACES;
  /** `import.meta.env.BASE_URL`, for `npm run dev`; built, the page itself says where it is. */
  readonly baseUrl: string;
}

export function createWebService({ app, face, baseUrl }: WebServiceOptions): WebService {
  const said = document.querySelector<HTMLMetaElement>('meta[name=app-base]')?.content;
  const base = (said ?? baseUrl).replace(/\/$/, '');
  const prefix = base.slice(0, base.length - `/${app}`.length);
  const faceUrl = `${prefix}${FACES[face]}`;
  const clock = createServerClock();
  const askNow = () => askForStream(`${faceUrl}/events`);
  let asked: AskedStream | undefined;
  let csrfToken: string | null = null;
  let signedOut = () => {};
  return {
    base,
    faceUrl,
    clock,
    api: createApiClient({
      baseUrl: prefix,
      csrfToken: () => csrfToken,
      headers: watchPresence(),
      onAnswer({ status, headers }, sentAt) {
        clock.learn(headers.get(SERVER_TIME), sentAt);
        if (status === 401) signedOut();
      },
    }),
    askForEvents() {
      asked?.end();
      asked = askNow();
      asked.answer.catch(() => {}); // its reader handles it, if there is one
    },
    events() {
      const events = asked ?? askNow();
      asked = undefined;
      return events;
    },
    keepToken(session) {
      csrfToken = session?.csrfToken ?? null;
    },
    onSignedOut(listener) {
      signedOut = listener;
      return () => {
        signedOut = () => {};
      };
    },
  };
}
