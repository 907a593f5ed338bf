/** Keeps the screen on while this is wanted and the app is in front, where the browser can. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let wanted = true;
  const ask = async () => {
    if (!wanted || document.hidden || !('wakeLock' in navigator)) return;
    // Refused when the battery is low; then the phone does as it is used to.
    lock = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (!wanted) void lock?.release();
  };
  void ask();
  // The browser takes it away whenever the app is not in front.
  document.addEventListener('visibilitychange', ask);
  return () => {
    wanted = false;
    document.removeEventListener('visibilitychange', ask);
    void lock?.release();
  };
}
