/**
 * Runs `work` when it is called, one run at a time: a caller that comes meanwhile waits for a run
 * that began after its call. Rejects as `work` does.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const runs = async () => {
    while (again) {
      again = false;
      await work();
    }
  };
  return () => {
    again = true;
    running ??= runs().finally(() => {
      running = undefined;
    });
    return running;
  };
}
