import { signal } from '@preact/signals';
import { clock } from './service.ts';

/** The service's time, updated every second: what counts down reads it. */
export const now = signal(clock.now());
setInterval(() => {
  if (!document.hidden) now.value = clock.now();
}, 1000);
document.addEventListener('visibilitychange', () => {
  now.value = clock.now();
});
