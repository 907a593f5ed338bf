import { spawnSync } from 'node:child_process';

/**
 * `npm run typecheck`: the server with packages and tests (`.`), and each web app. With names of
 * these, those alone. Ends with 1 if one has an error, after all are checked.
 */
const PROJECTS = ['.', 'apps/console', 'apps/docs', 'apps/member', 'apps/portal'];
const named = process.argv.slice(2);
for (const project of named.length > 0 ? named : PROJECTS)
  if (spawnSync('tsc', ['-p', project], { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
