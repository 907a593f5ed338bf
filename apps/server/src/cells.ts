import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findViolations, INVARIANTS } from './books/invariants.ts';
import type { DatabaseTarget } from './platform/config/database-url.ts';
import { readDatabaseUrl } from './platform/config/database-url.ts';
import { gatherSettings } from './platform/config/gather.ts';
import { type Environment, settingOf } from './platform/config/setting.ts';
import { ConfigError } from './platform/config.ts';
import {
  type Cell,
  completeCell,
  distributeCell,
  findForeignRoles,
  findLostTriggers,
  hasCitus,
  isComplete,
  listCells,
  listNodes,
  moveCell,
  prepareCell,
  setPasswords,
} from './platform/database/cells.ts';
import { COMMAND_SESSION, reportingWaits } from './platform/database/connection/commit-waits.ts';
import { waitForDatabase } from './platform/database/connection/wait-for-database.ts';
import { type Database, openDatabase, transact } from './platform/database/db.ts';
import { isMigrated, migrate } from './platform/database/migrate.ts';
import { say, sayError } from './platform/observe/journal.ts';
import { readClockOffset } from './settings/clock-offset.store.ts';
import { describeFailure, explainDatabase } from './start/start-errors.ts';

/** The database whose cells are managed, and where the commands print what they do. */
export interface Cluster {
  readonly target: DatabaseTarget;
  readonly database: Database;
  readonly print: (text: string) => void;
  readonly say: (text: string) => void;
}

const COMMANDS = {
  create,
  list,
  move,
  passwords,
  verify,
} satisfies Record<string, (cluster: Cluster, args: readonly string[]) => Promise<unknown>>;

export type CellCommand = keyof typeof COMMANDS;

const START_PATIENCE_MS = 30_000;

/** Runs a command on the database that CELLS_DATABASE_URL names. Answers the exit code. */
export async function runCellCommand(
  name: CellCommand,
  args: readonly string[],
  env: Environment = process.env,
): Promise<number> {
  const print = (text: string) => process.stdout.write(`${text}\n`);
  try {
    const target = readTarget(gatherSettings(env));
    const database = openDatabase(target, { name: COMMAND_SESSION, poolSize: 2 });
    try {
      const waiting = ({ message }: Error) => say(`Waiting for the database: ${message}`);
      await waitForDatabase(database, START_PATIENCE_MS, waiting).catch(explainDatabase);
      const done = await reportingWaits(target, say, async () =>
        COMMANDS[name]({ target, database, print, say }, args),
      );
      return typeof done === 'number' ? done : 0;
    } finally {
      await database.close();
    }
  } catch (error) {
    sayError(`munshi: ${describeFailure(error as Error)}`);
    return 1;
  }
}

function readTarget(env: Environment): DatabaseTarget {
  const url = settingOf(env, 'CELLS_DATABASE_URL');
  if (url === undefined)
    throw new ConfigError(
      'CELLS_DATABASE_URL is missing: the database whose cells these are, as a role that may create roles and schemas; on Citus a superuser at the coordinator',
    );
  return readDatabaseUrl('CELLS_DATABASE_URL', url, env);
}

async function create({ target, print, say }: Cluster, [name = '']: readonly string[]) {
  const made = await createCell(target, name, say, keep);
  print(`The cell "${name}" is made.`);
  await printNext(made, print);
}

/** For a cell whose passwords are lost, or known to somebody who should not. */
async function passwords({ target, database, print }: Cluster, [name = '']: readonly string[]) {
  const { pool } = database;
  const { node } = await findCell(pool, name);
  if (!(await isComplete(pool, name)))
    throw new ConfigError(`"${name}" is no complete cell: munshi cell create ${name} makes it`);
  const made = reachedAt(node, rolesOfCell(target, name));
  await keep(made);
  await transact(pool, (client) => setPasswords(client, made));
  print(
    `The cell "${name}" has new passwords. Processes that run go on; each new connection needs`,
  );
  print('them, so restart its processes with them now.');
  await printNext(made, print);
}

/** Before the database has them: a process that is killed or cannot print would have lost them. */
async function keep(made: NewCell): Promise<string> {
  const file = path.resolve(`${made.service.user}.passwords`);
  await rm(`${file}.new`, { force: true });
  await writeFile(`${file}.new`, `${linesOf(made).join('\n')}\n`, { flag: 'wx', mode: 0o600 });
  await rename(`${file}.new`, file);
  return file;
}

async function printNext(made: NewCell, print: Cluster['print']): Promise<void> {
  const file = await keep(made);
  print(`Its passwords are in ${file}, which you alone may read: delete it when they are`);
  print('where its processes read them. They are:');
  linesOf(made).forEach(print);
}

/** A cell that was made, and how its processes, its migrations and its removals connect. */
export interface NewCell {
  readonly service: DatabaseTarget;
  readonly owner: DatabaseTarget;
  readonly retention: DatabaseTarget;
}

/** Names of roles and schemas that need no quotes; `_retention` stands behind one of them. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/**
 * Makes a cell: roles, schema, tables, rights, on Citus on a node of its choice. A try that came to
 * no end is taken up. `known` gets the passwords before the database does. Throws ConfigError where
 * the name cannot be, or the cell is there.
 */
export async function createCell(
  target: DatabaseTarget,
  name: string,
  say: (text: string) => void = () => {},
  known: (made: NewCell) => Promise<unknown> = async () => {},
): Promise<NewCell> {
  if (!NAME.test(name) || /^(pg_.*|public|.*_(owner|retention))$/.test(name))
    throw new ConfigError(
      `"${name}" cannot name a cell: it takes a letter, then up to 39 of a to z, 0 to 9 and _, and is not public, pg_…, …_owner or …_retention`,
    );
  const database = openDatabase(target, { name: COMMAND_SESSION, poolSize: 1 });
  try {
    const { pool } = database;
    if (await isComplete(pool, name)) throw new ConfigError(`there is a cell "${name}" already`);
    const made = rolesOfCell(target, name);
    await refuseForeignRoles(pool, made);
    await known(made);
    await transact(pool, (client) => prepareCell(client, made));
    await migrateCell(made, say);
    const citus = await hasCitus(pool);
    if (citus) {
      await transact(pool, (client) => distributeCell(client, name));
      await migrateCell(made, say); // for the rights
    }
    await completeCell(pool, name);
    return reachedAt(citus ? (await findCell(pool, name)).node : null, made);
  } finally {
    await database.close();
  }
}

/** Its roles, with new passwords. */
function rolesOfCell(target: DatabaseTarget, name: string): NewCell {
  const role = (user: string) => ({ ...target, user, password: randomBytes(24).toString('hex') });
  return {
    service: role(name),
    owner: role(`${name}_owner`),
    retention: role(`${name}_retention`),
  };
}

/** Processes connect to the node that has the cell; migrations go to the coordinator. */
function reachedAt(node: string | null, made: NewCell): NewCell {
  if (node === null) return made;
  const there = (target: DatabaseTarget) => ({ ...target, hosts: [hostOf(node)] });
  return { ...made, service: there(made.service), retention: there(made.retention) };
}

/** The processes that use their passwords would lose access. */
async function refuseForeignRoles(pool: Database['pool'], made: NewCell): Promise<void> {
  const [role] = await findForeignRoles(pool, made);
  if (role !== undefined)
    throw new ConfigError(
      `there is a role "${role}" already, which is not of this cell: give the cell another name, or drop the role`,
    );
}

async function migrateCell({ owner, service, retention }: NewCell, progress: Cluster['say']) {
  const database = openDatabase(owner, { name: COMMAND_SESSION, poolSize: 1 });
  const roles = { runtimeRole: service.user, retentionRole: retention.user };
  await migrate(database.pool, { ...roles, progress }).finally(database.close);
}

function hostOf(node: string) {
  const [host = '', port] = node.split(/:(?=\d+$)/);
  return { host, port: Number(port) };
}

const linesOf = ({ service, owner, retention }: NewCell): readonly string[] => [
  `DATABASE_URL=${urlOf(service)}`,
  `DATABASE_OWNER_URL=${urlOf(owner)}`,
  `RETENTION_DATABASE_URL=${urlOf(retention)}`,
];

function urlOf({ hosts, user, password, database }: DatabaseTarget): string {
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const name = encodeURIComponent(database);
  const [{ host, port } = { host: 'localhost', port: 5432 }] = hosts;
  if (host.startsWith('/')) return `postgres://${login}@/${name}?host=${host}&port=${port}`;
  const list = hosts.map(
    (one) => `${one.host.includes(':') ? `[${one.host}]` : one.host}:${one.port}`,
  );
  return `postgres://${login}@${list}/${name}`;
}

async function findCell(pool: Database['pool'], name: string): Promise<Cell> {
  const cell = (await listCells(pool)).find((one) => one.name === name);
  if (cell === undefined) throw new ConfigError(`there is no cell "${name}": see munshi cell list`);
  return cell;
}

async function list({ database, print }: Cluster): Promise<void> {
  const cells = await listCells(database.pool);
  if (cells.length === 0) print('There is no cell yet: munshi cell create <name>');
  for (const { name, node, bytes, migrations, complete } of cells) {
    const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
    const kind = complete ? '' : name === 'public' ? 'not a cell' : 'not complete: create it again';
    print(
      [
        name.padEnd(24),
        size.padStart(12),
        migrations === null ? 'not this role’s to read' : `${migrations} migrations`,
        node ?? '',
        kind,
      ]
        .join('  ')
        .trimEnd(),
    );
  }
}

async function move({ database, print }: Cluster, [name = '', to = '']: readonly string[]) {
  const { pool } = database;
  if (!(await hasCitus(pool)))
    throw new ConfigError(
      'the database has no Citus, which alone moves a cell while it is used. Elsewhere stop the cell, pg_dump its schema, restore it there, and start it with the new DATABASE_URL',
    );
  const nodes = await listNodes(pool);
  if (!nodes.includes(to))
    throw new ConfigError(`"${to}" is no node for cells; there are: ${nodes.join(', ')}`);
  const { node } = await findCell(pool, name);
  if (node === null)
    throw new ConfigError(`"${name}" is not distributed: run munshi cell create ${name} once more`);
  if (node !== to)
    await moveCell(pool, name, to).catch(async (error: Error) => {
      const now = (await findCell(pool, name)).node;
      const result = now === node ? `nothing was moved from ${node}` : `the cell lies on ${now}`;
      throw new ConfigError(`${result}: ${error.message}. Repeat the command`);
    });
  print(`The cell "${name}" lies on ${to}. Restart its processes, one after the other, with a`);
  print('DATABASE_URL that names this node; until then they go on over the one they know.');
}

async function verify({ target, database, print }: Cluster, [name = '']: readonly string[]) {
  await findCell(database.pool, name);
  const cell = openDatabase(target, { poolSize: 1, schema: name });
  try {
    if (!(await isMigrated(cell.pool)))
      throw new ConfigError(`"${name}" lacks migrations: run munshi migrate with its settings`);
    const lost = (await hasCitus(cell.pool)) ? await findLostTriggers(cell.pool, name) : [];
    for (const trigger of lost) print(`The trigger ${trigger} is missing on the cell’s node.`);
    const now = Date.now() + (await readClockOffset(cell.pool));
    const violations = await findViolations(cell.pool, now);
    for (const { id, rule, rows } of violations) {
      print(`${id} is broken: ${rule}`);
      for (const row of rows) print(`  ${JSON.stringify(row)}`);
    }
    if (violations.length === 0) print(`All ${INVARIANTS.length} invariants hold in "${name}".`);
    return violations.length + lost.length === 0 ? 0 : 1;
  } finally {
    await cell.close();
  }
}
