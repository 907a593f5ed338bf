import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { DatabaseTarget } from '../../apps/server/src/platform/config/database-url.ts';
import { MASTER_KEY, type Service } from './service.ts';
import { bareEnvironment } from './spoken.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** A server process of its own, started as a user starts it. */
export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Sends a signal; resolves with the exit code, null when the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export function databaseUrl({ hosts, user, password, database }: DatabaseTarget): string {
  const credentials = `${user}:${encodeURIComponent(password)}`;
  const socket = hosts.find(({ host }) => host.startsWith('/'));
  return socket === undefined
    ? `postgres://${credentials}@${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`
    : `postgres://${credentials}@/${database}?host=${encodeURIComponent(socket.host)}`;
}

/**
 * Starts a server process on the service's database and waits until it listens. `onLog` is given
 * its log as it comes. `checkout`: of another version.
 */
export async function startProcess(
  service: Pick<Service, 'target' | 'url'>,
  env: Record<string, string> = {},
  onLog?: (text: string) => void,
  checkout = ROOT,
): Promise<ServerProcess> {
  const settings = {
    DATABASE_URL: databaseUrl(service.target),
    MASTER_KEY,
    PORT: '0',
    CLOCK: 'sandbox',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'error',
    PUBLIC_URL: service.url,
    ...env,
  };
  const child = spawn(process.execPath, [path.join(checkout, 'apps/server/src/main.ts')], {
    env: {
      ...bareEnvironment(),
      ...settings,
    },
    stdio: [
      'ignore',
      onLog !== undefined ? 'pipe' : process.env['TEST_LOG'] === undefined ? 'ignore' : 'inherit',
      'pipe',
    ],
  });
  child.stdout?.on('data', (chunk: Buffer) => onLog?.(chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const match = /listening on (\S+)/.exec(said);
      if (match !== null) resolve(match[1] as string);
    });
    exited.then((code) => reject(new Error(`the server exited with ${code}: ${said}`)));
  });
  return {
    url,
    child,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}
