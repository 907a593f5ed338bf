import { addDatabaseCommands } from '../apps/server/src/commands.ts';
import { createProgram } from '../packages/cli/src/program.ts';

/** `npm run munshi -- <command>`: the commands over HTTP and those on the database, as one program. */
const program = createProgram();
addDatabaseCommands(program);
program.parseAsync().catch((error: Error) => {
  process.stderr.write(`munshi: ${error.message}\n`);
  process.exitCode = 1;
});
