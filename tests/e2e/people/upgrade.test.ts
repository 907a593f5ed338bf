import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../apps/server/src/platform/database/db.ts';
import { migrate } from '../../../apps/server/src/platform/database/migrate.ts';
import { cloneDatabase } from '../../support/database.ts';
import { ROOT } from '../../tidy/sources.ts';

/** What upgrades make of a filled database (security.md#two-operators). */

const MIGRATIONS = path.join(ROOT, 'apps/server/src/platform/database/migrations');
const TO_APPROVERS = '0039';

/** Works on a schema from before this migration, then brings it up to date. */
async function upgraded(
  to: string,
  fill: (before: Database) => Promise<void>,
  look: (after: Database) => Promise<void>,
): Promise<void> {
  const { database, owner, drop } = await cloneDatabase();
  await database.pool.query(`create schema filled authorization ${owner.user}`);
  const filled = openDatabase(owner, { poolSize: 1, schema: 'filled' });
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-before-approvers-'));
  for (const name of await readdir(MIGRATIONS))
    if (name < to) await cp(path.join(MIGRATIONS, name), path.join(folder, name));
  await migrate(filled.pool, { folder });
  await fill(filled);
  await migrate(filled.pool);
  await look(filled);
  await rm(folder, { recursive: true });
  await filled.close();
  await drop();
}

const TABLES = {
  operators: { id: 'operator_id', with: `, role) values ($1, $2, $2, '!', $3, 'admin')` },
  members: { id: 'member_id', with: `, max_open_orders) values ($1, $2, $2, '!', $3, 1)` },
  portal_users: {
    id: 'portal_user_id',
    with: `, role, merchant_id) values ($1, $2, $2, '!', $3, 'admin', $4)`,
  },
} as const;

/** The audit log, from the oldest entry on: about whom, what, and by whom. */
const ACTS = [
  ['root', 'operator.create', 'server'],
  ['made', 'operator.create', 'root'],
  ['made', 'operator.update', 'made', { fields: 'password' }],
  ['third', 'operator.token', 'made'],
  ['fourth', 'operator.create', 'third'],
  ['raised', 'operator.create', 'root'],
  ['raised', 'operator.recovery-link', 'server'],
  ['renamed', 'operator.create', 'server'],
  ['renamed', 'operator.update', 'root', { fields: 'name, role' }],
  ['uncoded', 'operator.create', 'server'],
  ['uncoded', 'operator.one-time-code-remove', 'raised', { requestedBy: 'root' }],
  ['scripted', 'operator.create', 'env-1'],

  ['added', 'member.create', 'root'],
  ['added', 'member.identity', 'raised', { fields: 'name' }],
  ['recovered', 'member.create', 'root'],
  ['recovered', 'member.recovery-link', 'root', { requestedBy: 'env-2' }],
  ['given', 'member.create', 'env-2'],
  ['given', 'member.identity', 'raised', { fields: 'password' }],
  ['through', 'member.create', 'fourth'],

  ['invited', 'portal-user.invite', 'root'],
  ['by-own', 'portal-user.invite', 'invited'],
  ['by-theirs', 'portal-user.invitation', 'by-own'],
  ['moved', 'portal-user.create', 'root'],
  ['moved', 'portal-user.update', 'moved', { fields: 'email' }],
  ['mailed', 'portal-user.create', 'env-1'],
  ['mailed', 'portal-user.update', 'by-own', { fields: 'email, name' }],
  ['lowered', 'portal-user.create', 'env-1'],
  ['lowered', 'portal-user.update', 'by-own', { fields: 'role' }],
  ['first', 'portal-user.create', 'raised'],
  ['second', 'portal-user.invite', 'first'],
  ['first', 'portal-user.recovery-link', 'second'],
] as const satisfies readonly (readonly [
  who: string,
  action: string,
  by: string,
  detail?: Readonly<Record<string, string>>,
])[];
type Name = (typeof ACTS)[number][0];

/** The first operator on the way back, whom no other operator let in. */
const GIVERS = {
  operators: {
    root: null,
    made: 'root',
    third: 'root',
    fourth: 'root',
    raised: null,
    renamed: null,
    uncoded: 'root',
    scripted: 'env-1',
  },
  members: { added: 'root', recovered: 'env-2', given: 'raised', through: 'root' },
  portal_users: {
    invited: 'root',
    'by-own': 'root',
    'by-theirs': 'root',
    moved: 'root',
    mailed: 'root',
    lowered: 'env-1',
    first: 'raised',
    second: 'raised',
  },
} as const satisfies Record<keyof typeof TABLES, { readonly [_ in Name]?: string | null }>;

const NOW = new Date('2026-01-15T12:00:00Z');

test('who last let each person in is read from the audit log, through those whom another let in', async () => {
  const people = Object.values(GIVERS).flatMap((names) => Object.keys(names));
  const ids = new Map(people.map((name) => [name, randomUUID() as string]));
  const idOf = (name: string) => ids.get(name) ?? name;
  const nameOf = new Map([...ids].map(([name, id]) => [id, name]));
  await upgraded(
    TO_APPROVERS,
    async ({ pool }) => {
      const merchantId = randomUUID();
      await pool.query(
        `insert into merchants (merchant_id, name, deposit_methods, withdrawal_methods, currencies, created_at)
         values ($1, 'Shop', '{}', '{}', '{PKR}', $2)`,
        [merchantId, NOW],
      );
      for (const [table, { id, with: rest }] of Object.entries(TABLES))
        for (const name of Object.keys(GIVERS[table as keyof typeof TABLES]))
          await pool.query(
            `insert into ${table} (${id}, username, name, password_hash, created_at${rest}`,
            [idOf(name), name, NOW, ...(table === 'portal_users' ? [merchantId] : [])],
          );
      for (const [number, [who, action, by, detail = {}]] of ACTS.entries())
        await pool.query(
          `insert into audit_log (audit_id, actor_kind, actor_id, action, target, detail, at)
           values ($1, 'operator', $2, $3, $4, $5, $6)`,
          [
            `019bc000-0000-7000-8000-${String(number).padStart(12, '0')}`,
            idOf(by),
            action,
            idOf(who),
            Object.fromEntries(
              Object.entries<string>(detail).map(([key, one]) => [key, idOf(one)]),
            ),
            NOW,
          ],
        );
    },
    async ({ pool }) => {
      const found: Record<string, Record<string, string | null>> = {};
      for (const table of Object.keys(GIVERS)) {
        const { rows } = await pool.query<{ username: string; by: string | null }>(
          `select username, credential_by as by from ${table}`,
        );
        found[table] = Object.fromEntries(
          rows.map(({ username, by }) => [username, nameOf.get(by ?? '') ?? by]),
        );
      }
      expect(found).toEqual(GIVERS);
    },
  );
});

test('requests that wait are declined, with a note to ask again; those that are decided stay', async () => {
  const statuses = ['pending', 'waiting', 'approved', 'done', 'declined', 'withdrawn', 'fallen'];
  await upgraded(
    TO_APPROVERS,
    async ({ pool }) => {
      for (const status of statuses)
        await pool.query(
          `insert into approvals (approval_id, kind, target, request, asked, requested_by, requested_name,
             requested_at, expires_at, status, decided_by, decided_at, note)
           values ($1, 'settings', $2, '{}', '{"endpoint": "PATCH /settings"}', 'asker', 'Asker', $3, $3, $2,
             case when $2 in ('approved', 'done') then 'other' end, $3, 'as it was')`,
          [randomUUID(), status, NOW],
        );
    },
    async ({ pool }) => {
      const { rows } = await pool.query('select target as was, status, note from approvals');
      const asked = { status: 'declined', note: expect.stringContaining('Ask for it again') };
      expect(Object.fromEntries(rows.map(({ was, ...is }) => [was, is]))).toEqual(
        Object.fromEntries(
          statuses.map((status) => [
            status,
            ['pending', 'waiting', 'approved'].includes(status)
              ? asked
              : { status, note: 'as it was' },
          ]),
        ),
      );
    },
  );
});

const REQUESTS = {
  'no channel': ['POST /alert-channels/remove', { position: 'second' }],
  'evidence alone': ['PATCH /settings', { evidenceDays: 1, evidenceDaysBefore: 90 }],
  'evidence and more': ['PATCH /settings', { evidenceDays: 1, requireOneTimeCode: false }],
  'no codes': ['PATCH /settings', { requireOneTimeCode: false }],
} as const;

test('requests that need no approver any more are declined, and all others wait on', async () => {
  await upgraded(
    '0043',
    async ({ pool }) => {
      for (const [what, [endpoint, request]] of Object.entries(REQUESTS))
        await pool.query(
          `insert into approvals (approval_id, kind, target, request, asked, requested_by,
             requested_name, requested_at, expires_at, status)
           values ($1, 'settings', $2, $3, $4, 'a', 'A', $5, $5, 'waiting')`,
          [randomUUID(), what, request, { endpoint, params: {}, body: null }, NOW],
        );
    },
    async ({ pool }) => {
      const { rows } = await pool.query('select target, status from approvals');
      expect(Object.fromEntries(rows.map(({ target, status }) => [target, status]))).toEqual({
        'no channel': 'declined',
        'evidence alone': 'declined',
        'evidence and more': 'waiting',
        'no codes': 'waiting',
      });
    },
  );
});
