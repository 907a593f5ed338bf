import type { Instant } from '@munshi/core';
import type { Queryable } from './db.ts';
import { type Row, time } from './rows.ts';
import type { OperatorRole } from './sessions.ts';

export interface OperatorRecord {
  readonly operatorId: string;
  readonly username: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly status: 'active' | 'suspended';
  /** Script tokens in force. */
  readonly tokens: number;
  readonly createdAt: Instant;
}

const COLUMNS = `o.operator_id, o.username, o.name, o.role, o.status, o.created_at,
  (select count(*)::integer from sessions s where s.principal_id = o.operator_id and s.kind = 'operator-token' and s.expires_at > $1) as tokens`;

const readOperator = (row: Row): OperatorRecord => ({
  operatorId: row['operator_id'],
  username: row['username'],
  name: row['name'],
  role: row['role'],
  status: row['status'],
  tokens: row['tokens'],
  createdAt: row['created_at'],
});

export interface NewOperator {
  readonly operatorId: string;
  readonly username: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly passwordHash: string | null;
  readonly createdAt: Instant;
}

/** Throws 23505 when the username is taken. */
export async function insertOperator(db: Queryable, operator: NewOperator): Promise<void> {
  const text =
    'insert into operators (operator_id, username, name, password_hash, role, created_at) values ($1, $2, $3, $4, $5, $6)';
  const { operatorId, username, name, passwordHash, role, createdAt } = operator;
  await db.query({
    text,
    values: [operatorId, username, name, passwordHash, role, time(createdAt)],
  });
}

export interface OperatorChange {
  readonly name: string | null;
  readonly role: OperatorRole | null;
  readonly status: 'active' | 'suspended' | null;
  readonly passwordHash: string | null;
}

/** Null leaves a field as it is. Answers whether there is such an operator. */
export async function updateOperator(
  db: Queryable,
  operatorId: string,
  change: OperatorChange,
): Promise<boolean> {
  const text = `update operators set name = coalesce($2, name), role = coalesce($3, role), status = coalesce($4, status),
    password_hash = coalesce($5, password_hash) where operator_id = $1`;
  const { rowCount } = await db.query({
    text,
    values: [operatorId, change.name, change.role, change.status, change.passwordHash],
  });
  return rowCount === 1;
}

/** As they are at `now`. */
export async function findOperator(
  db: Queryable,
  operatorId: string,
  now: Instant,
): Promise<OperatorRecord | undefined> {
  const { rows } = await db.query({
    text: `select ${COLUMNS} from operators o where o.operator_id = $2`,
    values: [time(now), operatorId],
  });
  return rows[0] && readOperator(rows[0]);
}

/** Operators, the newest first, older than `after`. */
export async function listOperators(
  db: Queryable,
  {
    now,
    after,
    limit,
  }: { readonly now: Instant; readonly after: string | null; readonly limit: number },
): Promise<readonly OperatorRecord[]> {
  const text = `select ${COLUMNS} from operators o where $2::uuid is null or o.operator_id < $2 order by o.operator_id desc limit $3`;
  const { rows } = await db.query({ text, values: [time(now), after, limit] });
  return rows.map(readOperator);
}

export async function countActiveAdmins(db: Queryable): Promise<number> {
  const { rows } = await db.query({
    text: `select count(*)::integer as count from operators where role = 'admin' and status = 'active'`,
  });
  return rows[0].count;
}
