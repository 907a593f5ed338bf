import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseTarget } from '../../apps/server/src/platform/config/database-url.ts';
import { takenBack } from '../../apps/server/src/platform/database/db.ts';
import { type Clone, cloneDatabase } from '../support/database.ts';
import { createMember, createMerchant, createOrder } from '../support/fixtures.ts';
import { completeOrder } from '../support/outcomes.ts';
import { startService } from '../support/service.ts';

let clone: Clone;
const clients = new Map<DatabaseTarget, pg.Client>();
beforeAll(async () => {
  clone = await cloneDatabase();
  for (const target of [clone.target, clone.retention]) {
    const [{ host = '', port = 5432 } = {}] = target.hosts;
    const { user, password, database } = target;
    const client = new pg.Client({ host, port, user, password, database });
    await client.connect();
    clients.set(target, client);
  }
});
afterAll(async () => {
  for (const client of clients.values()) await client.end();
  await clone.drop();
});

/** What the database says to a statement of this role: the error's code, or `done`. */
async function answerTo(role: DatabaseTarget, statement: string): Promise<string> {
  try {
    await clients.get(role)?.query(statement);
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const REFUSED = '42501';
const tables = async () =>
  (
    await clone.database.pool.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
  ).rows.map(({ name }) => name);

describe('the role of the service', () => {
  test.each([
    'create table mine (x integer)',
    'create schema mine',
    'create view mine as select 1',
    "create function mine() returns integer language sql as 'select 1'",
    'create index mine on orders (fee)',
    'alter table postings add column mine text',
    'alter table postings disable trigger all',
    'alter table sessions owner to current_user',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    'drop trigger postings_append_only on postings',
    'create trigger mine before insert on postings for each row execute function refuse_change()',
    'drop view delivery_states',
    'set role munshi_owner',
    'set session authorization munshi_owner',
    "set session_replication_role = 'replica'",
    'grant munshi_owner to munshi_app',
    'alter role munshi_app superuser',
    'create role mine',
    "alter system set fsync = 'off'",
    "select pg_read_file('postgresql.conf')",
    "select pg_ls_dir('.')",
    "copy (select 1) to program 'true'",
    "copy order_notes from '/etc/passwd'",
    "copy (select 1) to '/tmp/mine'",
    'select rolpassword from pg_authid',
    "insert into schema_migrations (name) values ('9999')",
    'update terms_version set version = 0',
    'insert into settings default values',
    "select setval('deliveries_sequence_seq', 1)",
  ])('may not: %s', async (statement) => {
    expect(await answerTo(clone.target, statement)).toBe(REFUSED);
  });

  test('may empty, drop or alter no table', async () => {
    for (const table of await tables()) {
      for (const statement of [
        `truncate ${table} cascade`,
        `drop table ${table} cascade`,
        `alter table ${table} disable trigger user`,
      ]) {
        expect(await answerTo(clone.target, statement), statement).toBe(REFUSED);
      }
    }
  });

  test('may change nothing of what only grows, and delete nothing but what it has to forget', async () => {
    for (const table of [
      'postings',
      'order_moves',
      'order_notes',
      'audit_log',
      'audit_chain',
      'delivery_attempts',
      'webhook_alerts',
    ]) {
      const { rows } = await clone.database.pool.query(
        'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0',
        [table],
      );
      for (const { name } of rows)
        expect(
          await answerTo(clone.target, `update ${table} set ${name} = null`),
          `${table}.${name}`,
        ).toBe(REFUSED);
    }
    const deleted: string[] = [];
    for (const table of await tables())
      if ((await answerTo(clone.target, `delete from ${table}`)) === 'done') deleted.push(table);
    expect(deleted.sort()).toEqual([
      'alert_channels',
      'audit_unchained',
      'counted_sends',
      'delivery_queue',
      'master_key_checks',
      'member_changes',
      'operator_codes',
      'order_claims',
      'portal_codes',
      'portal_recovery_codes',
      'portal_users',
      'push_keys',
      'push_subscriptions',
      'recovery_codes',
      'recovery_links',
      'refused_minutes',
      'refused_requests',
      'request_keys',
      'saved_views',
      'sessions',
      'signature_replays',
      'terms_key',
    ]);
  });

  test('changes the terms by what it may change, and so their version', async () => {
    const version = async () =>
      (await clone.database.pool.query('select version from terms_version')).rows[0].version;
    const before = await version();
    expect(
      await answerTo(
        clone.target,
        'update settings set payment_page_ttl_seconds = payment_page_ttl_seconds',
      ),
    ).toBe('done');
    expect(Number(await version())).toBe(Number(before) + 1);
  });
});

describe('the role of retention', () => {
  test('deletes what is kept for some time, and no order, key, posting or entry of the audit log', async () => {
    const deleted: string[] = [];
    for (const table of await tables())
      if ((await answerTo(clone.retention, `delete from ${table}`)) === 'done') deleted.push(table);
    expect(deleted.sort()).toEqual([
      'delivery_attempts',
      'late_claims',
      'order_alerts',
      'order_moves',
      'order_notes',
      'retention_left',
      'sessions',
    ]);
  });

  test('changes nothing of orders and deliveries but what it masks and removes', async () => {
    const changed: string[] = [];
    const { rows } = await clone.database.pool.query<{ table: string; name: string }>(
      `select c.relname as table, a.attname as name
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
         and (a.attnum = 1 or c.relname in ('orders', 'deliveries', 'late_claims'))
         and c.relname not like 'retention\\_%'`,
    );
    for (const { table, name } of rows)
      if ((await answerTo(clone.retention, `update ${table} set ${name} = null`)) !== REFUSED)
        changed.push(`${table}.${name}`);
    expect(changed.sort()).toEqual([
      'cell_guard.held', // which has no row
      'deliveries.attempts_removed',
      'deliveries.body',
      'deliveries.body_removed_at',
      'deliveries.was_acknowledged',
      'late_claims.payer_account',
      'orders.customer_account_name',
      'orders.customer_account_number',
      'orders.masked_at',
      'orders.payer_account',
      'orders.terms_digest',
    ]);
  });

  test.each([
    'select sealed_secret from api_keys',
    'select sealed_key from terms_key',
    'select csrf_token from sessions',
    'select password_hash from operators',
    'select detail from audit_log',
    'insert into orders (order_id) values (gen_random_uuid())',
    'insert into order_moves (order_id) values (gen_random_uuid())',
    'truncate order_moves',
    'alter table order_moves disable trigger all',
    'create table mine (x integer)',
    'set role munshi_app',
  ])('may not: %s', async (statement) => {
    expect(await answerTo(clone.retention, statement)).toBe(REFUSED);
  });
});

test('postings, moves of orders and the audit log are changed and emptied by nobody, their owner included', async () => {
  const service = await startService();
  const [merchant, member] = [
    await createMerchant(service, { balance: '10' }),
    await createMember(service),
  ];
  const order = await createOrder(merchant, {
    orderType: 'Deposit',
    amount: 20,
    walletType: 'ProviderA',
    merchantOrderRef: randomUUID(),
  });
  await completeOrder(service, order, member);
  try {
    for (const [table, column] of [
      ['postings', 'note'],
      ['order_moves', 'note'],
      ['audit_log', 'actor_name'],
    ]) {
      expect((await service.database.pool.query(`select from ${table}`)).rowCount).toBeGreaterThan(
        0,
      );
      for (const statement of [
        `update ${table} set ${column} = 'x'`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(service.database.pool.query(statement), statement).rejects.toThrow(
          `${table} is append-only`,
        );
      }
    }
    // As a node of Citus keeps a cell's table, whose triggers know it by that name alone.
    await takenBack(service.database.pool, async (client) => {
      await client.query(`create table order_moves_102008 (like order_moves);
        insert into order_moves_102008 select * from order_moves;
        create trigger kept before delete on order_moves_102008 for each row execute function refuse_deletion();
        savepoint filled`);
      const remove = 'delete from order_moves_102008';
      await expect(client.query(remove)).rejects.toThrow('order_moves_102008 is append-only');
      await client.query(`rollback to filled; set local munshi.removes = 'order_moves'`);
      expect((await client.query(remove)).rowCount).toBeGreaterThan(0);
    });
  } finally {
    await service.close();
  }
});
