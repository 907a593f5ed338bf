import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { isMerchantNamed } from '../merchants/store.ts';
import { gatherSettings } from '../platform/config/gather.ts';
import type { Database } from '../platform/database/db.ts';
import { SHOPS } from './people.ts';

interface PastOptions {
  readonly dataDir: string;
  readonly masterKey: string;
  /** Where customers reach the service: the links of the orders lead there. */
  readonly address: string;
}

/**
 * Has the demo's past made where it is missing, in a process beside this one; a stop before it is
 * done leaves nothing behind, and the next start begins again. Answers how to end it.
 */
export async function startPast(
  { pool }: Database,
  { dataDir, masterKey, address }: PastOptions,
): Promise<() => Promise<void>> {
  if (await isMerchantNamed(pool, SHOPS[0].name)) return async () => {};
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'past.ts'), dataDir], {
    env: {
      ...gatherSettings(process.env),
      MASTER_KEY: masterKey,
      PUBLIC_URL: address,
      HOST: '127.0.0.1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  return async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  };
}
