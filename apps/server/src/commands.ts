import type { OperatorRole } from '@munshi/core';
import type { Command } from 'commander';
import type { AdminCommand } from './admin.ts';
import type { CellCommand } from './cells.ts';

/**
 * Adds the commands of `munshi` that work on the database itself and need no running service.
 * Settings come from the environment, as for `npm start`.
 */
export function addDatabaseCommands(program: Command): void {
  program.commandsGroup('On the database, with the settings of the service:');
  const add = (name: AdminCommand, description: string) =>
    program
      .command(name)
      .description(description)
      .action(() => run(name));

  add('verify', 'check the books and every order against the invariants; exits 1 if one is broken');
  program
    .command('doctor')
    .description('look at a production set-up: what is wrong, and how to mend it; exits 1 then')
    .option('--json', 'answer as JSON', false)
    .action(async (options: { json: boolean }) => {
      const { runDoctor } = await import('./doctor/doctor.ts');
      process.exitCode = await runDoctor(options);
    });
  add('migrate', 'bring the database up to this version');
  add('demo', 'create the demo merchant, operator and members in an empty database');
  add(
    'platform-secret',
    'show the secret that signs the webhooks of legacy API keys, which have none of their own',
  );
  add(
    'reseal',
    'encrypt every signing secret with the first key of MASTER_KEY, before you remove another key',
  );
  add(
    'adopt-master-key',
    'after the master key was lost: use the one that is set, and revoke the API keys whose secrets it cannot decrypt',
  );
  add(
    'renew-push-keys',
    'have another key made for pushes to phones at the next start; each phone subscribes again when its app is opened',
  );
  add('end-sessions', 'after a restore: end every sign-in of everybody, and every script token');
  const cells = program
    .command('cell')
    .description('cells of the database that CELLS_DATABASE_URL names: one schema each');
  const cell = (name: CellCommand, usage: string, description: string) =>
    cells
      .command(`${name} ${usage}`.trim())
      .description(description)
      .action((...args) => runCell(name, args.slice(0, -2)));
  cell('create', '<name>', 'make a cell; how its processes connect is in <name>.passwords');
  cell('list', '', 'every cell with its size, its migrations and its node');
  cell('move', '<name> <node>', 'move a cell to another node (host:port) while it is used: Citus');
  cell('passwords', '<name>', 'give the roles of a cell new passwords, into <name>.passwords');
  cell('verify', '<name>', 'check a cell against the invariants; exits 1 if one is broken');
  const operator = (command: Command, whose: string, as: AdminCommand) =>
    command
      .argument('<name>', `user name of ${whose}`)
      .addArgument(
        program
          .createArgument(
            '[role]',
            'what the operator may do; a new one: admin, unless it is given',
          )
          .choices(Object.keys(ROLES)),
      )
      .addOption(
        program
          .createOption(
            '--approver',
            'the operator may approve what others ask for, and all that an admin may',
          )
          .default(false),
      )
      .action((name: string, role: string | undefined, { approver }: { approver: boolean }) => {
        if (approver && role !== undefined)
          program.error(
            'error: give either a role or --approver: an approver may all that an admin may.',
          );
        return run(as, [name, ...(approver ? ['approver'] : role === undefined ? [] : [role])]);
      });
  operator(
    program
      .command('operator-link')
      .description(
        'a link by which an operator, new, suspended or neither, chooses a password; the old one and every sign-in end: shown once, good once, for 24 hours',
      ),
    'the operator, who is made if there is none of that name',
    'operator-link',
  );
  operator(
    program
      .command('operator-token')
      .description('script tokens (op_…) of operators')
      .command('create')
      .description('make a new operator with a script token, which is shown once'),
    'the new operator',
    'operator-token',
  );
}

/** The type alone comes from core: loading it takes longer than showing help. */
const ROLES: Readonly<Record<Exclude<OperatorRole, 'approver'>, true>> = {
  viewer: true,
  support: true,
  admin: true,
};

/** Loads the service only now, so that help and the commands over HTTP start without it. */
async function run(name: AdminCommand, args: readonly string[] = []): Promise<void> {
  const { runAdminCommand } = await import('./admin.ts');
  process.exitCode = await runAdminCommand(name, args);
}

async function runCell(name: CellCommand, args: readonly string[]): Promise<void> {
  const { runCellCommand } = await import('./cells.ts');
  process.exitCode = await runCellCommand(name, args);
}
