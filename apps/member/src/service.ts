import { createApiClient, createServerClock, SERVER_TIME } from '@munshi/web';
import { watchPresence } from '@munshi/web/presence';
import { signal } from '@preact/signals';

/** Where the app is: `/member`, behind the path of PUBLIC_URL where it has one. */
export const BASE = (
  document.querySelector<HTMLMetaElement>('meta[name=app-base]')?.content ??
  import.meta.env.BASE_URL
).replace(/\/$/, '');
/** What stands before the paths of the faces. */
export const PREFIX = BASE.replace(/\/member$/, '');

const OFFSET = 'munshi-clock-offset';

/** The service's clock. A telephone's own may be wrong by hours, also where there is no network. */
export const clock = createServerClock(Date.now, {
  read: () => Number(localStorage.getItem(OFFSET)) || 0,
  keep: (offset) => localStorage.setItem(OFFSET, String(Math.round(offset))),
});

let csrfToken: string | null = null;
let signedOut = () => {};
let timeKnown = false;

/** Whether the service's time is known since the app was opened, and since it was last away. */
export const isTimeKnown = (): boolean => timeKnown;
/** The service cannot be reached. */
export const forgetTime = (): void => {
  timeKnown = false;
};

/** Whether the service has answered when it was last asked. */
export const reached = signal(true);
/** How often it has answered again after it had not: what could not be read is then read again. */
export const comebacks = signal(0);

function learnReached(now: boolean): void {
  if (now && !reached.value) comebacks.value += 1;
  reached.value = now;
}

/** The service, asked with the cookie of the sign-in. The app asks again by itself. */
export const api = createApiClient({
  baseUrl: PREFIX,
  csrfToken: () => csrfToken,
  headers: watchPresence(),
  attemptsMax: 1,
  onAnswer({ status, headers }, sentAt) {
    clock.learn(headers.get(SERVER_TIME), sentAt);
    timeKnown ||= headers.has(SERVER_TIME);
    learnReached(status < 500 || headers.has(SERVER_TIME)); // a proxy answers 502 in its place
    if (status === 401) signedOut();
  },
  onNoAnswer: () => learnReached(false),
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
