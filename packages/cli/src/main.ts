import { spawn } from 'node:child_process';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { listen } from './listen.ts';
import { runTour } from './try.ts';

const SERVER = path.join(import.meta.dirname, '..', '..', '..', 'apps', 'server', 'src');

const program = new Command('munshi').description(
  'Munshi, a merchant order service: tools for operators and for developers of merchants.',
);

program
  .command('try')
  .description(
    'take a deposit and a withdrawal of the demo merchant through the whole way, with narration',
  )
  .option(
    '--url <url>',
    'where the service listens',
    `http://127.0.0.1:${process.env['PORT'] ?? 3000}`,
  )
  .option('--demo <file>', 'the demo.json that the service has written when it made the demo')
  .option(
    '--callback <url>',
    'give the orders this callbackUrl, and show what came of their webhooks',
  )
  .action(runTour);

const print = (line: string) => process.stdout.write(`${line}\n`);
const number = (text: string) => {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
};
const collect = (value: string, before: readonly string[]) => [...before, value];

program
  .command('listen')
  .description(
    'receive webhooks on this machine: verify, print, and answer as you say (the service needs ALLOW_PRIVATE_CALLBACKS=1 to send here)',
  )
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option('--port <port>', 'port to listen on', number, 4000)
  .option(
    '--secret <secret>',
    'signing secret to verify with; may be given several times (SIGNING_SECRET in the environment does as well)',
    collect,
    [],
  )
  .option('--answer <status>', 'status to answer with', number, 200)
  .option('--fail-first <count>', 'answer 500 to this many attempts of each delivery', number, 0)
  .option('--delay <seconds>', 'wait before the answer; beyond 5 the service gives up', number, 0)
  .option('--hang', 'never answer', false)
  .option('--bodies', 'print the bodies', false)
  .action(async ({ secret, ...options }) => {
    const fromEnvironment = process.env['SIGNING_SECRET'];
    const { url } = await listen(
      { ...options, secrets: fromEnvironment ? [...secret, fromEnvironment] : secret },
      print,
    );
    print(
      `Listening for webhooks on ${url}. Give it as callbackUrl or as the merchant's defaultCallbackUrl.`,
    );
  });

/**
 * Commands that work on the database itself are the server's own; settings come from the
 * environment as for `npm start`.
 */
const onDatabase = (name: string, description: string) =>
  program
    .command(`${name} [arguments...]`)
    .description(description)
    .action((args: readonly string[]) => {
      const child = spawn(process.execPath, [path.join(SERVER, 'admin.ts'), name, ...args], {
        stdio: 'inherit',
      });
      child.once('exit', (code) => {
        process.exitCode = code ?? 1;
      });
    });

onDatabase(
  'verify',
  'hold the books and every order against the invariants; exit code 1 when one is broken',
);
onDatabase('migrate', 'bring the database up to this version');
onDatabase('demo', 'create the demo merchant, operator and members on an empty database');
onDatabase(
  'platform-secret',
  'show the secret that signs webhooks of legacy API keys, which have none of their own',
);
onDatabase(
  'reseal',
  'seal every signing secret under the first key of MASTER_KEY, before another one is dropped from it',
);
onDatabase(
  'adopt-master-key',
  'where the master key is lost: take the one that is set, and revoke the API keys whose secrets it cannot open',
);
onDatabase(
  'operator-token',
  'create <name> [role]: make a script token (op_…) for an operator; shown once',
);

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`munshi: ${error.message}\n`);
  process.exitCode = 1;
});
