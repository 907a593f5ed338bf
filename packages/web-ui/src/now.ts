import { useSyncExternalStore } from 'react';
import { useService } from './api.tsx';

/** One timer for everything on the page that shows time going by. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The service's time in whole seconds, as milliseconds; it goes on by itself. */
export function useNow(): number {
  const { clock } = useService();
  return useSyncExternalStore(subscribe, () => Math.floor(clock.now() / 1000) * 1000);
}
