import type { ChangeOperator } from '@munshi/api';
import type { ActiveOrSuspended, Instant, OperatorRole } from '@munshi/core';
import {
  answers,
  assignments,
  columns,
  from,
  insertion,
  only,
  orNull,
  parameters,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  lockFor,
  PAGE,
  query,
  readsAll,
  readsOne,
  writes,
} from '../platform/database/statement.ts';
import { rolesWith } from './person-tables.ts';
import { signInPlace } from './sessions.store.ts';

/** What can be changed of one, besides the password. */
const CHANGEABLE = {
  name: t.text,
  role: t.oneOf<OperatorRole>(),
  status: t.oneOf<ActiveOrSuspended>(),
} satisfies Record<Exclude<keyof ChangeOperator, 'password'>, unknown>;

/** As they are at the time `$1`. */
const OPERATOR = columns('o', {
  operatorId: t.uuid,
  username: t.text,
  ...CHANGEABLE,
  hasPassword: from('o.password_hash is not null', t.boolean),
  /** Script tokens in force. */
  tokens: from(
    `(
       select count(*)::integer
       from sessions s
       where s.principal_id = o.operator_id
         and s.kind = 'operator-token'
         and s.expires_at > $1
     )`,
    t.integer,
  ),
  createdAt: t.instant,
  hasOneTimeCode: from(
    `exists (
       select from operator_codes c
       where c.operator_id = o.operator_id and c.confirmed_at is not null
     )`,
    t.boolean,
  ),
  lastSignIn: signInPlace('o', 'last_sign_in'),
});
export type OperatorRecord = RecordOf<typeof OPERATOR>;

const { status: _, ...FIRST } = CHANGEABLE;
const NEW = insertion('operators', {
  operatorId: t.uuid,
  username: t.text,
  ...FIRST,
  passwordHash: orNull(t.text),
  createdAt: t.instant,
});

/** Throws 23505 when the username is taken. */
export const insertOperator = writes('insert-operator', NEW.into, NEW.valuesOf);

const CHANGES = assignments(CHANGEABLE);

/** Null leaves the password as it is. */
export const updateOperator = writes(
  'update-operator',
  `update operators
   set ${CHANGES.set},
     password_hash = coalesce($${CHANGES.next}, password_hash)
   where operator_id = $${CHANGES.next + 1}`,
  (operator: OperatorRecord, passwordHash: string | null) => [
    ...CHANGES.valuesOf(operator),
    passwordHash,
    operator.operatorId,
  ],
);

/** As they are at `now`. */
export const findOperator = readsOne(
  'find-operator',
  `select ${OPERATOR.list}
   from operators o
   where o.operator_id = $2`,
  OPERATOR,
  (operatorId: string, now: Instant) => [time(now), operatorId],
);

/** Operators, the newest first. */
export const listOperators = lists(
  'list-operators',
  `select ${OPERATOR.list}
   from operators o
   where $2::uuid is null or o.operator_id < $2
   order by o.operator_id desc
   limit $3`,
  OPERATOR,
  parameters({ now: t.instant, ...PAGE }),
);

const APPROVER = answers({ id: t.text, name: t.text });
export type Approver = RecordOf<typeof APPROVER>;

/** Approvers who can sign in, by a password or a script token: they are made on the server. */
export const listApprovers = readsAll(
  'approvers',
  `select operator_id::text as id, name
   from operators o
   where role in ${rolesWith('approve')}
     and status = 'active'
     and (
       password_hash is not null
       or exists (
         select from sessions s
         where s.principal_id = o.operator_id
           and s.kind = 'operator-token'
           and s.expires_at > $1
       )
     )
   order by name, operator_id
   limit 100`,
  APPROVER,
  (now: Instant) => [time(now)],
);

/** The operator stays as they are until the transaction ends. */
export const lockOperator = readsOne(
  'lock-operator',
  `select operator_id
   from operators
   where operator_id = $1
   for no key update`,
  only('operatorId', t.uuid),
  (operatorId: string) => [operatorId],
);

const LOCK_NAMES = lockFor('lock-operator-names', `'munshi operator names'`);

/** Until the transaction ends nobody else takes a name. */
export async function lockOperatorNames(db: Queryable): Promise<void> {
  await query(db, LOCK_NAMES);
}

export const readOperatorNames = readsAll(
  'operator-names',
  `select operator_id, name, username
   from operators`,
  answers({ operatorId: t.uuid, name: t.text, username: t.text }),
);
