import { spawn } from 'node:child_process';
import path from 'node:path';
import { Command } from 'commander';
import { runTour } from './try.ts';

const SERVER = path.join(import.meta.dirname, '..', '..', '..', 'apps', 'server', 'src');

const program = new Command('munshi').description('Munshi, a merchant order service: tools for operators and for developers of merchants.');

program
  .command('try')
  .description('take a deposit and a withdrawal of the demo merchant through the whole way, with narration')
  .option('--url <url>', 'where the service listens', `http://127.0.0.1:${process.env['PORT'] ?? 3000}`)
  .action(runTour);

/** Commands that work on the database itself are the server's own; settings come from the environment as for `npm start`. */
const onDatabase = (name: string, description: string) =>
  program
    .command(`${name} [arguments...]`)
    .description(description)
    .action((args: readonly string[]) => {
      const child = spawn(process.execPath, [path.join(SERVER, 'admin.ts'), name, ...args], { stdio: 'inherit' });
      child.once('exit', (code) => {
        process.exitCode = code ?? 1;
      });
    });

onDatabase('verify', 'hold the books and every order against the invariants; exit code 1 when one is broken');
onDatabase('migrate', 'bring the database up to this version');
onDatabase('demo', 'create the demo merchant, operator and members on an empty database');
onDatabase('operator-token', 'create <name> [role]: make a script token (op_…) for an operator; shown once');

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`munshi: ${error.message}\n`);
  process.exitCode = 1;
});
