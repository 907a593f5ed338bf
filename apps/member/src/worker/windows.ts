declare const self: ServiceWorkerGlobalScope;

/** Windows of the app; the service's other pages are of the same origin. */
export async function ownWindows(): Promise<readonly WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return windows.filter(({ url }) => url.startsWith(self.registration.scope));
}

/** Shows this path in the window that is there, else in a new one. */
export async function openPath(path: string): Promise<void> {
  const windows = await ownWindows();
  const window = windows.find(({ focused }) => focused) ?? windows[0];
  if (window === undefined) {
    await self.clients.openWindow(`${self.registration.scope}${path}`);
    return;
  }
  window.postMessage({ is: 'open', path: `/${path}` });
  await window.focus();
}
