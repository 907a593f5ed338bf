import { Command, InvalidArgumentError } from 'commander';
import { listen } from './listen.ts';
import { runTour } from './tour.ts';

/** `munshi` with the commands that talk HTTP. Wrong use is explained, and exits 1. */
export function createProgram(): Command {
  const program = new Command('munshi')
    .description('Munshi, a merchant order service: tools for operators and developers')
    .showHelpAfterError('(--help lists what there is)')
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'munshi: ')),
    });
  program.commandsGroup('Over HTTP, with a running service:');
  program
    .command('try')
    .description('take a deposit and a withdrawal of the demo merchant from creation to completion')
    .option(
      '--url <url>',
      'where the service listens',
      `http://127.0.0.1:${process.env['PORT'] ?? 3000}`,
    )
    .option('--demo <file>', 'the demo.json that the service wrote when it made the demo')
    .option('--callback <url>', 'callbackUrl of the orders; shows the results of their webhooks')
    .action(runTour);
  program
    .command('listen')
    .description(
      'receive webhooks on this machine: verify, print and answer them (the service needs ALLOW_PRIVATE_CALLBACKS=1 to send here)',
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on', number, 4000)
    .option(
      '--secret <secret>',
      'signing secret to verify with, repeatable; SIGNING_SECRET in the environment is one too',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option('--answer <status>', 'status to answer with', number, 200)
    .option('--fail-first <count>', 'answer 500 to the first attempts of each delivery', number, 0)
    .option('--delay <seconds>', 'wait before the answer; the service gives up after 5', number, 0)
    .option('--hang', 'never answer', false)
    .option('--bodies', 'print the bodies', false)
    .action(async ({ secret, ...options }) => {
      const fromEnvironment = process.env['SIGNING_SECRET'];
      const secrets = fromEnvironment ? [...secret, fromEnvironment] : secret;
      // It listens until it is ended, also by a reader that closes the pipe.
      process.stdout.once('error', () => process.exit());
      const { url } = await listen({ ...options, secrets }, print);
      print(
        `Listening for webhooks on ${url}. Use it as callbackUrl of an order or as defaultCallbackUrl of the merchant.`,
      );
    });
  return program;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

function number(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}
