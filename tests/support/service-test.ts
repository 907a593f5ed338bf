import { test as base } from 'vitest';
import { PATIENCE_MS } from './patience.ts';
import { type Service, startService } from './service.ts';
import { expectSound } from './verify.ts';

/**
 * The service of a test file: `const { test, service } = await serviceTest(env)`. It starts before
 * the file's tests, on a database of its own. After the last one the invariants are checked, unless
 * `unsound` gives the reason why the tests break them, and the service is closed.
 */
export async function serviceTest(
  env: Record<string, string> = {},
  { unsound }: { readonly unsound?: string } = {},
) {
  const service: Service = await startService(env);
  // Beside much else a request waits longer for a connection than a caller should: it gets one.
  Object.assign(service.app.deps.database.pool.options, { connectionTimeoutMillis: PATIENCE_MS });
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it that nothing else is needed
  const test = base.extend('service', { scope: 'file', auto: true }, ({}, { onCleanup }) => {
    onCleanup(async () => {
      try {
        if (unsound === undefined) await expectSound(service);
      } finally {
        await service.close();
      }
    });
    return service;
  });
  return { test, service };
}
