import { Command, InvalidArgumentError } from 'commander';
import { AuthenticationError, createClient } from '../../sdk/src/index.ts';
import { check } from './check.ts';
import { listen } from './listen.ts';
import { readUrl } from './post.ts';
import { readSettings } from './settings.ts';
import { readStatus, TRIGGERED, trigger } from './trigger.ts';

/**
 * `munshi` with the commands that talk HTTP, for developers of merchants. Wrong use is explained,
 * and exits 1.
 */
export function createProgram(): Command {
  const program = new Command('munshi')
    .description('Munshi, a merchant order service: tools for developers and operators')
    .showHelpAfterError('(--help lists what there is)')
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'munshi: ')),
    });
  program.commandsGroup(
    'With a merchant’s key (MUNSHI_URL, MUNSHI_API_KEY, MUNSHI_SIGNING_SECRET):',
  );
  program
    .command('listen')
    .description('pull events as they happen, verify and print them, or forward them to a receiver')
    .option('--forward-to <url>', 'a receiver, such as localhost:8000/hook', url)
    .option('--all', 'from the oldest event that is kept, not from now on', false)
    .option('--json', 'a line of JSON for each event', false)
    .action(async (options) => {
      // It listens until it is ended, also by a reader that closes the pipe.
      process.stdout.once('error', () => process.exit());
      const { client, settings } = merchant();
      await listen(client, { ...options, signingSecret: settings.signingSecret }, print);
    });
  program
    .command('trigger')
    .description('take an order of a sandbox to a status')
    .argument('<status>', TRIGGERED.join(', '), status)
    .option('--order <id>', 'orderId or orderReference; without it an order is made')
    .option('--withdrawal', 'the order that is made is a withdrawal', false)
    .option('--reason <text>', 'why, for the history of the order')
    .option('--json', 'answer as JSON', false)
    .action((to, options) => trigger(merchant().client, { to, ...options }, print));
  program
    .command('check')
    .description('try a receiver of webhooks of a test system; exits 1 if it is not good')
    .argument('<url>', 'the receiver, such as localhost:8000/hook', url)
    .requiredOption('--order <id>', 'an order that it knows: orderId or orderReference')
    .option('--json', 'answer as JSON', false)
    .action(async (at, options) => {
      const { client, settings } = merchant();
      if (!(await check(client, settings, { url: at, ...options }, print))) process.exitCode = 1;
    });
  return program;
}

/** Runs the program with the arguments of the process. */
export async function run(program: Command): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader such as `head` may close its pipe early. The command finishes its work without it,
      // and its exit code stays what it is.
      if (error.code !== 'EPIPE') throw error;
    });
  await program.parseAsync().catch((error: Error) => {
    const message =
      error instanceof AuthenticationError
        ? 'the service does not know MUNSHI_API_KEY'
        : error.message;
    process.stderr.write(`munshi: ${message}\n`);
    process.exitCode = 1;
  });
}

function merchant() {
  const settings = readSettings(process.env);
  return { settings, client: createClient(settings) };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

function url(text: string): URL {
  try {
    return readUrl(text);
  } catch {
    throw new InvalidArgumentError('It must be a URL, such as localhost:8000/hook.');
  }
}

function status(text: string) {
  const found = readStatus(text);
  if (found === undefined)
    throw new InvalidArgumentError(`It must be one of: ${TRIGGERED.join(', ')}.`);
  return found;
}
