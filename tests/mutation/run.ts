import { spawnSync } from 'node:child_process';
import path from 'node:path';

/**
 * `npm run test:mutation`: gets the packages of this folder, which nothing else needs, and runs
 * Stryker over the rules of core. Arguments go to it: `-- --mutate src/fee.ts`.
 */

const here = import.meta.dirname;
const core = path.join(here, '../../packages/core');
const stryker = path.join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const config = path.relative(core, path.join(here, 'stryker.config.json'));

run('npm', ['ci', '--no-workspaces', '--prefix', here], here);
run(process.execPath, [stryker, 'run', config, ...process.argv.slice(2)], core);

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
