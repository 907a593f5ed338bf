import { DataDirInUseError } from '@munshi/embedded-postgres';
import { createClock } from './clock.ts';
import { ConfigError, readConfig } from './config.ts';
import { openLocalDatabase } from './local-database.ts';
import { openDatabase } from './storage/db.ts';
import { findViolations, INVARIANTS } from './storage/invariants.ts';
import { migrate } from './storage/migrate.ts';
import { readClockOffset } from './storage/settings.ts';

/** Commands that need the database itself and not a running service. `munshi` hands them over. */
const COMMANDS: Readonly<Record<string, (deps: AdminDeps) => Promise<number>>> = { migrate: migrateOnly, verify };

interface AdminDeps {
  readonly database: ReturnType<typeof openDatabase>;
  readonly now: () => number;
  readonly print: (text: string) => void;
}

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const command = COMMANDS[name];
  if (command === undefined) throw new ConfigError(`there is no command "${name}"; there is: ${Object.keys(COMMANDS).join(', ')}`);
  const config = readConfig(process.env, args);
  const local = await openLocalDatabase(config, { attach: true });
  const database = openDatabase(local.target, { poolSize: 2 });
  try {
    await migrate(database.pool);
    const clock = createClock({ sandbox: true }); // a clock that was never advanced has no offset
    clock.setOffset(await readClockOffset(database.pool));
    process.exitCode = await command({ database, now: clock.now, print: (text) => process.stdout.write(`${text}\n`) });
  } finally {
    await database.close();
    await local.stop();
  }
}

async function migrateOnly({ print }: AdminDeps): Promise<number> {
  print('The database is up to date.');
  return 0;
}

/** Rebuilds wallets and floats from the postings, holds every order against the rules, and says what does not agree. */
async function verify({ database, now, print }: AdminDeps): Promise<number> {
  const violations = await findViolations(database.pool, now());
  for (const { id, rule, rows } of violations) {
    print(`${id} is broken: ${rule}`);
    for (const row of rows) print(`  ${JSON.stringify(row)}`);
  }
  print(violations.length === 0 ? `All ${INVARIANTS.length} invariants hold.` : `${violations.length} of ${INVARIANTS.length} invariants are broken.`);
  return violations.length === 0 ? 0 : 1;
}

main().catch((error: Error) => {
  const plain = error instanceof ConfigError || error instanceof DataDirInUseError;
  process.stderr.write(`munshi: ${plain ? error.message : (error.stack ?? error.message)}\n`);
  process.exitCode = 1;
});
