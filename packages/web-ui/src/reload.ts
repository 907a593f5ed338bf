const missing = new WeakSet<object>();

/** Notices which errors say that code could not be loaded. To be called before any is. */
export function noticeMissingCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => missing.add(payload));
}

/** The service is away, or another build has replaced the one that this page is of. */
export const isMissingCode = (error: Error): boolean => missing.has(error);
