import { signal } from '@preact/signals';
import { BASE } from './service.ts';

/** The service worker of this build, and whether a newer one waits. */

const waitingWorker = signal<ServiceWorker | null>(null);
/** A newer build is on the phone, and shows when somebody says so or the app is next opened. */
export const hasUpdate = (): boolean => waitingWorker.value !== null;

export async function keepShell(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const had = navigator.serviceWorker.controller !== null;
  // Private windows of some browsers refuse; the app then needs the network to open.
  const registration = await navigator.serviceWorker
    .register(`${BASE}/sw.js`, { scope: `${BASE}/` })
    .catch(() => undefined);
  if (registration === undefined) return;
  const look = () => {
    waitingWorker.value = had ? registration.waiting : null;
  };
  look();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) registration.update().catch(() => {});
  });
}

/** Shows the newer build. A member who has typed something has not asked for it. */
export function takeUpdate(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  waitingWorker.value?.postMessage('take over');
}
