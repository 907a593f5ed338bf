import { addDatabaseCommands } from '../apps/server/src/commands.ts';
import { createProgram } from '../packages/cli/src/program.ts';

/** `npm run munshi -- <command>`: the commands over HTTP and those on the database, as one program. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close its pipe early. The command finishes its work without it,
    // and its exit code stays what it is.
    if (error.code !== 'EPIPE') throw error;
  });
const program = createProgram();
addDatabaseCommands(program);
program.parseAsync().catch((error: Error) => {
  process.stderr.write(`munshi: ${error.message}\n`);
  process.exitCode = 1;
});
