import { setTimeout } from 'node:timers/promises';
import { isLostRace } from './errors.ts';
import type { Queryable } from './queryable.ts';
import { quoteName } from './statement.ts';

/**
 * Cells of one database: schemas with roles of an owner, of the service and of retention (decision
 * 18). Run by a role that may create them; on Citus by a superuser at the coordinator.
 */

/** A cell as it is listed. */
export interface Cell {
  readonly name: string;
  /** How many migrations it has had; null where this role may not read that. */
  readonly migrations: number | null;
  readonly bytes: number;
  /** `host:port` of the node that it lies on; null where there is no cluster. */
  readonly node: string | null;
  /** Its making has come to its end. */
  readonly complete: boolean;
}

interface CellRole {
  readonly user: string;
  readonly password: string;
}

/** The schema has the name of the service's role. */
export interface CellRoles {
  readonly owner: CellRole;
  readonly service: CellRole;
  readonly retention: CellRole;
}

/** The comment of a schema whose creation is complete. */
const COMPLETE = 'a cell of Munshi';

export async function hasCitus(db: Queryable): Promise<boolean> {
  const { rows } = await db.query("select from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/** Where the tables of the cell lie: on Citus with a node, for they are all on one. */
const listing = (citus: boolean) => `
  select n.nspname as name,
    obj_description(n.oid, 'pg_namespace') is not distinct from '${COMPLETE}' as complete,
    ${citus ? 'coalesce(placed.bytes, 0)' : 'sum(pg_total_relation_size(c.oid))'} as bytes,
    ${citus ? 'placed.node' : 'null'} as node,
    bool_or(c.relname = 'schema_migrations' and has_table_privilege(c.oid, 'select'))
      and has_schema_privilege(n.oid, 'usage') as readable
  from pg_namespace n
  join pg_class c on c.relnamespace = n.oid and c.relkind = 'r'
  ${
    citus
      ? `left join lateral (
    select sum(shard_size) as bytes, min(nodename || ':' || nodeport) as node
    from citus_shards
    where table_name::oid in (select oid from pg_class where relnamespace = n.oid)
  ) placed on true`
      : ''
  }
  where exists (
    select from pg_class m where m.relnamespace = n.oid and m.relname = 'schema_migrations'
  )
  group by n.oid ${citus ? ', placed.bytes, placed.node' : ''}
  order by n.nspname`;

interface Listed {
  readonly name: string;
  readonly complete: boolean;
  readonly bytes: string;
  readonly node: string | null;
  readonly readable: boolean;
}

/** Every schema of the database that migrations have run in, in the order of their names. */
export async function listCells(db: Queryable): Promise<readonly Cell[]> {
  const { rows } = await db.query<Listed>(listing(await hasCitus(db)));
  const cells: Cell[] = [];
  for (const { name, complete, bytes, node, readable } of rows) {
    const migrations = readable ? await countMigrations(db, name) : null;
    if (migrations !== undefined)
      cells.push({ name, complete, bytes: Number(bytes), node, migrations });
  }
  return cells;
}

const UNDEFINED_TABLE = '42P01';

/** Undefined: the cell has been dropped meanwhile. */
async function countMigrations(db: Queryable, name: string): Promise<number | undefined> {
  try {
    const { rows } = await db.query<{ migrations: number }>(
      `select count(*)::integer as migrations from ${quoteName(name)}.schema_migrations`,
    );
    return rows[0]?.migrations ?? 0;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

export async function isComplete(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query(
    `select from pg_namespace
     where nspname = $1 and obj_description(oid, 'pg_namespace') = '${COMPLETE}'`,
    [name],
  );
  return rows.length > 0;
}

/**
 * Roles with the cell's names that no earlier try created: a try creates the owner's schema too.
 * Another owner uses them, in this database or in another one of the server.
 */
export async function findForeignRoles(
  db: Queryable,
  { owner, service, retention }: CellRoles,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select rolname as name
     from pg_roles
     where rolname = any($1)
       and not exists (
         select from pg_namespace where nspname = $2 and pg_get_userbyid(nspowner) = $3
       )
     order by rolname`,
    [[owner.user, service.user, retention.user], service.user, owner.user],
  );
  return rows.map(({ name }) => name);
}

/** Any number: Postgres refuses two who grant something on one database at the same moment. */
const LOCK = 7_240_502;

/**
 * Makes the cell's roles, with these passwords, and its schema, an ordinary one also on Citus. What
 * an earlier try has made is taken up. Run it in a transaction.
 */
export async function prepareCell(
  db: Queryable,
  { owner, service, retention }: CellRoles,
): Promise<void> {
  await db.query('select pg_advisory_xact_lock($1)', [LOCK]);
  const citus = await hasCitus(db);
  if (citus) await db.query('set local citus.enable_schema_based_sharding to off');
  const { rows } = await db.query<{ database: string }>('select current_database() as database');
  const database = quoteName(rows[0]?.database as string);
  const schema = quoteName(service.user);
  for (const { user, password } of [owner, service, retention]) {
    const { rows: known } = await db.query('select from pg_roles where rolname = $1', [user]);
    const role = quoteName(user);
    const make = known.length === 0 ? 'create' : 'alter';
    await db.query(`${make} role ${role} login password '${password}'`);
    await db.query(`alter role ${role} set search_path = ${schema}`);
    await db.query(`grant connect on database ${database} to ${role}`);
    // Sessions that Citus opens between its nodes do not inherit the settings of those it serves.
    if (citus) await db.query(`alter role ${role} set timezone = 'UTC'`);
    if (citus) await db.query(`alter role ${role} set enable_seqscan = off`);
  }
  await db.query(`grant ${quoteName(owner.user)} to current_user`);
  await db.query(`create schema if not exists ${schema} authorization ${quoteName(owner.user)}`);
}

/** Gives the roles of a cell other passwords. */
export async function setPasswords(
  db: Queryable,
  { owner, service, retention }: CellRoles,
): Promise<void> {
  for (const { user, password } of [owner, service, retention])
    await db.query(`alter role ${quoteName(user)} password '${password}'`);
}

/** Says that nothing is missing any more. */
export async function completeCell(db: Queryable, name: string): Promise<void> {
  await db.query(`comment on schema ${quoteName(name)} is '${COMPLETE}'`);
}

/**
 * Has Citus keep the tables of a migrated schema on one of its nodes, together. A cell that moves
 * takes what is logged, and what changes there is found by a key. Rows are copied without triggers:
 * those write in tables that may not be there yet. Run it in a transaction.
 */
export async function distributeCell(db: Queryable, name: string): Promise<void> {
  const { rows: known } = await db.query('select from citus_schemas where schema_name::text = $1', [
    name,
  ]);
  if (known.length > 0) return;
  const { rows: tables } = await db.query<Table>(TABLES, [name]);
  for (const { table, unlogged, keyless, triggered } of tables) {
    if (unlogged) await db.query(`alter table ${table} set logged`);
    if (keyless) await db.query(`alter table ${table} replica identity full`);
    if (triggered) await db.query(`alter table ${table} disable trigger user`);
  }
  await db.query('select citus_schema_distribute($1)', [name]);
  for (const { table, triggered } of tables)
    if (triggered) await db.query(`alter table ${table} enable trigger user`);
  // Citus passes grants on tables to its nodes, and grants on views only if they are made from now
  // on.
  const { rows: views } = await db.query<{ view: string }>(
    `select oid::regclass::text as view
     from pg_class
     where relnamespace = $1::regnamespace and relkind = 'v'`,
    [quoteName(name)],
  );
  for (const { view } of views) await db.query(`revoke all on ${view} from ${quoteName(name)}`);
}

interface Table {
  readonly table: string;
  readonly unlogged: boolean;
  readonly keyless: boolean;
  readonly triggered: boolean;
}

const TABLES = `
  select c.oid::regclass::text as table,
    c.relpersistence = 'u' as unlogged,
    not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as keyless,
    exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggered
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind = 'r'
  order by c.oid`;

/** The nodes that cells may lie on, as `host:port`. */
export async function listNodes(db: Queryable): Promise<readonly string[]> {
  const { rows } = await db.query<{ node: string }>(
    `select nodename || ':' || nodeport as node
     from pg_dist_node
     where isactive and shouldhaveshards and noderole = 'primary'
     order by nodename, nodeport`,
  );
  return rows.map(({ node }) => node);
}

const MOVES_MAX = 5;
/** Citus's message where a node still has what an earlier move has left. */
const LEFTOVER = /could not be cleaned up|orphaned shard/;

/**
 * Moves a cell to another node while it is used, by logical replication. Its processes wait for
 * about a second at the end, and go on where they are connected. Citus gives a move up where the
 * node is not cleaned up yet after an earlier one, and where two changes wait for each other; it has
 * moved nothing then.
 */
export async function moveCell(db: Queryable, name: string, node: string): Promise<void> {
  const [host, port] = node.split(/:(?=\d+$)/);
  for (let left = MOVES_MAX; ; left -= 1) {
    try {
      await db.query("select citus_schema_move($1, $2, $3::integer, 'force_logical')", [
        name,
        host,
        port,
      ]);
      return;
    } catch (error) {
      const leftover = LEFTOVER.test((error as Error).message);
      if (left <= 1 || !(leftover || isLostRace(error))) throw error;
      if (leftover) await db.query('call citus_cleanup_orphaned_resources()');
      await setTimeout(1_000);
    }
  }
}

/** The triggers of a cell that its tables on their node lack: Citus says nothing of it. */
export async function findLostTriggers(db: Queryable, name: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ trigger: string; shard: string }>(
    `select c.relname || '.' || t.tgname as trigger, s.shardid::text as shard
     from pg_trigger t
     join pg_class c on c.oid = t.tgrelid
     join pg_namespace n on n.oid = c.relnamespace
     join pg_dist_shard s on s.logicalrelid = c.oid
     where n.nspname = $1 and not t.tgisinternal`,
    [name],
  );
  const { rows: nodes } = await db.query<{ result: string }>(
    `select result
     from run_command_on_workers($cmd$
       select coalesce(string_agg(format('%s.%s.%s.%s', n.nspname, c.relname, t.tgname, t.tgenabled), ' '), '')
       from pg_trigger t
       join pg_class c on c.oid = t.tgrelid
       join pg_namespace n on n.oid = c.relnamespace
       where not t.tgisinternal
     $cmd$)`,
  );
  const there = new Set(nodes.flatMap(({ result }) => result.split(' ')));
  return rows.flatMap(({ trigger, shard }) => {
    const [table, own] = trigger.split('.') as [string, string];
    return there.has(`${name}.${table}_${shard}.${own}_${shard}.O`) ? [] : trigger;
  });
}
