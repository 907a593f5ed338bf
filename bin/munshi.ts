import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { addDatabaseCommands } from '../apps/server/src/commands.ts';
import { createProgram, run } from '../packages/cli/src/program.ts';

/**
 * `npm run munshi -- <command>`: the commands of merchants and those on the database, as one
 * program. Where no key is set, that of the demo is used, if `npm start` has made one.
 */
const { env } = process;
const demo = (env['DATA_DIR'] ? [env['DATA_DIR']] : ['.data', '/var/lib/munshi'])
  .map((folder) => path.join(folder, 'demo.json'))
  .find((file) => existsSync(file));
if (demo !== undefined && env['MUNSHI_API_KEY'] === undefined) {
  const { merchant } = JSON.parse(readFileSync(demo, 'utf8')) as {
    readonly merchant: { readonly apiKey: string; readonly signingSecret: string };
  };
  env['MUNSHI_URL'] ??= `http://127.0.0.1:${env['PORT'] ?? 3000}`;
  env['MUNSHI_API_KEY'] = merchant.apiKey;
  env['MUNSHI_SIGNING_SECRET'] = merchant.signingSecret;
}
const program = createProgram();
addDatabaseCommands(program);
await run(program);
