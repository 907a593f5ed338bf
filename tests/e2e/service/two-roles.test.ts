import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import type { Finding } from '../../../apps/server/src/doctor/judgement.ts';
import type { DatabaseTarget } from '../../../apps/server/src/platform/config/database-url.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/db.ts';
import { databaseUrl, startProcess } from '../../support/process.ts';
import { MASTER_KEY } from '../../support/service.ts';
import { bareEnvironment } from '../../support/spoken.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const MAIN = path.join(ROOT, 'apps', 'server', 'src', 'main.ts');
const MUNSHI = path.join(ROOT, 'bin', 'munshi.ts');

const { host, user, password } = inject('postgres');
const superuser: DatabaseTarget = {
  hosts: [{ host, port: 5432 }],
  user,
  password,
  database: 'postgres',
  ssl: false,
};
const server = openDatabase(superuser, { poolSize: 1 });

/** Names of this run's own: roles belong to the whole Postgres. */
const OWNER = `owner_${process.pid}`;
const APP = `app_${process.pid}`;
const RETENTION = `retention_${process.pid}`;
const DATABASE = `roles_${process.pid}`;
const app: DatabaseTarget = { ...superuser, user: APP, password: 'another', database: DATABASE };
const owner: DatabaseTarget = { ...superuser, user: OWNER, password: 'one', database: DATABASE };
const [DATABASE_URL, DATABASE_OWNER_URL] = [databaseUrl(app), databaseUrl(owner)];

afterAll(async () => {
  await server.pool.query(`drop database ${DATABASE} with (force)`);
  await server.pool.query(`drop role ${OWNER}, ${APP}, ${RETENTION}`);
  await server.close();
});

/** Runs a program to its end; answers its exit code and all that it said. */
async function run(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    env: { ...bareEnvironment(), MASTER_KEY, PORT: '0', ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

/** The first statements below a heading of the documentation, on names of this run's own. */
async function documented(page: string, heading: string): Promise<readonly string[]> {
  const text = await readFile(path.join(ROOT, page), 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}\n`));
  const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(section) ?? [];
  return sql
    .replaceAll('munshi_owner', OWNER)
    .replaceAll('munshi_app', APP)
    .replaceAll('munshi_retention', RETENTION)
    .replace('database munshi owner', `database ${DATABASE} owner`)
    .replaceAll('on database munshi', `on database ${DATABASE}`)
    .split(';')
    .filter((statement) => statement.trim() !== '');
}

test('the roles of the documentation: the owner migrates, the service serves without a right to the schema, and every command works', async () => {
  for (const statement of await documented('docs/operate/database.md', '## Two roles'))
    await server.pool.query(statement);

  const early = await run([MAIN], { DATABASE_URL });
  expect(early.code).toBe(1);
  expect(early.said).toMatch(
    /The database lacks migrations, and the role \S+ may not make them\. Run `npm run munshi -- migrate` with DATABASE_OWNER_URL/,
  );
  expect(early.said).not.toContain('    at ');

  expect(await run([MUNSHI, 'migrate'], { DATABASE_URL, DATABASE_OWNER_URL })).toEqual({
    code: 0,
    said: 'The database is up to date.\n',
  });
  const commands = [
    ['demo'],
    ['verify'],
    ['reseal'],
    ['operator-token', 'create', 'script'],
    ['operator-link', 'amina'],
  ];
  for (const command of commands)
    expect(await run([MUNSHI, ...command], { DATABASE_URL }), command.join(' ')).toMatchObject({
      code: 0,
    });

  const serving = await startProcess({ target: app, url: 'http://localhost' });
  await expect.poll(async () => (await fetch(`${serving.url}/readyz`)).status).toBe(200);
  expect(await serving.stop()).toBe(0);
});

test('the role of retention: migrations ask for it, and give it the rights that the doctor looks for', async () => {
  const retention: DatabaseTarget = { ...app, user: RETENTION, password: 'a random one' };
  const RETENTION_DATABASE_URL = databaseUrl(retention);
  const settings = { DATABASE_URL, DATABASE_OWNER_URL, RETENTION_DATABASE_URL };
  expect(await run([MUNSHI, 'migrate'], settings)).toEqual({
    code: 1,
    said: `munshi: There is no role ${RETENTION}, which RETENTION_DATABASE_URL names: make it as docs/operate/retention.md says under "The role of retention".\n`,
  });
  const look = async () => {
    const env = { DATABASE_URL, RETENTION_DATABASE_URL, RETENTION_HISTORY_DAYS: '400' };
    const { said } = await run([MUNSHI, 'doctor', '--json'], env);
    const { findings } = JSON.parse(said) as { findings: readonly Finding[] };
    return findings.find(({ check }) => check === 'retention');
  };
  expect(await look()).toMatchObject({
    state: 'wrong',
    found: expect.stringContaining('cannot connect'),
  });
  for (const statement of await documented('docs/operate/retention.md', '## The role of retention'))
    await server.pool.query(statement);
  expect(await look()).toMatchObject({
    state: 'wrong',
    found: expect.stringMatching(/other rights .*orders/),
  });
  expect((await run([MUNSHI, 'migrate'], settings)).code).toBe(0);
  expect(await look()).toMatchObject({ state: 'ok' });
});

test('a start with both settings gives back the rights that somebody took, and takes those that somebody gave', async () => {
  const ofOwner = openDatabase(owner, { poolSize: 1 });
  await ofOwner.pool.query(
    `revoke insert on orders from ${APP}; grant update, truncate on postings to ${APP}; create table stray (x integer); grant all on stray to ${APP}`,
  );
  const serving = await startProcess(
    { target: app, url: 'http://localhost' },
    { DATABASE_OWNER_URL },
  );
  await expect.poll(async () => (await fetch(`${serving.url}/readyz`)).status).toBe(200);
  expect(await serving.stop()).toBe(0);
  const text = `select t, array(select p from unnest(array['insert', 'update', 'truncate']) p where has_table_privilege($1, t, p)) as may
    from unnest(array['orders', 'postings', 'stray']) t`;
  const { rows } = await ofOwner.pool.query(text, [APP]);
  await ofOwner.close();
  expect(Object.fromEntries(rows.map(({ t, may }) => [t, may]))).toEqual({
    orders: ['insert', 'update'],
    postings: ['insert'],
    stray: [],
  });
});

test('a start in production as the role that owns the tables says so, and one with two roles does not', async () => {
  const warnings = async (url: string) => {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...bareEnvironment(),
        MASTER_KEY,
        PORT: '0',
        NODE_ENV: 'production',
        DATABASE_URL: url,
      },
    });
    let said = '';
    const listening = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          if (said.includes('is listening')) resolve();
        });
      }
      child.once('close', () => resolve());
    });
    await listening;
    child.kill();
    await new Promise((resolve) =>
      child.exitCode === null ? child.once('close', resolve) : resolve(undefined),
    );
    return said;
  };
  expect(await warnings(DATABASE_OWNER_URL)).toContain('may change the tables that it works on');
  expect(await warnings(DATABASE_URL)).not.toContain('may change the tables');
});
