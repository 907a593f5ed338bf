import { permission } from './standing.ts';

/** Pushes end with a sign-in: under a new one the service needs the subscription again. */
export function reconnect(): void {
  if (permission.peek() !== 'granted') return;
  // Without a network it is done at the next opening.
  void import('./connect.ts').then(({ connect }) => connect()).catch(() => {});
}
