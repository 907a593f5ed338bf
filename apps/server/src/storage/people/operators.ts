import type { ActiveOrSuspended, Instant, OperatorRole } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { type Row, time } from '../rows.ts';
import { execute, lockFor, type Page, query, statement, unprepared } from '../statement.ts';
import { placeOf, type SignInPlace } from './sessions.ts';

export interface OperatorRecord {
  readonly operatorId: string;
  readonly username: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly status: ActiveOrSuspended;
  readonly hasPassword: boolean;
  /** Script tokens in force. */
  readonly tokens: number;
  readonly createdAt: Instant;
  readonly hasOneTimeCode: boolean;
  readonly lastSignIn: SignInPlace | null;
}

const COLUMNS = `o.operator_id, o.username, o.name, o.role, o.status, o.created_at,
     o.password_hash is not null as has_password, o.last_sign_in_at, o.last_sign_in_address,
     exists (
       select from operator_codes c
       where c.operator_id = o.operator_id and c.confirmed_at is not null
     ) as has_one_time_code,
     (
       select count(*)::integer
       from sessions s
       where s.principal_id = o.operator_id
         and s.kind = 'operator-token'
         and s.expires_at > $1
     ) as tokens`;

const readOperator = (row: Row): OperatorRecord => ({
  operatorId: row['operator_id'],
  username: row['username'],
  name: row['name'],
  role: row['role'],
  status: row['status'],
  hasPassword: row['has_password'],
  tokens: row['tokens'],
  createdAt: row['created_at'],
  hasOneTimeCode: row['has_one_time_code'],
  lastSignIn: placeOf(row['last_sign_in_at'], row['last_sign_in_address']),
});

export interface NewOperator {
  readonly operatorId: string;
  readonly username: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly passwordHash: string | null;
  readonly createdAt: Instant;
}

const INSERT = statement(
  'insert-operator',
  `insert into operators (operator_id, username, name, password_hash, role, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
);

/** Throws 23505 when the username is taken. */
export async function insertOperator(db: Queryable, operator: NewOperator): Promise<void> {
  const { operatorId, username, name, passwordHash, role, createdAt } = operator;
  await execute(db, INSERT, [operatorId, username, name, passwordHash, role, time(createdAt)]);
}

export interface OperatorChange {
  readonly name: string | null;
  readonly role: OperatorRole | null;
  readonly status: ActiveOrSuspended | null;
  readonly passwordHash: string | null;
}

const UPDATE = statement(
  'update-operator',
  `update operators
   set name = coalesce($2, name),
     role = coalesce($3, role),
     status = coalesce($4, status),
     password_hash = coalesce($5, password_hash)
   where operator_id = $1`,
);

/** Null leaves a field as it is. Answers whether there is such an operator. */
export async function updateOperator(
  db: Queryable,
  operatorId: string,
  { name, role, status, passwordHash }: OperatorChange,
): Promise<boolean> {
  return (await execute(db, UPDATE, [operatorId, name, role, status, passwordHash])) === 1;
}

const FIND = statement(
  'find-operator',
  `select ${COLUMNS}
   from operators o
   where o.operator_id = $2`,
);

/** As they are at `now`. */
export async function findOperator(
  db: Queryable,
  operatorId: string,
  now: Instant,
): Promise<OperatorRecord | undefined> {
  const [row] = await query(db, FIND, [time(now), operatorId]);
  return row && readOperator(row);
}

const LIST = unprepared(
  'list-operators',
  `select ${COLUMNS}
   from operators o
   where $2::uuid is null or o.operator_id < $2
   order by o.operator_id desc
   limit $3`,
);

/** Operators, the newest first. */
export async function listOperators(
  db: Queryable,
  { now, after, limit }: Page & { readonly now: Instant },
): Promise<readonly OperatorRecord[]> {
  return (await query(db, LIST, [time(now), after, limit])).map(readOperator);
}

const ADMINS = statement<{ readonly operator_id: string }>(
  'active-admins',
  `select operator_id
   from operators
   where role = 'admin' and status = 'active'
   order by operator_id`,
);

export async function listActiveAdmins(db: Queryable): Promise<readonly string[]> {
  return (await query(db, ADMINS)).map((row) => row.operator_id);
}

const LOCK_ADMINS = statement<{ readonly operator_id: string }>(
  'lock-active-admins',
  `select operator_id
   from operators
   where role = 'admin' and status = 'active'
   order by operator_id
   for no key update`,
);

/** The active admins, who stay so until the transaction ends. */
export async function lockActiveAdmins(db: Queryable): Promise<readonly string[]> {
  return (await query(db, LOCK_ADMINS)).map((row) => row.operator_id);
}

const LOCK_NAMES = lockFor('lock-operator-names', `'munshi operator names'`);

/** Until the transaction ends nobody else takes a name. */
export async function lockOperatorNames(db: Queryable): Promise<void> {
  await query(db, LOCK_NAMES);
}

const NAMES = statement<{
  readonly operator_id: string;
  readonly name: string;
  readonly username: string;
}>(
  'operator-names',
  `select operator_id, name, username
   from operators`,
);

export async function readOperatorNames(db: Queryable) {
  return (await query(db, NAMES)).map(({ operator_id: operatorId, name, username }) => ({
    operatorId,
    name,
    username,
  }));
}
