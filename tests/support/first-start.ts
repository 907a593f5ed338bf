import path from 'node:path';
import { bareEnvironment, listenTo, type Spoken } from './spoken.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
export const MAIN = path.join(ROOT, 'apps', 'server', 'src', 'main.ts');
export const MUNSHI = path.join(ROOT, 'bin', 'munshi.ts');

/** Runs a script as somebody does who has set nothing but where its data are. */
export const runIn = (
  dataDir: string,
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Spoken =>
  listenTo(process.execPath, [script, ...args], {
    cwd: dataDir,
    env: { ...bareEnvironment(), DATA_DIR: dataDir, PORT: '0', ...env },
  });

/** Starts the service on these data, and waits until it listens. */
export async function startIn(
  dataDir: string,
): Promise<{ readonly server: Spoken; readonly url: string }> {
  const server = runIn(dataDir, MAIN, []);
  const [, url = ''] = await server.says(/Munshi is listening on (\S+)/);
  return { server, url };
}
