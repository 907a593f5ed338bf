/**
 * What another app has shared with this one. The service worker has it, gives it once, and forgets
 * it; it was never sent.
 */
export async function takeShared(): Promise<string> {
  if (!new URLSearchParams(location.search).has('shared')) return '';
  history.replaceState(history.state, '', location.pathname);
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return '';
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data);
    };
    worker.postMessage('shared?', [port2]);
  });
}
