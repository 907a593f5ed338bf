const AGAIN_MS = 60_000;

/**
 * A new build has replaced the one that this page is of: its chunks are gone. Once only, so that a
 * chunk that is broken does not reload for ever.
 */
export function reloadOnceForNewBuild(): void {
  addEventListener('vite:preloadError', (event) => {
    const reloadedAt = Number(sessionStorage.getItem('munshi-reloaded') ?? 0);
    if (Date.now() - reloadedAt < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem('munshi-reloaded', String(Date.now()));
    location.reload();
  });
}
