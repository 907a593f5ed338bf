import { createApiClient, createServerClock, SERVER_TIME } from '@munshi/web';

/** Where the app is: `/member`, behind the path of PUBLIC_URL where it has one. */
export const BASE = (
  document.querySelector<HTMLMetaElement>('meta[name=app-base]')?.content ??
  import.meta.env.BASE_URL
).replace(/\/$/, '');
/** What stands before the paths of the faces. */
export const PREFIX = BASE.replace(/\/member$/, '');

/** The service's clock. A telephone's own may be wrong by hours. */
export const clock = createServerClock();

let csrfToken: string | null = null;
let signedOut = () => {};
let timeTold = false;

/** Whether the service has told its time since the app was opened, and since it was last away. */
export const isTimeTold = (): boolean => timeTold;
/** The service cannot be reached. */
export const timeIsUntold = (): void => {
  timeTold = false;
};

/** The service, asked with the cookie of the sign-in. The app asks again by itself. */
export const api = createApiClient({
  baseUrl: PREFIX,
  csrfToken: () => csrfToken,
  attemptsMax: 1,
  onAnswer({ status, headers }, sentAt) {
    clock.learn(headers.get(SERVER_TIME), sentAt);
    timeTold ||= headers.has(SERVER_TIME);
    if (status === 401) signedOut();
  },
});

/** Writes carry it from now on. */
export function keepToken(token: string | null): void {
  csrfToken = token;
}

export const hasToken = (): boolean => csrfToken !== null;

/** Calls `listener` after any answer 401. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}
